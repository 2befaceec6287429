/** The bytes of an attachment that the caller may read. */
import type { Readable } from 'node:stream';
import { BlobMissing, type Range } from '../blobs/index.js';
import type { Context } from '../context.js';
import { MissingPermission, NotFound } from '../errors.js';
import { AttachmentStatus } from '../models/attachment.js';
import { find } from '../policies/find.js';

export interface OpenContent {
  fileName: string;
  fileSize: number;
  contentType: string;
  /** The digest of the content, which names it for ever. */
  digest: string;
  /** Opens the bytes, or a part of them. @throws NotFound where the file is gone from the store */
  open(range?: Range): Promise<Readable>;
}

/** @throws NotFound, MissingPermission for a quarantined file */
export async function openContent(context: Context, id: number | undefined): Promise<OpenContent> {
  const attachment = await find.attachment(context, id);
  if (!attachment || attachment.status === AttachmentStatus.prepared) throw new NotFound();
  if (attachment.status === AttachmentStatus.quarantined) throw new MissingPermission('The file is quarantined because the virus scan found something in it.');
  const { fileName, fileSize, contentType, digestHash, blobKey } = attachment;
  return {
    fileName, fileSize, contentType, digest: digestHash,
    async open(range) {
      try {
        return await context.blobs.read(blobKey, range);
      } catch (error) {
        if (!(error instanceof BlobMissing)) throw error;
        context.log.error({ attachment: attachment.id }, 'the file of an attachment is missing from the blob store');
        throw new NotFound();
      }
    },
  };
}
