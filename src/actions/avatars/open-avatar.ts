/** Opens the avatar of a user. */
import type { Readable } from 'node:stream';
import { BlobMissing } from '../../blobs/store.js';
import type { Context } from '../../context.js';
import { find } from '../../policies/find.js';

export interface OpenAvatar {
  contentType: string;
  content: Readable;
}

/** @returns undefined without a picture, and if the user is missing or not visible */
export async function openAvatar(
  context: Context,
  id: number | undefined,
): Promise<OpenAvatar | undefined> {
  const user = await find.user(context, id);
  if (!user?.avatarKey || !user.avatarType) return undefined;
  try {
    return {
      contentType: user.avatarType,
      content: await context.blobs.read(user.avatarKey),
    };
  } catch (error) {
    // It may have been replaced in this moment.
    if (!(error instanceof BlobMissing)) throw error;
    return undefined;
  }
}
