/** People, projects and members in the graph, as administrators change them. */
import { ID } from 'type-graphql';
import { eraseUser } from '../actions/operate/erasing/erase-user.js';
import {
  addUser,
  changePasswordOf,
  changeUser,
  userFor,
} from '../actions/people/administration/people.js';
import {
  addProject,
  changeProject,
  removeMember,
  setMember,
} from '../actions/people/administration/projects.js';
import { globalId, idOf } from '../contract/ids.js';
import { ByteCount } from '../models/byte-count.js';
import { DateTime } from '../models/date-time.js';
import { Membership } from '../models/membership.js';
import { Project } from '../models/project.js';
import { User } from '../models/user.js';
import { idsOf } from './id-lists.js';
import { idOfOne, mutation, optional } from './mutation.js';
import { ADMINS } from './schema-phrases.js';

const INVALID = 'PROPERTY_CONSTRAINT_VIOLATION for invalid input';
const NO_PERSON = 'NOT_FOUND if there is no such person';
const PASSWORD = 'A password, 1 to 1,024 characters. Without one, a link is made to set it.';

const link = {
  passwordLink: optional(
    String,
    'Address at which the person sets a password, once. It cannot be read again. Null if the ' +
      'password was given, or if the address comes by e-mail.',
  ),
  passwordLinkExpiresAt: optional(DateTime, 'When the link ends. Null without one.'),
};
const linked = ({ user, link }: Awaited<ReturnType<typeof changePasswordOf>>) => ({
  user,
  passwordLink: link?.url ?? null,
  passwordLinkExpiresAt: link?.expiresAt ?? null,
});

const person = { user: [User, 'The person.'] } as const;

