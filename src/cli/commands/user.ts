/** `moorage user link --login L --subject S` */
import { parseArgs } from 'node:util';
import { linkUser } from '../../actions/people/directory/link-user.js';
import type { Run } from '../command.js';
import { UsageError } from '../exit-statuses.js';
import { print } from '../output.js';
import { withMigratedServices } from '../up-to-date.js';
import { userNamed } from '../user-named.js';

const REPLACED =
  '\nThe sessions, tokens and granted applications of the older identity ended. ' +
  'API keys stay: see `moorage token list`.';

export const userCommand: Run = async (args) => {
  const {
    values: { login, subject, json },
    positionals: [verb, ...rest],
  } = parseArgs({
    args,
    allowPositionals: true,
    options: { login: { type: 'string' }, subject: { type: 'string' }, json: { type: 'boolean' } },
  });
  if (verb !== 'link' || rest.length > 0) throw new UsageError('user takes link.');
  if (!login || !subject) throw new UsageError('user link takes --login and --subject.');
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
