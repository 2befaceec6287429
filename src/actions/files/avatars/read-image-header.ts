/** Reads the type and the size of a PNG or JPEG image from its first bytes. */

export interface ImageHeader {
  contentType: 'image/png' | 'image/jpeg';
  /** In pixels. */
  width: number;
  height: number;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** @returns undefined for other types, and for an image without a complete header */
export function readImageHeader(bytes: Buffer): ImageHeader | undefined {
  const header = bytes.subarray(0, PNG.length).equals(PNG) ? pngHeader(bytes) : jpegHeader(bytes);
  return header && header.width > 0 && header.height > 0 ? header : undefined;
}

/** The first chunk of a PNG is `IHDR`: its length is 13, and it begins with the size. */
function pngHeader(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < 33 || bytes.readUInt32BE(8) !== 13) return undefined;
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  return {
    contentType: 'image/png',
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
  };
}

const FILL = 0xff;
const START_OF_IMAGE = 0xd8;
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
/** The markers from 0xc0 to 0xcf that begin no frame: tables, a reserved one, and conditioning. */
const NO_FRAMES = [0xc4, 0xc8, 0xcc];

/** The segments of a JPEG have a marker and a length. The frame header has the size. */
function jpegHeader(bytes: Buffer): ImageHeader | undefined {
  if (bytes[0] !== FILL || bytes[1] !== START_OF_IMAGE) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== FILL) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === FILL) {
      at += 1;
      continue;
    }
    if (marker === END_OF_IMAGE || marker === START_OF_SCAN) return undefined;
    if (marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.includes(marker))
      return {
        contentType: 'image/jpeg',
        width: bytes.readUInt16BE(at + 7),
        height: bytes.readUInt16BE(at + 5),
      };
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}
