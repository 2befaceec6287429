/** The header `Content-Disposition` of a file. */
import contentDisposition from 'content-disposition';

/**
 * Every name that is not ASCII is in `filename*`, with an ASCII `filename` beside it (RFC 6266 4.3).
 * By itself the library sends Latin-1 as raw bytes, which clients read in different ways.
 */
export const dispositionOf = (name: string, type: 'attachment' | 'inline'): string =>
  contentDisposition(name, { type, fallback: name.replace(/[^\x20-\x7e]/g, '?') });
