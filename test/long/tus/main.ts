/**
 * `npm run test:tus [-- --kills 200 --seed 1 --seconds 3600]`: kills a server with SIGKILL while
 * it creates, receives, completes and ends resumable uploads, on both databases and both stores.
 * After each kill the client goes on. Nothing confirmed may be lost, and one cleanup leaves nothing.
 */
import 'reflect-metadata';
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { freshDatabase } from '../fresh-database.js';
import { runCleanup } from '../../../src/actions/operate/cleanup/run-cleanup.js';
import { readConfig } from '../../../src/config.js';
import { migrate } from '../../../src/database/migrations.js';
import { Attachment } from '../../../src/models/attachment.js';
import { ResumableUpload } from '../../../src/models/resumable-upload.js';
import { openServices } from '../../../src/services.js';
import { factories } from '../../support/factories.js';
import { startPostgres } from '../../support/postgres.js';
import { freshBucket, s3Environment, startRgw } from '../../support/rgw.js';
import { Random } from '../crash/random.js';
import { Unexpected, Upload, type Client } from './upload.js';

/** After it, an upload that nobody goes on with is over. */
const LATER_MS = 8 * 86_400_000;
const PHASES = ['create', 'patch', 'complete', 'terminate'] as const;
/** A kill comes at most so many milliseconds after the request: it takes about as long. */
const LONGEST = { create: 60, patch: 40, complete: 600, terminate: 80 };

type Services = ReturnType<typeof openServices>;
type Phase = (typeof PHASES)[number];

/** A database and a store. */
interface Place {
  name: string;
  environment: { [name: string]: string };
  services: Services;
  client: Omit<Client, 'address'>;
  /** Ids of attachments that must be there, with their digests. */
  expected: Map<number, string>;
  /** The attachment that uploads replace. */
  replaced: number;
}

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string' },
    seconds: { type: 'string', default: '3600' },
  },
});
const kills = Number(values.kills);
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
const deadline = Date.now() + Number(values.seconds) * 1000;

