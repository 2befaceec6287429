/** Creates, changes and deletes roles. */
import type { Knex } from 'knex';
import { NotFound, PropertyConstraintViolation } from '../../../contract/errors.js';
import { ANONYMOUS, NON_MEMBER, Role } from '../../../models/role.js';
import type { Permission } from '../../../policies/permissions.js';
import { nameTaken, validateName } from '../../base/validation/validate-name.js';
import { changeDirectory, type DirectoryNeeds } from './change-directory.js';

interface NewRole {
  name: string;
  permissions: readonly Permission[];
}

/** @throws PropertyConstraintViolation also if the name is taken */
export const createRole = (services: DirectoryNeeds, role: NewRole): Promise<Role> =>
  changeDirectory(services, async ({ trx, write, audit }) => {
    const name = await freeName(trx, role.name);
    await write({ roles: [{ name, permissions: role.permissions }] });
    const created = await Role.query(trx).findOne({ name }).throwIfNotFound();
    await audit({
      kind: 'ROLE_CREATED',
      subject: { type: 'Role', id: created.id, name },
      after: await contentOf(trx, created),
    });
    return created;
  });

/**
 * @param permissions replace those of now
 * @throws NotFound, PropertyConstraintViolation also for another name of a role without members
 */
export const updateRole = (
  services: DirectoryNeeds,
  id: number | undefined,
  { name: wanted, permissions }: Partial<NewRole>,
): Promise<Role> =>
  changeDirectory(services, async ({ trx, now, write, audit }) => {
    const role = await roleOf(trx, id);
    const before = await contentOf(trx, role);
    if (wanted !== undefined && wanted.trim() !== role.name) {
      demandForMembers(role, 'another name');
      const name = await freeName(trx, wanted);
      await Role.query(trx).findById(role.id).patch({ name, updatedAt: now.toISOString() });
      role.$set({ name });
    }
    const { name } = role;
    if (permissions) await write({ roles: [{ name, permissions }] });
    await audit({
      kind: 'ROLE_UPDATED',
      subject: { type: 'Role', id: role.id, name },
      before,
      after: await contentOf(trx, role),
    });
    return role;
  });

/** @throws NotFound, PropertyConstraintViolation while members have it */
export const deleteRole = (services: DirectoryNeeds, id: number | undefined): Promise<Role> =>
  changeDirectory(services, async ({ trx, audit }) => {
    const role = await roleOf(trx, id);
    demandForMembers(role, 'an end');
    const [row] = await trx('membership_roles').where({ role_id: role.id }).count('*', { as: 'n' });
    const members = Number(row?.['n']);
    if (members > 0)
      throw new PropertyConstraintViolation(
        members === 1 ? 'A member has the role.' : `${members} members have the role.`,
      );
    const before = await contentOf(trx, role);
    await Role.query(trx).deleteById(role.id);
    await audit({
      kind: 'ROLE_DELETED',
      subject: { type: 'Role', id: role.id, name: role.name },
      before,
    });
    return role;
  });

/** @throws NotFound */
async function roleOf(trx: Knex, id: number | undefined): Promise<Role> {
  const role = id === undefined ? undefined : await Role.query(trx).findById(id);
  if (!role) throw new NotFound();
  return role;
}

/** @throws PropertyConstraintViolation */
async function freeName(trx: Knex, name: string): Promise<string> {
  validateName(name);
  const trimmed = name.trim();
  if (await Role.query(trx).findOne({ name: trimmed }).select('id')) throw nameTaken();
  return trimmed;
}

/** The permissions of the other roles are found by their names. @throws PropertyConstraintViolation */
function demandForMembers({ name }: Role, what: string): void {
  if (name === NON_MEMBER || name === ANONYMOUS)
    throw new PropertyConstraintViolation(`The role ${name} cannot get ${what}.`);
}

/** As the audit shows it. */
async function contentOf(trx: Knex, { id, name }: Role): Promise<NewRole> {
  const permissions: Permission[] = await trx('role_permissions')
    .where({ role_id: id })
    .orderBy('permission')
    .pluck('permission');
  return { name, permissions };
}
