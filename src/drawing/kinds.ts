/** The types of files of which previews can be made, and what draws them. */

export type Kind = 'picture' | 'document' | 'film' | 'office';

interface Drawn {
  kind: Kind;
  /** Of a film: the reader of its format. No other one is tried. */
  reader?: string;
  /** Larger files are not read, in bytes. */
  maxBytes: number;
}

const MIB = 1024 * 1024;
const picture: Drawn = { kind: 'picture', maxBytes: 256 * MIB };
const film = (reader: string): Drawn => ({ kind: 'film', reader, maxBytes: 1024 * MIB });
const office: Drawn = { kind: 'office', maxBytes: 64 * MIB };
const openXml = 'application/vnd.openxmlformats-officedocument';

export const drawnTypes: { readonly [contentType: string]: Drawn } = {
  'image/jpeg': picture,
  'image/png': picture,
  'image/webp': picture,
  'image/gif': picture,
  'image/avif': picture,
  'image/tiff': picture,
  'image/heic': picture,
  'image/heif': picture,
  // A few lines can ask for much work.
  'image/svg+xml': { kind: 'picture', maxBytes: 2 * MIB },
  'application/pdf': { kind: 'document', maxBytes: 256 * MIB },
  'video/mp4': film('mov'),
  'video/x-m4v': film('mov'),
  'video/quicktime': film('mov'),
  'video/webm': film('matroska'),
  'video/matroska': film('matroska'),
  'video/vnd.avi': film('avi'),
  [`${openXml}.wordprocessingml.document`]: office,
  [`${openXml}.spreadsheetml.sheet`]: office,
  [`${openXml}.presentationml.presentation`]: office,
  'application/vnd.oasis.opendocument.text': office,
  'application/vnd.oasis.opendocument.spreadsheet': office,
  'application/vnd.oasis.opendocument.presentation': office,
  'application/msword': office,
  'application/vnd.ms-excel': office,
  'application/vnd.ms-powerpoint': office,
};
