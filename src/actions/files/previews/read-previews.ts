/** Reads the previews of attachments, and lets those be made that are missing. */
import DataLoader from 'dataloader';
import type { Context } from '../../../context.js';
import { MAX_BATCH } from '../../../database/batches.js';
import { AttachmentStatus, type Attachment } from '../../../models/attachment.js';
import {
  Preview,
  PreviewState,
  type PreviewObject,
  type ThumbnailSize,
} from '../../../models/preview.js';
import { User } from '../../../models/user.js';
import { can } from '../../../policies/can.js';
import { hasPassed, pictureOf, queuePreviews, type Drawable } from './preview-queue.js';

interface Wanted extends Drawable {
  /** Whether it may be drawn. */
  passed: boolean;
}

const loader = (context: Context) =>
  new DataLoader<Wanted, Preview | undefined, string>(
    async (files) => {
      const { db } = context;
      const keys = files.map(({ blobKey }) => blobKey);
      const rows = await Preview.query(db.read).whereRaw(db.phrases.isOneOf('previews.blob_key'), [
        db.phrases.listOf(keys) as never,
      ]);
      const found = new Map(rows.map((row) => [row.blobKey, row]));
      await demand(
        context,
        files.filter(({ blobKey, passed }) => passed && !found.has(blobKey)),
      );
      return keys.map((key) => found.get(key));
    },
    { cacheKeyFn: ({ blobKey }) => blobKey, maxBatchSize: MAX_BATCH },
  );

/** Files from before, and pictures of people, are drawn when somebody asks first. */
async function demand(context: Context, files: readonly Wanted[]): Promise<void> {
  if (files.length === 0) return;
  try {
    await queuePreviews(
      context.db.write,
      files.map(({ blobKey }) => blobKey),
      context,
    );
    context.wake();
  } catch (error) {
    // The next one who asks does it.
    context.log.warn({ err: error }, 'previews were not queued');
  }
}

/** The preview of a file that this service can draw. */
async function rowOf(
  context: Context,
  file: Drawable,
  passed: boolean,
): Promise<Preview | undefined> {
  await context.drawer.tools();
  const { blobKey, contentType, fileSize } = file;
  return context.drawer.draws(file)
    ? context.once(loader).load({ blobKey, contentType, fileSize, passed })
    : undefined;
}

const isHidden = ({ status }: Attachment): boolean =>
  status === AttachmentStatus.PREPARED || status === AttachmentStatus.QUARANTINED;

export async function previewState(
  context: Context,
  attachment: Attachment,
): Promise<PreviewState> {
  if (!context.drawer.isOn || isHidden(attachment)) return PreviewState.NONE;
  const row = await rowOf(context, attachment, hasPassed(context, attachment));
  if (row) return row.state as PreviewState;
  return context.drawer.draws(attachment) ? PreviewState.PENDING : PreviewState.NONE;
}

/** A complete preview of a file that the caller may download. */
export async function readyPreview(
  context: Context,
  attachment: Attachment,
): Promise<Preview | undefined> {
  if (!context.drawer.isOn || isHidden(attachment) || !can.download(context, attachment))
    return undefined;
  const row = await rowOf(context, attachment, hasPassed(context, attachment));
  return row?.state === 'ready' ? row : undefined;
}

/** The complete preview of the picture of a person whom the caller sees. */
export async function readyPicture(context: Context, user: User): Promise<Preview | undefined> {
  const picture = pictureOf(user);
  if (!context.drawer.isOn || !picture) return undefined;
  const row = await rowOf(context, picture, true);
  return row?.state === 'ready' ? row : undefined;
}

const bySize = ['large', 'medium', 'small'];

/** A small picture is there once: where a larger one would be the same, the smaller one stands. */
export const thumbnailOf = (
  { objects }: Preview,
  size: `${ThumbnailSize}`,
): PreviewObject | undefined =>
  bySize
    .slice(bySize.indexOf(size))
    .flatMap((name) => objects.find((object) => object.name === name) ?? [])[0];

/** Where an object of a preview is read. */
export const addressOf = (
  { base }: Context,
  of: Attachment | User,
  { name, digest }: PreviewObject,
): string => `${base.url}/previews/${of instanceof User ? 'users/' : ''}${of.id}/${name}-${digest}`;
