/**
 * Stores the object of a picture, and gives it to a user in the place of the one before.
 *
 * A key is scheduled for removal in the transaction before its object is stored, and in the
 * transaction in which the user loses it. So no object is left over, whenever the process ends.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Services } from '../../../context.js';
import { NotFound, ServiceUnavailable } from '../../../contract/errors.js';
import { timestamps } from '../../../models/record.js';
import { User } from '../../../models/user.js';
import {
  AVATAR_KEYS,
  cancelOrphanRemoval,
  scheduleOrphanRemoval,
} from '../purge/orphaned-objects.js';
import { removePreview } from '../purge/remove-preview.js';
import type { Avatar } from './validate-avatar.js';

/** The columns of a user that describe a picture. */
export type Picture = Pick<User, 'avatarKey' | 'avatarType' | 'avatarSize' | 'avatarDigest'>;

export const NO_PICTURE: Picture = {
  avatarKey: null,
  avatarType: null,
  avatarSize: null,
  avatarDigest: null,
};

export type AvatarServices = Pick<
  Services,
  'db' | 'blobs' | 'clock' | 'log' | 'outbound' | 'forgetIdentities'
>;

/** Stores a picture that no user has yet. The cleanup removes it unless `swapAvatar` follows. */
export async function putPicture(
  services: AvatarServices,
  { bytes, contentType }: Avatar,
): Promise<Picture> {
  const avatarKey = `${AVATAR_KEYS}${randomBytes(16).toString('hex')}`;
  await scheduleOrphanRemoval(services.db.write, avatarKey, services);
  await services.blobs.put(avatarKey, whole(bytes));
  return {
    avatarKey,
    avatarType: contentType,
    avatarSize: bytes.length,
    avatarDigest: createHash('sha256').update(bytes).digest('hex'),
  };
}

async function* whole(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * Gives a user a picture, or none.
 * @param decide runs in the transaction with the locked user; the user keeps the present picture if
 *   it returns false
 * @throws NotFound, ServiceUnavailable, and what `decide` throws
 */
export async function swapAvatar(
  services: AvatarServices,
  id: number,
  picture: Picture,
  decide: (trx: Knex, user: User) => Promise<boolean>,
): Promise<User> {
  const { db, clock } = services;
  const { user, old } = await db.write.transaction(async (trx: Knex) => {
    const [locked] = await db.lockRows(User.query(trx).where({ id }));
    if (!locked) throw new NotFound();
    if (!(await decide(trx, locked))) return { user: locked, old: null };
    const { avatarKey } = picture;
    const { avatarKey: replaced } = locked;
    // After hours, the cleanup may have removed the object.
    if (avatarKey !== null && !(await cancelOrphanRemoval(trx, avatarKey)))
      throw new ServiceUnavailable('The upload took too long. Try again.');
    if (replaced !== null) await scheduleOrphanRemoval(trx, replaced, services);
    const { updatedAt } = timestamps(clock().toISOString());
    await User.query(trx)
      .patch({ ...picture, updatedAt })
      .findById(id);
    return { user: Object.assign(locked, picture, { updatedAt }), old: replaced };
  });
  services.forgetIdentities();
  if (old !== null) await removePicture(services, old);
  return user;
}

/** The cleanup removes the objects again later. */
export async function removePicture(services: AvatarServices, key: string): Promise<void> {
  try {
    await services.blobs.remove(key);
    await removePreview(services, key);
  } catch (error) {
    services.log.error(
      { err: error },
      'a replaced avatar is still stored; the cleanup tries again',
    );
  }
}
