/** The bytes of an attachment that the caller may read. */
import { BlobMissing, type BlobStream, type Range, type Serving } from '../../blobs/store.js';
import type { Context } from '../../context.js';
import { MissingPermission, NotFound } from '../../contract/errors.js';
import { AttachmentStatus } from '../../models/attachment.js';
import { can } from '../../policies/can.js';
import { find } from '../../policies/find.js';
import { servingOf, signedUrl } from './sign-content.js';

export type OpenStream = BlobStream;

export interface OpenContent {
  fileSize: number;
  /** The digest of the content, which names it for ever. */
  digest: string;
  /** How it is served. */
  serving: Serving;
  /** Where the store serves it itself: a short-lived address that asks for no credentials. */
  url: string | undefined;
  /** Opens the bytes, or a part of them. @throws NotFound where the file is gone from the store */
  open(range?: Range): Promise<BlobStream>;
}

/** @throws NotFound, MissingPermission for a file in quarantine or, with closed scanning, one that waits for its scan */
export async function openContent(context: Context, id: number | undefined): Promise<OpenContent> {
  const attachment = await find.attachment(context, id);
  if (!attachment || attachment.status === AttachmentStatus.prepared) throw new NotFound();
  if (!can.download(context, attachment)) {
    throw new MissingPermission(
      attachment.status === AttachmentStatus.quarantined
        ? 'The file is quarantined because the virus scan found something in it.'
        : 'The file waits for its virus scan. Try again shortly.',
    );
  }
  const { fileSize, digestHash, blobKey } = attachment;
  return {
    fileSize,
    digest: digestHash,
    serving: servingOf(attachment, context.settings),
    url: await signedUrl(context, attachment),
    async open(range) {
      try {
        return await context.blobs.read(blobKey, range);
      } catch (error) {
        if (!(error instanceof BlobMissing)) throw error;
        context.log.error(
          { attachment: attachment.id },
          'the file of an attachment is missing from the blob store',
        );
        throw new NotFound();
      }
    },
  };
}