export const administrationMutations = [
  mutation('createUser', {
    description:
      'Creates a person. With an address and without a password, the person is invited by ' +
      'e-mail, if this service sends e-mails. ' +
      `Errors: ${ADMINS}; ${INVALID}, and if the login is taken. ` +
      'INVALID_QUERY for the third with a password in one document.',
    argument: 'The person.',
    about: 'A new person.',
    input: {
      login: [String, 'Sign-in name, unique, 1 to 255 characters. It cannot be changed.'],
      firstName: [String, 'First name, 1 to 255 characters.'],
      lastName: optional(String, 'Last name, at most 255 characters.'),
      email: optional(String, 'E-mail address, at most 255 characters.'),
      admin: optional(Boolean, 'Whether the person is an administrator. Default: false.'),
      password: optional(String, PASSWORD),
    },
    payload: {
      ...person,
      ...link,
      invited: [Boolean, 'Whether the person gets an e-mail with an address to set a password.'],
    },
    run: async ({ lastName, email, admin, password, ...names }, context) => {
      const made = await addUser(context, {
        ...names,
        lastName: lastName ?? '',
        email: email ?? undefined,
        admin: admin ?? undefined,
        password: password ?? undefined,
      });
      return { ...linked(made), invited: made.isInvited };
    },
  }),

  mutation('updateUser', {
    description:
      `Changes a person. Errors: ${ADMINS}; ${NO_PERSON}; ${INVALID}, and if no administrator ` +
      'would be left.',
    argument: 'The changes.',
    about: 'Changes of a person. Omitted members stay unchanged.',
    input: {
      id: idOfOne('person'),
      firstName: optional(String, 'First name, 1 to 255 characters.'),
      lastName: optional(String, 'Last name, at most 255 characters.'),
      email: optional(String, 'E-mail address, at most 255 characters. Null removes it.'),
      admin: optional(Boolean, 'Whether the person is an administrator.'),
    },
    payload: person,
    run: async ({ id, firstName, lastName, email, admin }, context) => ({
      user: await changeUser(context, idOf('User', id), {
        ...(typeof firstName === 'string' && { firstName }),
        ...(typeof lastName === 'string' && { lastName }),
        ...(email !== undefined && { email }),
        ...(typeof admin === 'boolean' && { admin }),
      }),
    }),
  }),

  mutation('lockUser', {
    description:
      'Locks a person: sessions and tokens end, and API keys pause, in every process. ' +
      `Errors: ${ADMINS}; ${NO_PERSON}; PROPERTY_CONSTRAINT_VIOLATION if no administrator would ` +
      'be left.',
    argument: 'The person.',
    about: 'The person to lock.',
    input: { id: idOfOne('person') },
    payload: person,
    run: async ({ id }, context) => ({
      user: await changeUser(context, idOf('User', id), { status: 'locked' }),
    }),
  }),

  mutation('unlockUser', {
    description: `Takes the lock of a person back. Errors: ${ADMINS}; ${NO_PERSON}.`,
    argument: 'The person.',
    about: 'The person to unlock.',
    input: { id: idOfOne('person') },
    payload: person,
    run: async ({ id }, context) => ({
      user: await changeUser(context, idOf('User', id), { status: 'active' }),
    }),
  }),

  mutation('eraseUser', {
    description:
      'Erases a person, which cannot be undone: name, login, e-mail address, picture, sessions, API ' +
      'keys, applications, connections and memberships go, also in the audit. Files, comments and ' +
      `history stay, under "Deleted user". Errors: ${ADMINS}; ${NO_PERSON}; ` +
      'PROPERTY_CONSTRAINT_VIOLATION for oneself, and if no administrator would be left.',
    argument: 'The person.',
    about: 'The person to erase.',
    input: { id: idOfOne('person') },
    payload: person,
    run: async ({ id }, context) => ({
      user: await eraseUser(context, (await userFor(context, idOf('User', id))).id),
    }),
  }),

  mutation('setUserPassword', {
    description:
      'Gives a person another password, or makes a link with which the person sets one. ' +
      'Sessions, tokens and grants of applications end with the present password. ' +
      `Errors: ${ADMINS}; ${NO_PERSON}; ${INVALID}, and for a link of a locked person. ` +
      'INVALID_QUERY for the third with a password in one document.',
    argument: 'The person.',
    about: 'The person that gets another password.',
    input: { id: idOfOne('person'), password: optional(String, PASSWORD) },
    payload: { ...person, ...link },
    run: async ({ id, password }, context) =>
      linked(await changePasswordOf(context, idOf('User', id), password ?? undefined)),
  }),

  mutation('createProject', {
    description: `Creates a project. Errors: ${ADMINS}; ${INVALID}, and if the identifier is taken.`,
    argument: 'The project.',
    about: 'A new project.',
    input: {
      identifier: [String, 'Short name, unique, 1 to 255 characters. It cannot be changed.'],
      name: [String, 'Full name, 1 to 255 characters.'],
      public: optional(Boolean, 'Whether people who are not members can view it. Default: false.'),
    },
    payload: { project: [Project, 'The new project.'] },
    run: async ({ public: isPublic, ...names }, context) => ({
      project: await addProject(context, { ...names, public: isPublic ?? undefined }),
    }),
  }),

  mutation('updateProject', {
    description: `Changes a project. Errors: ${ADMINS}; NOT_FOUND if it is missing; ${INVALID}.`,
    argument: 'The changes.',
    about: 'Changes of a project. Omitted members stay unchanged.',
    input: {
      id: idOfOne('project'),
      name: optional(String, 'Full name, 1 to 255 characters.'),
      public: optional(Boolean, 'Whether people who are not members can view it.'),
      active: optional(Boolean, 'Whether people still work on it. False archives it.'),
      storageQuota: optional(
        ByteCount,
        'The most bytes that the files of the project may have together. Null: no limit. Files ' +
          'that are there stay, also above it.',
      ),
    },
    payload: { project: [Project, 'The changed project.'] },
    run: async ({ id, name, public: isPublic, active, storageQuota }, context) => ({
      project: await changeProject(context, idOf('Project', id), {
        ...(typeof name === 'string' && { name }),
        ...(typeof isPublic === 'boolean' && { public: isPublic }),
        ...(typeof active === 'boolean' && { active }),
        storageQuota,
      }),
    }),
  }),

  mutation('setMembership', {
    description:
      'Gives a person exactly these roles in a project, and makes the person a member. ' +
      `Errors: ${ADMINS}; NOT_FOUND if the project or the person is missing; ` +
      'PROPERTY_CONSTRAINT_VIOLATION without a role, and for one that is missing.',
    argument: 'The member.',
    about: 'The roles of a member.',
    input: {
      projectId: idOfOne('project'),
      userId: idOfOne('person'),
      roleIds: [[ID], 'Global ids or integer ids of the roles, at least one.'],
    },
    payload: { membership: [Membership, 'The membership.'] },
    run: async ({ projectId, userId, roleIds }, context) => ({
      membership: await setMember(context, {
        projectId: idOf('Project', projectId),
        userId: idOf('User', userId),
        roleIds: idsOf('Role', roleIds) ?? [],
      }),
    }),
  }),

  mutation('removeMembership', {
    description:
      'Removes a person from a project. ' +
      `Errors: ${ADMINS}; NOT_FOUND if the person is no member of the project.`,
    argument: 'The member.',
    about: 'The member to remove.',
    input: { projectId: idOfOne('project'), userId: idOfOne('person') },
    payload: {
      removedMembershipId: [ID, 'Global id of the membership that was removed.'],
      project: [Project, 'The project.'],
    },
    run: async ({ projectId, userId }, context) => {
      const { membership, project } = await removeMember(context, {
        projectId: idOf('Project', projectId),
        userId: idOf('User', userId),
      });
      return { removedMembershipId: globalId('Membership', membership.id), project };
    },
  }),
];