const folder = mkdtempSync(join(tmpdir(), 'moorage-tus-'));
const [rgw, postgres] = await Promise.all([startRgw(), startPostgres()]);
const places: Place[] = [];
let passed = 0;
let failed = 0;
try {
  for (const database of ['sqlite', 'postgres'] as const)
    for (const store of ['disk', 's3'] as const) places.push(await placeOf(database, store));
  for (let kill = 0; kill < kills && Date.now() < deadline && failed === 0; kill += 1) {
    const place = places[kill % places.length]!;
    const phase = PHASES[(kill + Math.floor(kill / places.length)) % PHASES.length]!;
    const problem = await attack(place, phase, kill).catch((error: unknown) => {
      if (error instanceof Unexpected) return error.message;
      throw error;
    });
    if (problem === undefined) passed += 1;
    else failed += 1;
    process.stdout.write(
      `kill ${kill + 1}, ${place.name}, ${phase}: ${problem ?? 'nothing lost, nothing left'}\n`,
    );
    if (problem !== undefined)
      process.stdout.write(`replay with: npm run test:tus -- --seed ${seed} --kills ${kill + 1}\n`);
  }
} finally {
  for (const { services } of places) await services.close();
  await Promise.all([rgw.stop(), postgres.stop()]);
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`\n${passed} passed, ${failed} failed, 0 skipped\n`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

async function placeOf(database: 'sqlite' | 'postgres', store: 'disk' | 's3'): Promise<Place> {
  const name = `${database}_${store}`;
  const environment = {
    ...(store === 's3'
      ? s3Environment(await freshBucket(rgw))
      : { BLOB_STORE: `disk:${join(folder, name)}` }),
    DATABASE_URL: await freshDatabase(database, name, { folder, postgresUrl: postgres.url }),
    PORT: '0',
    LOG_LEVEL: 'error',
    NODE_ENV: 'production',
    BASE_URL: 'http://127.0.0.1',
    SECRET_KEY: '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff',
    LEASE_SECONDS: '2',
    PREVIEWS: 'false',
    TRASH_DAYS: '0',
    ATTACHMENT_MAX_SIZE: '20MiB',
  };
  const services = openServices(readConfig(environment), pino({ level: 'silent' }));
  await migrate(services.db);
  await services.blobs.create?.();
  const given = factories(services);
  const project = await given.project();
  const person = await given.member(project, ['view_meetings', 'edit_meetings']);
  const container = await given.meeting(project, person);
  const { id } = await given.attachment({ container, author: person, content: 'first' });
  return {
    name,
    environment,
    services,
    client: { key: person.key, containerId: container.globalId },
    expected: new Map([[id, createHash('sha256').update('first').digest('hex')]]),
    replaced: id,
  };
}

interface Server {
  client: Client;
  child: ChildProcess;
}

async function start({ environment, client }: Place): Promise<Server> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('child.mjs', import.meta.url))], {
    env: {
      PATH: process.env['PATH'] ?? '',
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await Promise.race([
    createInterface({ input: child.stdout })[Symbol.asyncIterator]().next(),
    once(child, 'exit').then(() => ({ value: undefined })),
  ]);
  if (line.value === undefined) throw new Unexpected('The server did not start again.');
  return { client: { ...client, address: line.value }, child };
}

async function stop({ child }: Server): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** @returns what is wrong; undefined if nothing is */
async function attack(place: Place, phase: Phase, kill: number): Promise<string | undefined> {
  const random = new Random(seed + kill * 7919);
  const upload = new Upload(
    `file-${kill}.bin`,
    random.integer(3) === 0 ? place.replaced : undefined,
    random.integer(2) === 0 ? `key-${kill}` : undefined,
    random,
  );
  const isEnded = await interrupted(await start(place), { phase, upload, random });
  const server = await start(place);
  try {
    await goOn(place, server, { upload, isEnded, resumes: random.integer(4) > 0 });
  } finally {
    await stop(server);
  }
  return wrongIn(place);
}

interface Attack {
  phase: Phase;
  upload: Upload;
  random: Random;
}

/** Kills the server during a request of the phase. @returns whether the upload was ended */
async function interrupted(server: Server, { phase, upload, random }: Attack): Promise<boolean> {
  const { client, child } = server;
  const dead = once(child, 'exit');
  const killLater = async () => {
    await sleep(random.integer(LONGEST[phase]));
    child.kill('SIGKILL');
  };
  const size = upload.bytes.length;
  let isEnded = false;
  try {
    if (phase !== 'create') {
      await upload.create(client);
      if (random.integer(2) === 0) await upload.patch(client, random.integer(size) || 1);
    }
    const at = { bytes: random.integer(size - upload.confirmed + 1), reached: killLater };
    if (phase === 'create') await Promise.all([upload.create(client), killLater()]);
    else if (phase === 'patch') await upload.patch(client, size, at);
    else if (phase === 'complete') await Promise.all([upload.patch(client, size), killLater()]);
    else {
      const ending = upload.terminate(client).then(() => void (isEnded = true));
      await Promise.all([ending, killLater()]);
    }
  } catch (error) {
    if (error instanceof Unexpected) throw error;
    // The connection is gone.
  } finally {
    child.kill('SIGKILL');
    await dead;
  }
  return isEnded;
}

/** The client goes on at the next server. Then the file is as it was sent. */
async function goOn(
  { services, expected }: Place,
  { client }: Server,
  { upload, isEnded, resumes }: { upload: Upload; isEnded: boolean; resumes: boolean },
): Promise<void> {
  const whole = upload.bytes.length;
  const isComplete = upload.confirmed === whole;
  if (upload.path === undefined && upload.isKnown && resumes) await upload.create(client);
  if (upload.path === undefined) return;
  const { db } = services;
  const target = upload.replaces ?? upload.id;
  const isThere = async () =>
    (await Attachment.query(db.read).findById(target))?.digestHash === upload.digest;
  const offset = await upload.offset(client);
  if (isEnded && offset !== undefined) throw new Unexpected('The upload was ended, and is back.');
  if (isEnded) return;
  if (offset === undefined) {
    // A replaced file has the bytes, or the request to end the upload was not answered.
    if (upload.replaces !== undefined && (await isThere())) expected.set(target, upload.digest);
    else if (isComplete) throw new Unexpected('The upload was complete, and is lost.');
    return;
  }
  if (offset < whole && !resumes) return;
  if (offset < whole) await upload.patch(client, whole);
  for (let attempt = 0; !(await isThere()); attempt += 1) {
    if (attempt > 1_200) throw new Unexpected('The upload was complete, and is not finished.');
    await sleep(50);
  }
  expected.set(target, upload.digest);
}

/** Performs one cleanup, when all uploads are over. @returns what is left or lost */
async function wrongIn({ services, expected, replaced }: Place): Promise<string | undefined> {
  const { db, blobs } = services;
  await runCleanup({ ...services, clock: () => new Date(Date.now() + LATER_MS) });
  const rows = await Attachment.query(db.read);
  const problems: string[] = [];
  for (const { id, phase, status } of rows)
    if (!expected.has(id) || phase !== 'kept' || status !== 'uploaded')
      problems.push(`the row ${id} is left, ${phase} and ${status}`);
  // The bytes of earlier uploads were read after their kills.
  const newest = Math.max(...expected.keys());
  for (const [id, digest] of expected) {
    const row = rows.find((one) => one.id === id);
    if (!row || row.digestHash !== digest) problems.push(`the attachment ${id} is lost`);
    else if (id !== newest && id !== replaced) {
      if (!(await blobs.stat(row.blobKey))) problems.push(`the bytes of ${id} are lost`);
    } else if ((await digestOf(await blobs.read(row.blobKey))) !== digest)
      problems.push(`the attachment ${id} has other bytes than were sent`);
  }
  const keys = new Set(rows.map(({ blobKey }) => blobKey));
  for await (const { key } of blobs.list('finished'))
    if (!keys.has(key)) problems.push(`the object ${key} is left`);
  for await (const { key } of blobs.list('staging')) problems.push(`the object ${key} is left`);
  for await (const { key } of blobs.unfinished()) problems.push(`a part of ${key} is left`);
  const uploads = await ResumableUpload.query(db.read).resultSize();
  if (uploads > 0) problems.push(`${uploads} uploads are not forgotten`);
  return problems.length > 0 ? problems.join(', ') : undefined;
}

async function digestOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}
