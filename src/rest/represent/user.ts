/** Users as HAL documents. */
import type { UserMembersFragment } from '../documents/index.js';
import { paths } from './paths.js';

export const representUser = (user: UserMembersFragment) => ({
  ...user,
  _links: { self: { href: paths.user(user.id), title: user.name } },
});
