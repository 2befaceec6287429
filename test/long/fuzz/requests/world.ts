/** A server with users and records: public ones, those of the member's project, and those of a hidden user who sends no requests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../../../src/config.js';
import type { Services } from '../../../../src/context.js';
import { FileLink } from '../../../../src/models/file-link.js';
import { ANONYMOUS, NON_MEMBER } from '../../../../src/models/role.js';
import { Webhook, WebhookEvent } from '../../../../src/models/webhook.js';
import { permissions } from '../../../../src/policies/permissions.js';
import { startServer } from '../../../../src/server.js';
import { startFileServer } from '../../../../demo/servers/file-server.js';
import { factories, kinds, segments, type Given, type Person } from '../../../support/factories.js';
import { nouns, type Noun, type Role } from './callers.js';

const SECRET_KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';
/** A folder of the file server, for paths of files. */
export const KNOWN_FILE = 17;
/** A closed port, which refuses connections at once. */
const NOWHERE = 'http://127.0.0.1:1';
/** Hidden records and missing ones have ids of six digits from here on. No other number in a response looks like that. */
const PRIVATE_FROM = 700_001;
export const MISSING_FROM = 790_001;

/** Texts that only some callers may read. */
export const MEMBERS_WORD = 'only-members-k3v9';
export const HIDDEN_WORD = 'only-hermit-q7x2';
export const HIDDEN_OWN_WORD = 'nobody-else-w8z5';

type Things = { [noun in Noun]: number[] };

export interface World {
  address: string;
  people: { [role in Role]: Person | undefined };
  /** Records that all callers see, those of the member's project, and those that only the administrator sees. */
  things: { publicThings: Things; members: Things; hiddenThings: Things };
  /** Texts that no response and no log line may contain. */
  secrets: string[];
  /** The lines of the server's log. */
  lines: string[];
  /** The rows of the hidden user's records, as text. No request may change them. */
  hiddenRows(): Promise<string>;
  stop(): Promise<void>;
}

/** @param database address of an empty one, or undefined for SQLite */
export async function openWorld(database: string | undefined): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-requests-'));
  const config = readConfig({
    DATABASE_URL: database ?? `sqlite:${join(folder, 'db.sqlite3')}`,
    BLOB_STORE: `disk:${join(folder, 'blobs')}`,
    SECRET_KEY,
    PORT: '0',
    BACKGROUND_WORK: 'false',
    SHUTDOWN_SECONDS: '0',
    BUSY_REQUESTS: '100000',
    CLOUD_DRIVE_LOGIN_URL: NOWHERE,
    CLOUD_DRIVE_API_URL: NOWHERE,
    STORAGE_CONNECT_TIMEOUT_MS: '200',
    STORAGE_TIMEOUT_MS: '400',
    ATTACHMENT_MAX_SIZE: '100000',
  });
  const lines: string[] = [];
  const running = await startServer(
    config,
    pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
  );
  const { services } = running;
  const given = factories(services);
  const secrets = [folder, SECRET_KEY];
  const people = await makePeople(given);
  // Administrators may change this person, who sends no requests. A caller with new rights would look like a leak.
  const bystander = await given.user({ login: 'bystander' });
  const server = await startFileServer();
  const client = { id: 'client-of-open', secret: 'storage-secret-of-open-3a6d' };
  server.setClient({ ...client, redirectUri: '' });
  server.user('somebody');
  server.folder('somebody', '/Docs', { id: KNOWN_FILE });
  const publicThings = await fillProject(services, given, {
    author: people.member,
    person: bystander,
    word: 'open',
    isPublic: true,
    secrets,
    remote: {
      origin: server.url,
      client,
      tokens: server.grant('somebody'),
      fileId: String(server.file('somebody', '/Docs/plan.txt', { content: 'bricks' })),
    },
  });
  const members = await fillProject(services, given, {
    author: people.member,
    person: bystander,
    word: MEMBERS_WORD,
    own: 'unclaimed',
    secrets,
  });
  members.things.attachments.push(await begunUpload(running.address, people.member, MEMBERS_WORD));
  const { project } = members;
  // A user who manages the files of any project sees all storages.
  await given.membership(
    people.member,
    { id: project },
    permissions.filter((name) => name !== 'manage_files_in_project'),
  );
  for (const table of nouns) await startAt(services, table, PRIVATE_FROM);
  // Only administrators can read addresses.
  const unseen = await given.user({
    login: 'hermit',
    firstName: 'Her',
    lastName: 'Mit',
    email: `${HIDDEN_WORD}@example.test`,
  });
  secrets.push(...Object.values(people).map(({ key }) => key), unseen.key);
  const hiddenThings = await fillProject(services, given, {
    author: unseen,
    person: unseen,
    word: HIDDEN_WORD,
    own: HIDDEN_OWN_WORD,
    secrets,
  });
  await given.membership(unseen, { id: hiddenThings.project }, [...permissions]);
  hiddenThings.things.attachments.push(await begunUpload(running.address, unseen, HIDDEN_OWN_WORD));
  return {
    address: running.address,
    people: { ...people, anonymous: undefined },
    secrets,
    lines,
    things: {
      publicThings: publicThings.things,
      members: members.things,
      hiddenThings: hiddenThings.things,
    },
    hiddenRows: () => hiddenRows(services, hiddenThings.things),
    stop: async () => {
      await running.stop();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A resumable upload that waits for its bytes. @returns the id of its attachment */
async function begunUpload(address: string, { key }: Person, word: string): Promise<number> {
  const { status, headers } = await fetch(`${address}/uploads`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'tus-resumable': '1.0.0',
      'upload-length': '30',
      'upload-metadata': `filename ${Buffer.from(`${word}.bin`).toString('base64')}`,
    },
  });
  if (status !== 201) throw new Error(`The creation of an upload was answered with ${status}.`);
  return Number(headers.get('location')!.split('/').at(-1));
}

