/** What roles permit, in the graph, as administrators see and change it. */
import { Ctx, FieldResolver, ID, Query, registerEnumType, Resolver, Root } from 'type-graphql';
import {
  addRole,
  changeRole,
  removeRole,
  rolesWithoutMembers,
} from '../actions/people/administration/roles.js';
import type { Context } from '../context.js';
import { globalId, idOf } from '../contract/ids.js';
import { capitalised, constantCase } from '../contract/words.js';
import { Role } from '../models/role.js';
import { can } from '../policies/can.js';
import { permissions, type Permission } from '../policies/permissions.js';
import { idOfOne, mutation, optional } from './mutation.js';
import { ADMINS } from './schema-phrases.js';

const Permissions: { readonly [name: string]: Permission } = Object.fromEntries(
  permissions.map((permission) => [constantCase(permission), permission]),
);
registerEnumType(Permissions, {
  name: 'Permission',
  description: 'What a role permits in a project.',
  valuesConfig: Object.fromEntries(
    permissions.map((permission) => [
      constantCase(permission),
      { description: `${capitalised(permission.replaceAll('_', ' '))}.` },
    ]),
  ),
});

const NAME = 'Name of the role, unique, 1 to 255 characters.';
const INVALID = 'PROPERTY_CONSTRAINT_VIOLATION if the name is invalid or taken';
const role = { role: [Role, 'The role.'] } as const;

export const roleMutations = [
  mutation('createRole', {
    description: `Creates a role for members. Errors: ${ADMINS}; ${INVALID}.`,
    argument: 'The role.',
    about: 'A new role.',
    input: {
      name: [String, NAME],
      permissions: [[Permissions], 'What it permits.'],
    },
    payload: role,
    run: async (input, context) => ({ role: await addRole(context, input) }),
  }),

  mutation('updateRole', {
    description:
      'Changes a role, at once for all who have it. ' +
      `Errors: ${ADMINS}; NOT_FOUND; ${INVALID}, and for another name of Non member or Anonymous.`,
    argument: 'The changes.',
    about: 'Changes of a role. Omitted members stay unchanged.',
    input: {
      id: idOfOne('role'),
      name: optional(String, NAME),
      permissions: optional([Permissions], 'What it permits from now on.'),
    },
    payload: role,
    run: async ({ id, name, permissions: permitted }, context) => ({
      role: await changeRole(context, idOf('Role', id), {
        ...(typeof name === 'string' && { name }),
        ...(permitted && { permissions: permitted }),
      }),
    }),
  }),

  mutation('deleteRole', {
    description:
      `Deletes a role that no member has. Errors: ${ADMINS}; NOT_FOUND; ` +
      'PROPERTY_CONSTRAINT_VIOLATION while members have it, and for Non member and Anonymous.',
    argument: 'The role.',
    about: 'The role to delete.',
    input: { id: idOfOne('role') },
    payload: { deletedRoleId: [ID, 'Global id of the deleted role.'] },
    run: async ({ id }, context) => ({
      deletedRoleId: globalId('Role', (await removeRole(context, idOf('Role', id))).id),
    }),
  }),
];

@Resolver(() => Role)
export class RolePermissionsResolver {
  @Query(() => [Role], {
    description:
      'Returns the roles that nobody is given, which count in public projects: Non member for ' +
      `people who are not members, and Anonymous. Error: ${ADMINS}.`,
  })
  async publicRoles(@Ctx() context: Context): Promise<Role[]> {
    return rolesWithoutMembers(context);
  }

  @FieldResolver(() => [Permissions], {
    nullable: true,
    description: 'What the role permits. Only administrators can read it; null for others.',
  })
  async permissions(@Root() { id }: Role, @Ctx() context: Context): Promise<Permission[] | null> {
    return can.administer(context) ? context.loaders.rolePermissions.load(id) : null;
  }
}
