/** Checks the bytes of an avatar: their number, the type and the pixels. */
import { PropertyConstraintViolation } from '../../../contract/errors.js';
import { MAX_AVATAR_BYTES, MAX_AVATAR_PIXELS } from '../../../contract/limits.js';
import { withCommas } from '../../../contract/words.js';
import type { IncomingFile } from '../../../http/incoming-file.js';
import { readImageHeader, type ImageHeader } from './read-image-header.js';

export interface Avatar {
  bytes: Buffer;
  contentType: ImageHeader['contentType'];
}

/**
 * Reads the file of a form.
 * @throws PropertyConstraintViolation, and InvalidRequestBody for a malformed form
 */
export async function readAvatar(file: IncomingFile): Promise<Avatar> {
  const bytes = await bytesOf(file);
  await file.formEnd;
  return checkAvatar(bytes);
}

/**
 * @param bytes at most `MAX_AVATAR_BYTES`
 * @throws PropertyConstraintViolation
 */
export function checkAvatar(bytes: Buffer): Avatar {
  const header = readImageHeader(bytes);
  if (!header) throw new PropertyConstraintViolation('File is no PNG or JPEG image.', 'file');
  if (Math.max(header.width, header.height) > MAX_AVATAR_PIXELS)
    throw new PropertyConstraintViolation(
      `File has too many pixels (maximum is ${withCommas(MAX_AVATAR_PIXELS)} by ` +
        `${withCommas(MAX_AVATAR_PIXELS)}).`,
      'file',
    );
  return { bytes, contentType: header.contentType };
}

async function bytesOf(file: IncomingFile): Promise<Buffer> {
  const bytes = Buffer.alloc(MAX_AVATAR_BYTES);
  let size = 0;
  for await (const chunk of (await file.open()) as AsyncIterable<Uint8Array>) {
    if (size + chunk.byteLength > MAX_AVATAR_BYTES)
      throw new PropertyConstraintViolation(
        `File is too large (maximum size is ${MAX_AVATAR_BYTES} Bytes).`,
        'file',
      );
    bytes.set(chunk, size);
    size += chunk.byteLength;
  }
  return bytes.subarray(0, size);
}
