/** Opens the avatar of a user. */
import { createHash } from 'node:crypto';
import { BlobMissing } from '../../../blobs/store.js';
import type { Context } from '../../../context.js';
import { find } from '../../../policies/find.js';
import type { Target } from '../attachments/temporary-address.js';

interface OpenAvatar {
  contentType: string;
  /** SHA-256 in hexadecimal. */
  digest: string;
  /** Reads the whole picture: half a megabyte at most. @returns undefined if it was just replaced */
  read(): Promise<Buffer | undefined>;
}

/** What an address of the picture is for. */
export const pictureOf = (id: number): Target => ({ what: 'picture', of: `user ${id}` });

/** @returns undefined without a picture, and if the user is missing or not visible */
export async function openAvatar(
  context: Context,
  id: number | undefined,
): Promise<OpenAvatar | undefined> {
  const user = await find.user(context, id);
  if (!user?.avatarKey || !user.avatarType) return undefined;
  const { avatarKey, avatarType: contentType, avatarDigest: digest } = user;
  if (digest !== null) return { contentType, digest, read: () => readWhole(context, avatarKey) };
  // An older version stored no digest.
  const bytes = await readWhole(context, avatarKey);
  return (
    bytes && {
      contentType,
      digest: createHash('sha256').update(bytes).digest('hex'),
      read: () => Promise.resolve(bytes),
    }
  );
}

async function readWhole({ blobs }: Context, key: string): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of await blobs.read(key)) chunks.push(chunk as Buffer);
  } catch (error) {
    if (!(error instanceof BlobMissing)) throw error;
    return undefined;
  }
  return Buffer.concat(chunks);
}
