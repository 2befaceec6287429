/** Erases a person. Files, comments and history stay, and are those of "Deleted user". */
import type { Knex } from 'knex';
import { AuditEvent } from '../../../models/audit-event.js';
import { ApiKey } from '../../../models/api-key.js';
import { NotFound, PropertyConstraintViolation } from '../../../contract/errors.js';
import { ERASED_LOGIN, User } from '../../../models/user.js';
import { changeDirectory, type DirectoryNeeds } from '../../people/directory/change-directory.js';
import { endAccess } from '../../people/directory/end-access.js';
import { demandAdministrator } from '../../people/directory/update-user.js';
import { NO_PICTURE, removePicture, type AvatarServices } from '../../files/avatars/swap-avatar.js';
import { scheduleOrphanRemoval } from '../../files/purge/orphaned-objects.js';

/** Tables whose rows say something of the person by `user_id`, and nothing of anybody else. */
const OWN = [
  'storage_tokens',
  'sign_on_users',
  'directory_avatars',
  'notifications',
  'mails',
  'memberships',
] as const;

/**
 * One transaction: a person is erased or is as before. Only the object of the picture is removed
 * after it; the cleanup does it if the process ends before.
 * @throws NotFound, PropertyConstraintViolation for oneself, and if no administrator would be left
 */
export async function eraseUser(
  services: DirectoryNeeds & AvatarServices,
  id: number,
): Promise<User> {
  const { erased, picture } = await changeDirectory(services, async ({ trx, now, audit }) => {
    const [user] = await services.db.lockRows(User.query(trx).where({ id }));
    if (!user || user.erasedAt !== null) throw new NotFound();
    if (services.actor.userId === id)
      throw new PropertyConstraintViolation('You cannot erase yourself.');
    const at = now.toISOString();
    await User.query(trx).findById(id).patch(nobody(user, at));
    if (user.admin) await demandAdministrator(trx);
    await endAccess(trx, [id]);
    await revokeKeys(trx, id, at);
    for (const table of OWN) await trx(table).delete().where({ user_id: id });
    await clearAudit(trx, id);
    if (user.avatarKey !== null) await scheduleOrphanRemoval(trx, user.avatarKey, services);
    await audit({ kind: 'USER_ERASED', subject: { type: 'User', id } });
    return {
      erased: await User.query(trx).findById(id).throwIfNotFound(),
      picture: user.avatarKey,
    };
  });
  if (picture !== null) await removePicture(services, picture);
  return erased;
}

const nobody = ({ id }: User, at: string): Partial<User> => {
  const names = { login: `${ERASED_LOGIN}${id}`, firstName: 'Deleted', lastName: 'user' };
  return {
    ...names,
    ...NO_PICTURE,
    searchText: User.searchTextOf(names),
    email: null,
    admin: false,
    status: 'locked',
    passwordHash: null,
    identity: null,
    language: null,
    erasedAt: at,
    updatedAt: at,
  };
};

/** No import restores them. */
async function revokeKeys(trx: Knex, userId: number, at: string): Promise<void> {
  const keys = await ApiKey.query(trx).where({ user_id: userId });
  await ApiKey.query(trx).delete().where({ user_id: userId });
  for (const { keyHash } of keys)
    await trx('revoked_api_keys')
      .insert({ key_hash: keyHash, created_at: at })
      .onConflict('key_hash')
      .ignore();
}

/** What the entries say of the person goes: names, and addresses from which the person acted. */
async function clearAudit(trx: Knex, id: number): Promise<void> {
  const about = () => AuditEvent.query(trx).where({ subject_type: 'User', subject_id: id });
  await about().whereNotNull('personal').patch({ personal: null });
  await about().whereNull('actor_id').whereNotNull('address').patch({ address: null });
  await AuditEvent.query(trx)
    .where({ actor_id: id })
    .whereNotNull('address')
    .patch({ address: null });
}
