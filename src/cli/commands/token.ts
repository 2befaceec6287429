/** `moorage api-key create`, `list` and `revoke` */
import { createApiKey } from '../../actions/people/api-keys/create-api-key.js';
import { deleteApiKey } from '../../actions/people/api-keys/delete-api-key.js';
import { COMMAND } from '../../audit/record.js';
import { makeContext, type Services } from '../../context.js';
import { ApiKey, ApiKeyAccess } from '../../models/api-key.js';
import { User } from '../../models/user.js';
import type { Run } from '../command.js';
import { UsageError } from '../exit-statuses.js';
import { print } from '../output.js';
import { withServices } from '../services.js';
import { withMigratedServices } from '../up-to-date.js';
import { userNamed } from '../user-named.js';

interface Options {
  login?: string | undefined;
  name?: string | undefined;
  json?: boolean | undefined;
}

interface Creation extends Options {
  login: string;
  access?: string;
  days?: string;
}

export const createTokenCommand: Run<Creation> = (options) =>
  withServices((services) => create(services, options));

export const listTokensCommand: Run<{ login?: string }> = (options) =>
  withMigratedServices((services) => list(services, options));

export const revokeTokenCommand: Run<{ login?: string; name?: string }> = async (options, id) => {
  const { login, name } = options;
  if (login !== undefined && name !== undefined && id === undefined)
    return withMigratedServices(async (services) => {
      const { id: userId } = await userNamed(services, login);
      return revoke(services, options, { user_id: userId, name });
    });
  if (login === undefined && name === undefined && /^\d{1,9}$/.test(id ?? ''))
    return withMigratedServices((services) => revoke(services, options, { id: Number(id) }));
  throw new UsageError('api-key revoke takes the id of a key, or --login and --name.');
};

async function create(
  services: Services,
  { login, name, access, days, json }: Creation,
): Promise<void> {
  const user = await userNamed(services, login);
  const { apiKey, key } = await createApiKey(makeContext(services, user, { actor: COMMAND }), {
    name: name ?? `cli ${new Date().toISOString()}`,
    access: accessNamed(access),
    expiresAt: days === undefined ? undefined : endIn(days),
  });
  print(json, { id: apiKey.id, login: user.login, name: apiKey.name, key }, () => key);
}

function accessNamed(name = 'full'): `${ApiKeyAccess}` {
  const found = Object.values(ApiKeyAccess).find((access) => access === name.toLowerCase());
  if (found) return found;
  throw new UsageError('--access takes read, files or full.');
}

function endIn(days: string): string {
  if (!/^[1-9]\d{0,3}$/.test(days)) throw new UsageError('--days takes a number from 1 to 9999.');
  return new Date(Date.now() + Number(days) * 24 * 3600 * 1000).toISOString();
}

async function list(services: Services, { login, json }: Options): Promise<void> {
  const query = ApiKey.query(services.db.read)
    .join('users', 'users.id', 'api_keys.user_id')
    .select('api_keys.id', 'api_keys.name', 'api_keys.created_at', 'users.login')
    .orderBy('api_keys.id')
    .castTo<{ id: number; login: string; name: string; createdAt: string }[]>();
  if (login !== undefined) query.where('users.id', (await userNamed(services, login)).id);
  const rows = (await query).map((row) => ({
    id: row.id,
    login: row.login,
    name: row.name,
    createdAt: row.createdAt,
  }));
  print(
    json,
    rows,
    () =>
      rows.map((row) => `${row.id}\t${row.login}\t${row.name}\t${row.createdAt}`).join('\n') ||
      'There are no API keys.',
  );
}

async function revoke(
  services: Services,
  { json }: Options,
  by: { id: number } | { user_id: number; name: string },
): Promise<void> {
  const found = await ApiKey.query(services.db.read).findOne(by);
  if (!found) throw new Error('There is no such API key.');
  const owner = await User.query(services.db.read).findById(found.userId).throwIfNotFound();
  await deleteApiKey(makeContext(services, owner, { actor: COMMAND }), found.id);
  print(json, { revoked: found.id }, () => `Revoked ${found.name} of ${owner.login}.`);
}
