/** Addresses of contents that need no credentials for some minutes. */
import type { Context } from '../../../context.js';
import type { Attachment } from '../../../models/attachment.js';
import type { ContentDisposition, TemporaryAddress } from '../../../models/temporary-address.js';
import { can } from '../../../policies/can.js';
import { signedUrl } from './sign-content.js';
import { expiryOf, temporaryAddress, type Target } from './temporary-address.js';

export const contentOf = (id: number): Target => ({ what: 'file', of: `attachment ${id}` });

/**
 * An address at the object store if the content is there, and at this service otherwise.
 * @returns null if the caller may not download it
 */
export async function contentAddress(
  context: Context,
  attachment: Attachment,
  disposition: ContentDisposition,
): Promise<TemporaryAddress | null> {
  if (!can.download(context, attachment)) return null;
  const { id } = attachment;
  const expiresAt = expiryOf(context).toISOString();
  const href = await signedUrl(context, attachment, { disposition });
  return href === undefined
    ? temporaryAddress(context, `/attachments/${id}/content`, contentOf(id), { disposition })
    : { href, expiresAt };
}
