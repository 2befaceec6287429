/** Opens an object of the preview of an attachment, or of the picture of a person. */
import type { Readable } from 'node:stream';
import { BlobMissing } from '../../../blobs/store.js';
import type { Context } from '../../../context.js';
import { MissingPermission, NotFound } from '../../../contract/errors.js';
import { AttachmentStatus } from '../../../models/attachment.js';
import { Preview, previewKey, type PreviewObject } from '../../../models/preview.js';
import { can } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { whyRefused } from '../attachments/open-content.js';

interface OpenPreview extends PreviewObject {
  /** @throws NotFound if the object is missing in the store */
  read(): Promise<Readable>;
}

/**
 * @param named name and digest of the object
 * @throws NotFound, and MissingPermission for a file whose content the caller may not download
 */
export async function openPreview(
  context: Context,
  id: number | undefined,
  named: string,
): Promise<OpenPreview> {
  const attachment = await find.attachment(context, id);
  if (!attachment || attachment.status === AttachmentStatus.PREPARED) throw new NotFound();
  if (!can.download(context, attachment)) throw new MissingPermission(whyRefused(attachment));
  return open(context, attachment.blobKey, named);
}

/**
 * The same for the picture of a person.
 * @throws NotFound
 */
export async function openPicture(
  context: Context,
  id: number | undefined,
  named: string,
): Promise<OpenPreview> {
  const user = await find.user(context, id);
  if (!user?.avatarKey) throw new NotFound();
  return open(context, user.avatarKey, named);
}

async function open(context: Context, blobKey: string, named: string): Promise<OpenPreview> {
  const row = await Preview.query(context.db.read).findOne({ blob_key: blobKey, state: 'ready' });
  const object = row?.objects.find(({ name, digest }) => `${name}-${digest}` === named);
  if (!object) throw new NotFound();
  return {
    ...object,
    async read() {
      try {
        return await context.blobs.read(previewKey(blobKey, object.name));
      } catch (error) {
        if (error instanceof BlobMissing) throw new NotFound();
        throw error;
      }
    },
  };
}
