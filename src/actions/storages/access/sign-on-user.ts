/**
 * Finds who a user is at a storage with single sign-on, where no connection stores it.
 *
 * At the first request of a user, the file server makes an account. Requests that arrive at the
 * same time would fail. So it is asked once for the user's id before any other request.
 */
import type { Context } from '../../../context.js';
import { SignOnUser } from '../../../models/folder-sync.js';
import { timestamps } from '../../../models/record.js';
import { User } from '../../../models/user.js';
import type { Storage } from '../../../models/storage.js';
import { isActive } from './active-user.js';
import { personConnected } from '../../base/project-folder-queue/request-sync.js';
import { hashToken } from '../../../secrets/keys-and-tokens.js';
import type { Access } from '../../../storages/adapter.js';
import { StorageFailure } from '../../../storages/failure.js';
import { adapterFor } from '../../../storages/index.js';

/** The user's id at the storage: the remembered one, or that of `askSignOnUser`. */
export const signOnUser = async (
  context: Context,
  storage: Storage,
  access: Access,
): Promise<string> =>
  context.signOnUsers.known.peek(signOnKey(context, storage)) ??
  askSignOnUser(context, storage, access);

/**
 * Asks the storage, and remembers the answer. Concurrent requests with one token share the answer.
 * @throws StorageFailure, OutboundFailure
 */
export function askSignOnUser(context: Context, storage: Storage, access: Access): Promise<string> {
  const { known, asking } = context.signOnUsers;
  const key = signOnKey(context, storage);
  const { user } = adapterFor(storage.type);
  return asking.run(`${key} ${hashToken(access.authorization)}`, async () => {
    const start = performance.now();
    const id = await user(access).catch((error: unknown) => {
      // Another process may have asked at the same time.
      if (!isServerError(error)) throw error;
      return user(access);
    });
    known.put(key, id, start);
    await remember(context, storage, id).catch((error: unknown) =>
      context.log.warn({ err: error, storage: storage.id }, 'who a user is was not stored'),
    );
    return id;
  });
}

/** A storage that changes may be another server, and a user may get another identity. */
const signOnKey = ({ user }: Context, { id, updatedAt }: Storage): string =>
  JSON.stringify([user.id, user.identity, id, updatedAt]);

/** The file server answers with OCS status 996 while it makes the account. */
const isServerError = (error: unknown): boolean =>
  error instanceof StorageFailure && error.status === 500;

/** Stores the id: with it, the person gets the rights in the folders of projects. */
async function remember(
  { db, clock, user: { id: userId } }: Context,
  { id: storageId }: Storage,
  originUserId: string,
): Promise<void> {
  // The identity may have been linked in this request. Without one, the text is empty.
  const user = await User.query(db.read).findById(userId).select('identity');
  const identity = user?.identity ?? '';
  const stored = await SignOnUser.query(db.read).findOne({
    user_id: userId,
    storage_id: storageId,
  });
  if (stored?.originUserId === originUserId && stored.identity === identity) return;
  const now = clock();
  await db.write.transaction(async (trx) => {
    // Erased while the storage answered.
    if (!(await isActive(db, trx, userId))) return;
    await SignOnUser.query(trx)
      .insert({ userId, storageId, identity, originUserId, ...timestamps(now.toISOString()) })
      .onConflict(['user_id', 'storage_id'])
      .merge(['identity', 'origin_user_id', 'updated_at']);
    await personConnected(trx, storageId, now);
  });
}
