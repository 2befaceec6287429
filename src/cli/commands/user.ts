/** `moorage user link --login L --subject S` */
import { linkUser } from '../../actions/people/directory/link-user.js';
import type { Run } from '../command.js';
import { print } from '../output.js';
import { withMigratedServices } from '../up-to-date.js';
import { userNamed } from '../user-named.js';

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
    const replaced = await linkUser(services, user, { issuer, subject });
    print(
      json,
      { login, issuer, subject, replaced },
      () => `Linked ${login} to ${subject} at ${issuer}.${replaced ? REPLACED : ''}`,
    );
  });
};
