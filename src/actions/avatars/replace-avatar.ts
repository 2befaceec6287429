/**
 * Gives a user another avatar, or none.
 *
 * A key is scheduled for removal in the transaction before its object is stored, and in the
 * transaction in which the user loses it. So no object is left over, whenever the process ends.
 */
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Context } from '../../context.js';
import { NotFound, ServiceUnavailable } from '../../contract/errors.js';
import { timestamps } from '../../models/record.js';
import { User } from '../../models/user.js';
import { can, demand } from '../../policies/can.js';
import { find } from '../../policies/find.js';
import type { IncomingFile } from '../../http/incoming-file.js';
import {
  AVATAR_KEYS,
  cancelOrphanRemoval,
  scheduleOrphanRemoval,
} from '../cleanup/orphaned-objects.js';
import { readAvatar, type Avatar } from './validate-avatar.js';

/** @throws NotFound, MissingPermission, PropertyConstraintViolation, InvalidRequestBody, Overloaded */
export const setAvatar = (
  context: Context,
  id: number | undefined,
  file: IncomingFile,
): Promise<User> => context.finishing(store(context, id, file));

async function store(context: Context, id: number | undefined, file: IncomingFile): Promise<User> {
  const user = await permitted(context, id);
  // After the permission check: users without permission use no slot.
  const releaseSlot = context.uploads.acquire(context.caller);
  context.waits(true);
  try {
    const { bytes, contentType } = await readAvatar(file);
    const avatarKey = `${AVATAR_KEYS}${randomBytes(16).toString('hex')}`;
    await scheduleOrphanRemoval(context.db.write, avatarKey, context);
    await context.blobs.put(avatarKey, whole(bytes));
    return await replace(context, user, { avatarKey, avatarType: contentType });
  } finally {
    releaseSlot();
  }
}

async function* whole(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** @throws NotFound, MissingPermission */
export async function removeAvatar(context: Context, id: number | undefined): Promise<User> {
  const user = await permitted(context, id);
  return replace(context, user, { avatarKey: null, avatarType: null });
}

const permitted = async (context: Context, id: number | undefined): Promise<User> =>
  demand(await find.user(context, id), (user) => can.changeAvatar(context, user));

interface Columns {
  avatarKey: string | null;
  avatarType: Avatar['contentType'] | null;
}

async function replace(context: Context, { id }: User, columns: Columns): Promise<User> {
  const { db, clock } = context;
  const { user, old } = await db.write.transaction(async (trx: Knex) => {
    const [locked] = await db.lockRows(User.query(trx).where({ id }));
    if (!locked) throw new NotFound();
    const { avatarKey } = columns;
    const { avatarKey: replaced } = locked;
    // After hours, the cleanup may have removed the object.
    if (avatarKey !== null && !(await cancelOrphanRemoval(trx, avatarKey)))
      throw new ServiceUnavailable('The upload took too long. Try again.');
    if (replaced !== null) await scheduleOrphanRemoval(trx, replaced, context);
    const { updatedAt } = timestamps(clock().toISOString());
    await User.query(trx)
      .patch({ ...columns, updatedAt })
      .findById(id);
    return { user: Object.assign(locked, columns, { updatedAt }), old: replaced };
  });
  context.forgetIdentities();
  if (old !== null) await removeAtOnce(context, old);
  return user;
}

/** The cleanup removes the object again later. */
async function removeAtOnce({ blobs, log }: Context, key: string): Promise<void> {
  try {
    await blobs.remove(key);
  } catch (error) {
    log.error({ err: error }, 'a replaced avatar is still stored; the cleanup tries again');
  }
}
