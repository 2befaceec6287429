/** The rows and files for the traffic, and the rows that remain after it. */
import { pino } from 'pino';
import { Agent } from 'undici';
import { readConfig } from '../../src/config.js';
import type { Services } from '../../src/context.js';
import { openServices } from '../../src/services.js';
import { factories } from '../../test/support/factories.js';
import { insertLinks } from '../links/seed.js';
import { seed, seeded } from '../seed.js';
import { FILE_BYTES, LINKS, small } from './form.js';

export interface World {
  /** API keys of a member of the measured project, and of a reader of file links. */
  keys: { member: string; reader: string };
  /** A work package with links to a storage, and an attachment in it. The reader sees both, the member neither. */
  linked: number;
  hidden: number;
}

/** A stored file for downloads. */
export interface StoredFile {
  id: number;
  etag: string;
}

export type Environment = { [name: string]: string };

const FILES = 8;
const PERMISSIONS = ['view_work_packages', 'view_file_links'];

/** @param origin address of a working storage */
export async function makeWorld(environment: Environment, origin: string): Promise<World> {
  await seed(environment['DATABASE_URL']!);
  return withServices(environment, async (services) => {
    await services.blobs.create?.();
    const given = factories(services);
    const storage = await given.storage({
      origin,
      client: { id: 'bench', secret: 'bench-secret' },
    });
    const project = await given.project();
    await given.projectStorage(project, storage);
    const reader = await given.member(project, PERMISSIONS);
    await given.storageTokens(reader, storage, {
      accessToken: 'token',
      expiresInSeconds: 24 * 3600,
      originUserId: 'reader',
    });
    const workPackage = await given.workPackage(project, reader);
    await insertLinks(services, workPackage.id, storage.id, reader.id, LINKS);
    const hidden = await given.attachment({ container: workPackage, author: reader });
    return {
      keys: { member: seeded.key, reader: reader.key },
      linked: workPackage.id,
      hidden: hidden.id,
    };
  });
}

const agent = new Agent({ connections: 8, pipelining: 1 });
export const closeClient = (): Promise<void> => agent.close();

export interface Answer {
  status: number;
  headers: { [name: string]: string | string[] | undefined };
  text: string;
  ms: number;
}

/** One request as the member, or as an anonymous user. */
export async function ask(
  address: string,
  key: string | undefined,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: { type: string; text: string },
): Promise<Answer> {
  const started = performance.now();
  const {
    statusCode,
    headers,
    body: answer,
  } = await agent.request({
    origin: address,
    path,
    method,
    body: body?.text ?? null,
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': body.type }),
    },
  });
  const text = await answer.text();
  return { status: statusCode, headers, text, ms: performance.now() - started };
}

/** Files that are uploaded once and stay. */
export async function storeFiles(address: string): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for (let n = 0; n < FILES; n += 1) {
    const { status, text } = await ask(
      address,
      seeded.key,
      'POST',
      `/api/v3/work_packages/${seeded.inboxes[0]}/attachments`,
      small(FILE_BYTES),
    );
    if (status !== 200) throw new Error(`An upload was answered with ${status}: ${text}`);
    const { id, digest } = JSON.parse(text) as { id: number; digest: { hash: string } };
    files.push({ id, etag: `"${digest.hash}"` });
  }
  return files;
}

/** Deletes uploads from the inboxes whose clients left before they could delete them. @returns their number */
export async function tidy(address: string, files: readonly StoredFile[]): Promise<number> {
  const kept = new Set(files.map(({ id }) => id));
  let found = 0;
  for (const inbox of seeded.inboxes) {
    const { text } = await ask(
      address,
      seeded.key,
      'GET',
      `/api/v3/work_packages/${inbox}/attachments`,
    );
    const {
      _embedded: { elements },
    } = JSON.parse(text) as { _embedded: { elements: { id: number }[] } };
    for (const { id } of elements) {
      if (kept.has(id)) continue;
      const { status } = await ask(address, seeded.key, 'DELETE', `/api/v3/attachments/${id}`);
      if (status !== 204) throw new Error(`A deletion was answered with ${status}.`);
      found += 1;
    }
  }
  return found;
}

/** The number of rows in each of these tables, in any state. */
export type Rows = { [table: string]: number };

/** `events` and `activities` grow with every change, because they are the history. */
const TABLES = [
  'attachments',
  'file_links',
  'storage_tokens',
  'api_keys',
  'sessions',
  'events',
  'activities',
];

export const countRows = (environment: Environment): Promise<Rows> =>
  withServices(environment, async ({ db }) => {
    const counts: Rows = {};
    for (const table of TABLES)
      counts[table] = Number((await db.read(table).count({ count: '*' }))[0]!['count']);
    return counts;
  });

async function withServices<T>(
  environment: Environment,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  const services = openServices(readConfig(environment), pino({ level: 'silent' }));
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}
