/** Finds the media type of a stored file under another name. */
import { BlobMissing } from '../../../blobs/store.js';
import type { Context } from '../../../context.js';
import { AttachmentStatus, type Attachment } from '../../../models/attachment.js';
import { checkAllowlist } from './check-allowlist.js';
import { detectType, SAMPLE_SIZE, type DetectedType } from './detect-type.js';

/**
 * The name takes part in the detection of the type, so a new name is checked as at the upload.
 * @throws PropertyConstraintViolation if the file is not allowed under the name
 */
export async function renamedType(
  context: Pick<Context, 'blobs' | 'settings'>,
  attachment: Attachment,
  fileName: string,
): Promise<DetectedType> {
  const { contentType, charset } = attachment;
  const sample = await sampleOf(context, attachment);
  const detected = sample ? await detectType(sample, fileName) : { contentType, charset };
  checkAllowlist(context.settings.attachmentAllowlist, detected.contentType, fileName);
  return detected;
}

/** @returns undefined if the content has not arrived, or is missing: then the type stays */
async function sampleOf(
  { blobs }: Pick<Context, 'blobs'>,
  { status, blobKey, fileSize }: Attachment,
): Promise<Uint8Array | undefined> {
  if (status === AttachmentStatus.PREPARED) return undefined;
  if (fileSize === 0) return new Uint8Array();
  try {
    const range = { start: 0, end: Math.min(fileSize, SAMPLE_SIZE) - 1 };
    const chunks: Uint8Array[] = [];
    for await (const chunk of await blobs.read(blobKey, range)) chunks.push(chunk as Uint8Array);
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof BlobMissing) return undefined;
    throw error;
  }
}
