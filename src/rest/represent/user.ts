/** Users as HAL documents. */
import type { Profile } from '../../contract/profiles.js';
import type { UserMembersFragment } from '../generated/documents.js';
import { words } from '../documents/words.js';
import { paths } from './paths.js';

/** Who reads a document. */
export interface Reader {
  profile: Profile;
  context: { user: { id: number; admin: boolean; anonymous: boolean } };
}

export const representUser = (reader: Reader, user: UserMembersFragment) => ({
  _type: user._type,
  id: user.id,
  login: user.login,
  name: user.name,
  firstName: user.firstName,
  lastName: user.lastName,
  admin: user.admin,
  avatar: user.avatar ?? '',
  email: user.email,
  // Identities at the OpenID provider are not shown.
  identityUrl: null,
  status: words.userStatus[user.status],
  createdAt: user.createdAt,
  updatedAt: user.updatedAt,
  ...hidden(reader, user),
  _links: { self: { href: paths.user(user.id), title: user.name } },
});

/** Members that the reader does not see; JSON leaves them out. */
function hidden({ profile, context }: Reader, { id }: UserMembersFragment) {
  const { user: viewer } = context;
  if (!profile.hidesAccounts || viewer.admin) return {};
  const admin = { admin: undefined };
  if (viewer.id === id) return admin;
  return {
    ...admin,
    login: undefined,
    firstName: undefined,
    lastName: undefined,
    status: undefined,
    email: undefined,
    identityUrl: undefined,
  };
}
