/** Loads a small demo directory into an empty database. */
import type { Services } from '../../../context.js';
import { demoPeople } from '../../../contract/demo-people.js';
import { ApiKey } from '../../../models/api-key.js';
import { User } from '../../../models/user.js';
import { generateKey, hashKey } from '../../../secrets/keys-and-tokens.js';
import { hasPeople, importJson, lockDirectory, newDirectory } from './new-directory.js';

/** API keys by login. */
export interface DemoKeys {
  [login: string]: string;
}

/** Stores the demo users' keys between starts. The database has only their hashes. */
export interface KeyFile {
  read(): Promise<DemoKeys>;
  write(keys: DemoKeys): Promise<void>;
}

/**
 * Loads nothing if the database has users already.
 * @returns the new or stored keys of the demo users that work
 */
export async function loadDemo(
  services: Pick<Services, 'db' | 'clock' | 'forgetIdentities'>,
  keyFile: KeyFile,
): Promise<DemoKeys> {
  const keys = await services.db.write.transaction(async (trx) => {
    // Processes that start at the same time on an empty database wait here. The first one loads.
    await lockDirectory(services, trx);
    if (await hasPeople(trx)) return undefined;
    const newKeys = Object.fromEntries(demoPeople.map(({ login }) => [login, generateKey()]));
    await importJson(trx, services.clock(), demoDirectory(newKeys));
    await keyFile.write(newKeys);
    return newKeys;
  });
  if (keys) services.forgetIdentities();
  return keys ?? workingKeys(services, await keyFile.read());
}

async function workingKeys({ db }: Pick<Services, 'db'>, keys: DemoKeys): Promise<DemoKeys> {
  const rows = await ApiKey.query(db.read)
    .whereIn('key_hash', Object.values(keys).map(hashKey))
    .whereIn('user_id', User.query(db.read).select('id').where('status', 'active'));
  const known = new Set(rows.map(({ keyHash }) => keyHash));
  return Object.fromEntries(Object.entries(keys).filter(([, key]) => known.has(hashKey(key))));
}

const demoDirectory = (keys: DemoKeys) => ({
  users: demoPeople.map((person) => ({
    ...person,
    apiKeys: [{ name: 'demo', key: keys[person.login] }],
  })),
  ...newDirectory,
  projects: [
    {
      identifier: 'demo',
      name: 'Demo',
      public: false,
      memberships: [
        { user: 'mia', roles: ['Member'] },
        { user: 'rob', roles: ['Reader'] },
      ],
      workPackages: [
        {
          ref: 'demo-wp',
          subject: 'Order bricks',
          author: 'mia',
          activities: [
            { ref: 'demo-comment', comment: 'The **red** ones, please.', author: 'mia' },
          ],
        },
      ],
      meetings: [{ ref: 'demo-meeting', title: 'Kick-off', author: 'mia' }],
      posts: [{ ref: 'demo-post', subject: 'Welcome', author: 'ada' }],
      wikiPages: [{ ref: 'demo-wiki', title: 'Home', author: 'ada' }],
    },
  ],
});
