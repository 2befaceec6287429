/** `moorage token create --login L [--name N]`, `token list`, `token revoke --login L --name N` */
import { parseArgs } from 'node:util';
import { createApiKey } from '../actions/create-api-key.js';
import { deleteApiKey } from '../actions/delete-api-key.js';
import { makeContext } from '../context.js';
import { ApiKey } from '../models/api-key.js';
import { User } from '../models/user.js';
import type { Command } from './commands.js';
import { withServices } from './services.js';
import { print, UsageError } from './usage.js';

export const tokenCommand: Command = {
  summary: 'manage API keys   create --login L [--name N] | list [--login L] | revoke (ID | --login L --name N)',
  async run(args) {
    const { values, positionals: [verb, id, ...rest] } = parseArgs({ args, allowPositionals: true, options: { login: { type: 'string' }, name: { type: 'string' }, json: { type: 'boolean' } } });
    if (rest.length > 0 || !['create', 'list', 'revoke'].includes(verb ?? '')) throw new UsageError('token takes create, list or revoke.');
    await withServices(async (services) => {
      const userNamed = async (login: string | undefined) => {
        if (!login) throw new UsageError('Name the user with --login.');
        const user = await User.query(services.db.read).findOne({ login, anonymous: false });
        if (!user) throw new Error(`There is no user with the login ${JSON.stringify(login)}.`);
        return user;
      };
      if (verb === 'create') {
        const user = await userNamed(values.login);
        const { apiKey, key } = await createApiKey(makeContext(services, user), values.name ?? `cli ${new Date().toISOString()}`);
        print(values.json, { id: apiKey.id, login: user.login, name: apiKey.name, key }, () => key);
      } else if (verb === 'list') {
        const query = ApiKey.query(services.db.read).join('users', 'users.id', 'api_keys.user_id').select('api_keys.id', 'api_keys.name', 'api_keys.created_at', 'users.login').orderBy('api_keys.id');
        const rows = (await (values.login ? query.where('users.login', values.login) : query) as unknown as { id: number; login: string; name: string; createdAt: string }[])
          .map(({ id: rowId, login, name, createdAt }) => ({ id: rowId, login, name, createdAt }));
        print(values.json, rows, () => rows.map((row) => `${row.id}\t${row.login}\t${row.name}\t${row.createdAt}`).join('\n'));
      } else {
        const found = id ? await ApiKey.query(services.db.read).findById(Number(id) || 0) : await ApiKey.query(services.db.read).findOne({ user_id: (await userNamed(values.login)).id, name: values.name ?? '' });
        if (!found) throw new Error('There is no such API key.');
        const owner = await User.query(services.db.read).findById(found.userId).throwIfNotFound();
        await deleteApiKey(makeContext(services, owner), found.id);
        print(values.json, { revoked: found.id }, () => `Revoked ${found.name} of ${owner.login}.`);
      }
    });
  },
};
