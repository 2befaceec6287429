/** What administrators do with roles. */
import type { Context } from '../../../context.js';
import { ANONYMOUS, NON_MEMBER, Role } from '../../../models/role.js';
import { demandAdmin } from '../../../policies/can.js';
import { createRole, deleteRole, updateRole } from '../directory/change-role.js';

/** @throws MissingPermission, PropertyConstraintViolation */
export async function addRole(
  context: Context,
  role: Parameters<typeof createRole>[1],
): Promise<Role> {
  demandAdmin(context);
  return createRole(context, role);
}

/** @throws MissingPermission, NotFound, PropertyConstraintViolation */
export async function changeRole(
  context: Context,
  id: number | undefined,
  changes: Parameters<typeof updateRole>[2],
): Promise<Role> {
  demandAdmin(context);
  return updateRole(context, id, changes);
}

/** @throws MissingPermission, NotFound, PropertyConstraintViolation */
export async function removeRole(context: Context, id: number | undefined): Promise<Role> {
  demandAdmin(context);
  return deleteRole(context, id);
}

/** They count in public projects. @throws MissingPermission */
export async function rolesWithoutMembers(context: Context): Promise<Role[]> {
  demandAdmin(context);
  return Role.query(context.db.read).whereIn('name', [NON_MEMBER, ANONYMOUS]).orderBy('id');
}
