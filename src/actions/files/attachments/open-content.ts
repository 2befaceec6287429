/** Opens the content of an attachment for download. */
import { BlobMissing, type Range, type Serving, type Slices } from '../../../blobs/store.js';
import type { Context } from '../../../context.js';
import { MissingPermission, NotFound } from '../../../contract/errors.js';
import { AttachmentStatus, type Attachment } from '../../../models/attachment.js';
import { can } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { servingOf, signedUrl, type Asked } from './sign-content.js';

export interface OpenContent {
  fileSize: number;
  /** Digest of the content in hexadecimal. The content never changes. */
  digest: string;
  /** Response headers for the content. */
  serving: Serving;
  /** Short-lived URL at the store that needs no credentials; undefined if the service streams. */
  url: string | undefined;
  /**
   * Opens a range of the bytes.
   * @throws NotFound if the object is missing in the store
   */
  open(range: Range): Promise<Slices>;
}

/**
 * @throws NotFound
 * @throws MissingPermission for a quarantined file, and for a file that waits for its scan while
 * `SCAN_POLICY` is `closed`
 */
export async function openContent(
  context: Context,
  id: number | undefined,
  { disposition, method }: Asked = {},
): Promise<OpenContent> {
  const attachment = await find.attachment(context, id);
  if (!attachment || attachment.status === AttachmentStatus.PREPARED) throw new NotFound();
  if (!can.download(context, attachment)) {
    throw new MissingPermission(whyRefused(attachment));
  }
  const { fileSize, digestHash, blobKey } = attachment;
  return {
    fileSize,
    digest: digestHash,
    serving: servingOf(attachment, context.settings, disposition),
    url: await signedUrl(context, attachment, { disposition, method }),
    async open(range) {
      try {
        if (!context.blobs.slices) throw new Error('Clients read at this store themselves.');
        return await context.blobs.slices(blobKey, range);
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

/** The sentence for a file that nobody may download now. */
export function whyRefused({ status, scanNote }: Attachment): string {
  if (status === AttachmentStatus.QUARANTINED)
    return 'The file is quarantined because the virus scan found something in it.';
  return scanNote === null
    ? 'The file waits for its virus scan. Try again shortly.'
    : 'The virus scan could not read the file. An administrator sees the reason.';
}
