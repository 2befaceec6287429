/**
 * What else must be true of content that begins with a short signature. Two or three bytes can be
 * there by chance.
 */

type SecondSign = (bytes: Buffer) => boolean;

const never: SecondSign = () => false;
const ascii = (bytes: Buffer, from: number, to: number) => bytes.toString('latin1', from, to);

/** Sizes of the header that follows the one of the file. */
const BITMAP_HEADERS = new Set([12, 16, 40, 52, 56, 64, 108, 124]);
const PE_POINTER = 0x3c;

/** By the type that the first bytes stand for. `never`: only the file name confirms it. */
const ofContent: { readonly [type: string]: SecondSign } = {
  'image/bmp': (bytes) => bytes.length >= 18 && BITMAP_HEADERS.has(bytes.readUInt32LE(14)),
  'image/gif': (bytes) => /^GIF8[79]a$/.test(ascii(bytes, 0, 6)) && bytes.length > 13,
  'image/jpeg': (bytes) => (bytes[3] ?? 0) >= 0xc0,
  'application/x-msdownload': (bytes) => {
    if (bytes.length < PE_POINTER + 4) return false;
    const at = bytes.readUInt32LE(PE_POINTER);
    return /^(PE\0\0|NE|LE|LX)/.test(ascii(bytes, at, at + 4));
  },
  // A version, then a length below 256 MiB.
  'application/x-shockwave-flash': ([, , , version = 0, , , , length = 0xff]) =>
    version > 0 && version < 0x40 && length < 0x10,
  'application/x-sqlite3': (bytes) => ascii(bytes, 0, 16) === 'SQLite format 3\0',
  'application/x-bzip2': (bytes) => /^BZh[1-9]1AY&SY/.test(ascii(bytes, 0, 10)),
  'application/x-compress': ([, , flags = 0]) =>
    (flags & 0x60) === 0 && (flags & 0x1f) >= 9 && (flags & 0x1f) <= 16,
  'application/gzip': ([, , , flags = 0xff]) => flags < 0x20,
  // ID3: a version, then a length of four bytes below 128. Without ID3, 11 bits are the signature.
  'audio/mpeg': (bytes) =>
    ascii(bytes, 0, 3) === 'ID3' &&
    (bytes[3] ?? 0) >= 2 &&
    (bytes[3] ?? 0) <= 4 &&
    bytes.subarray(6, 10).every((byte) => byte < 0x80),
  'audio/midi': (bytes) => bytes.length > 8 && bytes.readUInt32BE(4) === 6,
  'audio/aiff': (bytes) => /^AIF[FC]$/.test(ascii(bytes, 8, 12)),
  'audio/aac': never,
  'audio/vnd.dolby.dd-raw': never,
  'audio/x-musepack': (bytes) => ascii(bytes, 0, 4) === 'MPCK' || ((bytes[3] ?? 0) & 0x0f) === 7,
  'image/vnd.ms-photo': ([, , , version = 0xff]) => version <= 1,
  'application/x-apple-diskimage': never,
  'application/x-cpio': never,
  'application/x-arj': never,
};

/** Formats that are text themselves, with the words that they begin with. */
const ofText: { readonly [type: string]: RegExp } = {
  'application/pdf': /^%PDF-\d/,
  'application/postscript': /^%!PS-Adobe-\d/,
  'application/eps': /^%!PS-Adobe-\d/,
  'application/rtf': /^\{\\rtf\d/,
  'application/xml': /^<\?xml\s/,
  'application/pgp-encrypted': /^-----BEGIN PGP/,
  'application/x-ms-regedit': /^REGEDIT4/,
  'text/calendar': /^BEGIN:VCALENDAR\r?\n/,
  'text/vcard': /^BEGIN:VCARD\r?\n/,
  'text/vtt': /^WEBVTT/,
};

export const confirmedByContent = (type: string, sample: Uint8Array): boolean =>
  ofContent[type]?.(Buffer.from(sample)) ?? true;

export const confirmedByText = (type: string, text: string): boolean =>
  ofText[type]?.test(text) ?? false;
