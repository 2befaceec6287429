/**
 * Loads the world of the demo into an empty database: people, projects, files, comments and links.
 * Everything but the first import is done by the people of the demo, with the actions of the API.
 */
import type { Knex } from 'knex';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../../../context.js';
import { demoPeople } from '../../../contract/demo-people.js';
import { ApiKey } from '../../../models/api-key.js';
import { Attachment } from '../../../models/attachment.js';
import { timestamps } from '../../../models/record.js';
import { RESERVED_LOGINS, User } from '../../../models/user.js';
import { generateKey, hashKey } from '../../../secrets/keys-and-tokens.js';
import type { ImportedIds } from '../../people/directory/job.js';
import {
  hasPeople,
  importJson,
  lockDirectory,
  newDirectory,
} from '../../people/directory/new-directory.js';
import { createStorages, type DemoServers } from './demo-storages.js';
import { DAY_MS, tellStory } from './tell-story.js';
import { readWorld, type World } from './world.js';

/** API keys by login. */
export interface DemoKeys {
  [login: string]: string;
}

/** Stores the demo users' keys between starts. The database has only their hashes. */
export interface KeyFile {
  read(): Promise<DemoKeys>;
  write(keys: DemoKeys): Promise<void>;
}

/** Another process that adds nothing to the demo for so long has probably died. */
const OTHER_STOPS_MS = 3_000;
const POLL_MS = 100;
/** The projects are older than what happened in them. */
const BEGINNING_DAYS = 21;

/**
 * Loads nothing if the database has users already. A demo that was begun and not ended, because its
 * process was killed, is continued: what is there is not made again.
 * @param servers absent: the demo has no storages
 * @returns the new or stored keys of the demo users that work
 */
export async function loadDemo(
  services: Services,
  keyFile: KeyFile,
  servers?: DemoServers,
): Promise<DemoKeys> {
  const world = await readWorld();
  let ids = await begin(services, world, 'empty');
  if (!ids && (await isUnfinished(services.db.read))) {
    await othersEnd(services.db.read);
    ids = await begin(services, world, 'unfinished');
  }
  if (!ids) return workingKeys(services, await keyFile.read());
  services.forgetIdentities();
  if (servers) await createStorages(services, world, ids, servers);
  await tellStory(services, world, ids, servers);
  return giveKeys(services, keyFile);
}

/** Whether the database has a demo, or will get one. */
export const isForDemo = async (db: Knex): Promise<boolean> =>
  !(await hasPeople(db)) ||
  (await User.query(db).where({ login: demoPeople[0]!.login, email: demoPeople[0]!.email }))
    .length > 0;

/** The people of the demo get their keys at its end. */
const isUnfinished = async (db: Knex): Promise<boolean> =>
  !(await ApiKey.query(db).first()) &&
  !(await db('revoked_api_keys').first()) &&
  (await User.query(db).whereNotIn('login', [...RESERVED_LOGINS])).every(({ login, email }) =>
    demoPeople.some((person) => person.login === login && person.email === email),
  );

/**
 * Imports people, projects and containers.
 * @param from the state that the database must have
 * @returns nothing if it has another one
 */
function begin(
  services: Services,
  { directory }: World,
  from: 'empty' | 'unfinished',
): Promise<ImportedIds | undefined> {
  return services.db.write.transaction(async (trx) => {
    // Processes that start at the same time on an empty database wait here. The first one loads.
    await lockDirectory(services, trx);
    const isSo = from === 'empty' ? !(await hasPeople(trx)) : await isUnfinished(trx);
    if (!isSo) return undefined;
    const beginning = new Date(Date.now() - BEGINNING_DAYS * DAY_MS);
    return importJson(trx, beginning, { ...newDirectory, users: demoPeople, ...directory });
  });
}

/** Waits while another process loads the demo. */
async function othersEnd(db: Knex): Promise<void> {
  let count = 0;
  for (let since = Date.now(); Date.now() - since < OTHER_STOPS_MS; await sleep(POLL_MS)) {
    if (!(await isUnfinished(db))) return;
    const now = await Attachment.query(db).resultSize();
    if (now !== count) since = Date.now();
    count = now;
  }
}

async function giveKeys({ db, clock }: Services, keyFile: KeyFile): Promise<DemoKeys> {
  const keys = Object.fromEntries(demoPeople.map(({ login }) => [login, generateKey()]));
  await db.write.transaction(async (trx) => {
    const users = await User.query(trx).whereIn('login', Object.keys(keys));
    for (const { id, login } of users)
      await ApiKey.query(trx).insert({
        userId: id,
        name: 'demo',
        keyHash: hashKey(keys[login]!),
        ...timestamps(clock().toISOString()),
      });
    await keyFile.write(keys);
  });
  return keys;
}

async function workingKeys({ db }: Services, keys: DemoKeys): Promise<DemoKeys> {
  const rows = await ApiKey.query(db.read)
    .whereIn('key_hash', Object.values(keys).map(hashKey))
    .whereIn('user_id', User.query(db.read).select('id').where('status', 'active'));
  const known = new Set(rows.map(({ keyHash }) => keyHash));
  return Object.fromEntries(Object.entries(keys).filter(([, key]) => known.has(hashKey(key))));
}