async function makePeople(given: Given) {
  await given.role(
    permissions.filter((name) => name.startsWith('view_') && name !== 'view_internal_comments'),
    ANONYMOUS,
  );
  await given.role(
    [
      ...permissions.filter(
        (name) => name.startsWith('view_') && name !== 'view_internal_comments',
      ),
      'add_work_package_comments',
      'add_work_packages',
    ],
    NON_MEMBER,
  );
  const admin = await given.user({
    login: 'admin',
    admin: true,
    password: 'a very secret password',
  });
  const member = await given.user({ login: 'member' });
  const stranger = await given.user({ login: 'stranger' });
  return { admin, member, stranger };
}

interface Furniture {
  author: Person;
  /** The user whose id requests have. */
  person: Person;
  /** This word is in all texts of the records. */
  word: string;
  /** This word is in texts that only their author sees. */
  own?: string;
  isPublic?: boolean;
  /** A file server that answers. Without it the storage cannot be reached. */
  remote?: {
    origin: string;
    client: { id: string; secret: string };
    tokens: { accessToken: string; refreshToken: string };
    fileId: string;
  };
  secrets: string[];
}

/** A project with a record of every kind, and two containers of each kind. */
async function fillProject(
  services: Services,
  given: Given,
  { author, person, word, own, isPublic = false, remote, secrets }: Furniture,
): Promise<{ project: number; things: Things }> {
  const { db } = services;
  const things = Object.fromEntries(nouns.map((noun) => [noun, []])) as unknown as Things;
  const project = await given.project({ name: `Project ${word}`, isPublic });
  things.projects.push(project.id);
  things.users.push(person.id);
  // An administrator may add the members' storage to other projects, so none of its records contain their word.
  const label = word === MEMBERS_WORD ? 'members' : word;
  const { origin, client, tokens, fileId } = remote ?? {
    origin: `${NOWHERE}/${label}`,
    client: { id: `client-of-${label}`, secret: `storage-secret-of-${label}-5b1f` },
    fileId: `origin-${word}`,
    tokens: {
      accessToken: `access-token-of-${label}-1d4a`,
      refreshToken: `refresh-token-of-${label}-8e7b`,
    },
  };
  const password = `application-password-of-${label}-9c2e`;
  const storage = await given.storage({
    name: `Storage ${label}`,
    origin,
    applicationPassword: password,
    client,
  });
  const cloud = await given.storage({
    type: 'CloudDrive',
    name: `Cloud ${label}`,
    tenantId: 'consumers',
    driveId: 'b!drive',
    client,
  });
  await given.storageTokens(author, storage, { ...tokens, originUserId: 'somebody' });
  secrets.push(
    client.secret,
    password,
    tokens.accessToken,
    tokens.refreshToken,
    storage.application.clientSecret,
    cloud.application.clientSecret,
  );
  for (const one of [storage, cloud]) {
    things.storages.push(one.id);
    things.oauth_applications.push(one.application.id);
    things.oauth_client_credentials.push(one.credentialsId!);
    things.project_storages.push(
      (await given.projectStorage(project, one, { creator: author })).id,
    );
  }
  // Drawn more often, because a working storage has more data.
  if (remote) things.storages.push(storage.id, storage.id);
  const link = async (workPackageId: number | null, name: string, originId: string) => {
    const time = new Date().toISOString();
    const { id } = await FileLink.query(db.write)
      .insert({
        storageId: storage.id,
        workPackageId,
        creatorId: author.id,
        originId,
        originName: name,
        createdAt: time,
        updatedAt: time,
      })
      .returning('id');
    things.file_links.push(id);
  };
  things.webhooks.push(await webhook(services, author, word, secrets));
  for (const kind of kinds) {
    const workPackage =
      kind === 'Activity' ? await given.workPackage(project, author, `Subject ${word}`) : undefined;
    const container =
      kind === 'WorkPackage'
        ? await given.workPackage(project, author, `Subject ${word}`)
        : kind === 'Activity'
          ? await given.comment(workPackage!, author, {
              text: `Comment ${word}`,
              internal: !isPublic,
            })
          : await given[
              ({ Meeting: 'meeting', Post: 'post', WikiPage: 'wikiPage' } as const)[kind]
            ](project, author, `Title ${word}`);
    things[segments[kind] as Noun].push(container.id);
    things.attachments.push(
      (
        await given.attachment({
          container,
          author,
          fileName: `${word}.txt`,
          description: `About ${word}`,
          content: `Content ${word}`,
        })
      ).id,
    );
    if (kind === 'WorkPackage') await link(container.id, `${word}.pdf`, fileId);
  }
  if (own !== undefined) {
    things.attachments.push(
      (
        await given.attachment({
          author,
          fileName: `${own}.txt`,
          description: `About ${own}`,
          content: `Content ${own}`,
        })
      ).id,
    );
    await link(null, `${own}.pdf`, `origin-${own}`);
  }
  return { project: project.id, things };
}

