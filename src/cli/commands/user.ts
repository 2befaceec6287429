/** `moorage user create`, `list`, `lock`, `unlock`, `erase`, `password` and `link` */
import { text } from 'node:stream/consumers';
import { eraseUser } from '../../actions/operate/erasing/erase-user.js';
import { createUser } from '../../actions/people/directory/create-user.js';
import { linkToPassword, updateUser } from '../../actions/people/directory/update-user.js';
import { linkUser } from '../../actions/people/directory/link-user.js';
import { readConfig } from '../../config.js';
import { RESERVED_LOGINS, User, UserStatus } from '../../models/user.js';
import type { Run } from '../command.js';
import { print } from '../output.js';
import { addressOf } from '../own-address.js';
import { byCommand, withServices } from '../services.js';
import { withMigratedServices } from '../up-to-date.js';
import { userNamed } from '../user-named.js';

interface NewPerson {
  firstName?: string;
  lastName?: string;
  email?: string;
  admin?: true;
  passwordStdin?: true;
}

export const createUserCommand: Run<NewPerson> = async (
  { firstName, lastName = '', email, admin, passwordStdin, json },
  login = '',
) => {
  const password = await passwordFrom(passwordStdin);
  const person = { login, firstName: firstName ?? login, lastName, email, admin, password };
  // Nobody is made if their link could not be printed.
  if (password === undefined) linkFor('');
  await withServices(async (services) => {
    const { id, link } = await createUser(byCommand(services), person);
    printLink(json, { id, login: login.trim() }, link);
  });
};

export const listUsersCommand: Run = ({ json }) =>
  withMigratedServices(async ({ db }) => {
    const users = await User.query(db.read)
      .whereNotIn('login', [...RESERVED_LOGINS])
      .orderBy('login');
    const rows = users.map(({ id, login, firstName, lastName, email, admin, status }) => ({
      id,
      login,
      firstName,
      lastName,
      email,
      admin,
      status,
    }));
    print(
      json,
      rows,
      () =>
        users
          .map(({ id, login, name, email, admin, status }) =>
            [id, login, name, email ?? '', admin ? 'administrator' : '', status].join('\t'),
          )
          .join('\n') || 'There is nobody.',
    );
  });

const statusCommand =
  (status: `${UserStatus}`, done: string): Run =>
  ({ json }, login = '') =>
    withMigratedServices(async (services) => {
      const user = await userNamed(services, login);
      await updateUser(byCommand(services), user, { status });
      print(json, { id: user.id, login, status }, () => `${login} ${done}`);
    });

export const lockUserCommand = statusCommand(
  UserStatus.LOCKED,
  'is locked. Sessions and tokens ended.',
);
export const unlockUserCommand = statusCommand(UserStatus.ACTIVE, 'is active.');

export const eraseUserCommand: Run = ({ json }, login = '') =>
  withMigratedServices(async (services) => {
    const { id } = await userNamed(services, login);
    const erased = await eraseUser(byCommand(services), id);
    print(json, { id, login: erased.login }, () => `${login} is erased: now ${erased.login}.`);
  });

export const userPasswordCommand: Run<{ passwordStdin?: true }> = async (
  { passwordStdin, json },
  login = '',
) => {
  const password = await passwordFrom(passwordStdin);
  await withMigratedServices(async (services) => {
    const user = await userNamed(services, login);
    if (password === undefined) {
      linkFor('');
      return printLink(
        json,
        { id: user.id, login },
        await linkToPassword(byCommand(services), user),
      );
    }
    await updateUser(byCommand(services), user, { password });
    print(json, { id: user.id, login }, () => `${login} has the new password.`);
  });
};

/** Standard input without the end of its line, where it is asked for. */
const passwordFrom = async (isAsked: true | undefined): Promise<string | undefined> =>
  isAsked && (await text(process.stdin)).replace(/\r?\n$/, '');

const linkFor = (path: string): string => addressOf(readConfig(process.env), path);

function printLink(
  json: true | undefined,
  user: { id: number; login: string },
  link: { path: string; expiresAt: string } | undefined,
): void {
  const passwordLink = link && { url: linkFor(link.path), expiresAt: link.expiresAt };
  print(json, { ...user, ...(passwordLink && { passwordLink }) }, () =>
    passwordLink
      ? `${user.login} can set a password, once and until ${passwordLink.expiresAt}:\n${passwordLink.url}`
      : `Created ${user.login} (${user.id}).`,
  );
}

const REPLACED =
  '\nThe sessions, tokens and granted applications of the older identity ended. ' +
  'API keys stay: see `moorage api-key list`.';

interface Identity {
  login: string;
  subject: string;
}

export const linkUserCommand: Run<Identity> = async ({ login, subject, json }) => {
  await withMigratedServices(async (services) => {
    const { openId } = services;
    if (!openId) throw new Error('Set OIDC_ISSUER: the identity belongs to that provider.');
    const user = await userNamed(services, login);
    const issuer = await openId.issuer();
    const replaced = await linkUser(byCommand(services), user, { issuer, subject });
    print(
      json,
      { login, issuer, subject, replaced },
      () => `Linked ${login} to ${subject} at ${issuer}.${replaced ? REPLACED : ''}`,
    );
  });
};
