/** Users as HAL documents. */
import type { Profile } from '../../contract/profiles.js';
import type { UserMembersFragment } from '../generated/documents.js';
import { userMembers } from '../generated/members.js';
import { paths } from './paths.js';

/** Who reads a document. */
export interface Reader {
  profile: Profile;
  context: { user: { id: number; admin: boolean; anonymous: boolean } };
}

export function representUser(reader: Reader, user: UserMembersFragment) {
  const { avatar, email, status, createdAt, updatedAt, ...names } = userMembers(user);
  return {
    ...names,
    avatar: avatar ?? '',
    email,
    // Identities at the OpenID provider are not shown.
    identityUrl: null,
    status,
    createdAt,
    updatedAt,
    ...hidden(reader, user),
    _links: { self: { href: paths.user(user.id), title: user.name } },
  };
}

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
