/** Memberships and roles as HAL documents. */
import type { MembershipHalFragment, RoleMembersFragment } from '../generated/documents.js';
import { membershipMembers } from '../generated/members.js';
import { attribute } from './attribute.js';
import { paths } from './paths.js';

export const representMembership = (membership: MembershipHalFragment) => {
  const { id, project, user, roles } = membership;
  return {
    ...membershipMembers(membership),
    _links: {
      self: { href: paths.membership(id), title: user.name },
      schema: { href: paths.membershipSchema },
      project: { href: paths.project(project.id), title: project.name },
      principal: { href: paths.user(user.id), title: user.name },
      roles: roles.map((role) => ({ href: paths.role(role.id), title: role.name })),
    },
  };
};

export const representRole = (role: RoleMembersFragment) => ({
  ...role,
  _links: { self: { href: paths.role(role.id), title: role.name } },
});

const readOnly = { writable: false };
const linked = { ...readOnly, location: '_links' };

/** Memberships come from the directory, so nothing of them can be written here. */
export const membershipSchema = {
  _type: 'Schema',
  _dependencies: [],
  id: attribute('Integer', 'Id', readOnly),
  createdAt: attribute('DateTime', 'Created on', readOnly),
  updatedAt: attribute('DateTime', 'Updated on', readOnly),
  project: attribute('Project', 'Project', linked),
  principal: attribute('Principal', 'Principal', linked),
  roles: attribute('[]Role', 'Roles', linked),
  _links: { self: { href: paths.membershipSchema } },
};