async function webhook(
  { db, keyring }: Services,
  creator: Person,
  word: string,
  secrets: string[],
): Promise<number> {
  const time = new Date().toISOString();
  const secret = `whsec_of-${word}-2f8d`;
  secrets.push(secret);
  const { id } = await Webhook.query(db.write)
    .insert({
      url: `${NOWHERE}/hooks/${word}`,
      events: Object.values(WebhookEvent),
      enabled: true,
      secret: keyring.seal(secret, 'webhooks.secret'),
      creatorId: creator.id,
      createdAt: time,
      updatedAt: time,
    })
    .returning('id');
  return id;
}

/** The next row of a table gets this id. */
async function startAt({ db }: Services, table: string, id: number): Promise<void> {
  if (!(await db.write.schema.hasTable(table))) return;
  if (db.client === 'postgres')
    await db.write.raw(`alter sequence ${table}_id_seq restart with ${id}`);
  else if (
    (await db
      .write('sqlite_sequence')
      .where({ name: table })
      .update({ seq: id - 1 })) === 0
  )
    await db.write('sqlite_sequence').insert({ name: table, seq: id - 1 });
}

async function hiddenRows({ db }: Services, things: Things): Promise<string> {
  const kept = await Promise.all(
    nouns
      .filter((noun) => things[noun].length > 0)
      .map(async (noun) => [noun, await db.write(noun).whereIn('id', things[noun]).orderBy('id')]),
  );
  return JSON.stringify(kept);
}
