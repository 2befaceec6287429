/** Memberships and roles as HAL documents. */
import {
  membershipMembers,
  type MembershipHalFragment,
  type RoleMembersFragment,
} from '../documents/index.js';
import { paths } from './paths.js';

export const representMembership = (membership: MembershipHalFragment) => {
  const { id, project, user, roles } = membership;
  return {
    ...membershipMembers(membership),
    _links: {
      self: { href: paths.membership(id), title: user.name },
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
