import type { UserHalFragment } from '../documents/index.js';
import { paths } from './paths.js';

export const representUser = (user: UserHalFragment) => ({
  ...user,
  _links: { self: { href: paths.user(user.id), title: user.name } },
});
