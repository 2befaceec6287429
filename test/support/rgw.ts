/** A real S3 store for the tests: Ceph's gateway, from the Debian packages ceph-mon, ceph-osd and radosgw. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { describe as Describe } from '@jest/globals';
import type { S3Options } from '../../src/blobs/s3/connection.js';

/** An S3 server and a key with all permissions. */
export interface S3Server {
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface Rgw extends S3Server {
  stop(): Promise<void>;
  /** Kills the gateway like a crash. Stored objects stay. */
  killGateway(): Promise<void>;
  startGateway(): Promise<void>;
}

export interface S3Bucket extends S3Server {
  bucket: string;
}

/** Starts a separate store, for tests of outages and for a whole run. @throws if the packages are missing */
export async function startRgw(): Promise<Rgw> {
  const missing = ['ceph-mon', 'ceph-osd', 'radosgw'].filter(
    (program) =>
      !(process.env['PATH'] ?? '')
        .split(delimiter)
        .some((folder) => existsSync(join(folder, program))),
  );
  if (missing.length > 0)
    throw new Error(
      `${missing.join(', ')} not found; install the packages ceph-mon, ceph-osd and radosgw`,
    );
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      // Another process may have taken one of the chosen ports.
      if (attempt === 3) throw error;
    }
  }
}

async function start(): Promise<Rgw> {
  const [accessKeyId, secretAccessKey] = [
    randomBytes(10).toString('hex').toUpperCase(),
    randomBytes(20).toString('hex'),
  ];
  const script = fileURLToPath(new URL('start-rgw.sh', import.meta.url));
  // A separate process group, so that Ctrl+C ends the tests first.
  // If this process dies, the input of the script ends, and the script cleans up.
  const child = spawn('bash', [script, accessKeyId, secretAccessKey], { detached: true });
  const ready = watchReady(child);
  const endpoint = `http://127.0.0.1:${await ready()}`;
  return {
    endpoint,
    region: 'us-east-1',
    accessKeyId,
    secretAccessKey,
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('exit', () => resolve());
        child.stdin.end();
      }),
    async killGateway() {
      child.stdin.write('kill\n');
      while (await answers(endpoint)) await sleep(20);
    },
    async startGateway() {
      child.stdin.write('start\n');
      await ready();
    },
  };
}

/** @returns a function that waits until the script reports again that it is ready, with its port */
function watchReady(child: ChildProcessWithoutNullStreams): () => Promise<string> {
  let complaint = '';
  child.stderr.on('data', (chunk) => (complaint += chunk));
  const closed = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async () => {
    const line = await lines.next();
    if (!line.done) return line.value.replace('ready ', '');
    await closed;
    throw new Error(complaint.trim() || 'Ceph did not start.');
  };
}

async function answers(endpoint: string): Promise<boolean> {
  try {
    await fetch(endpoint);
    return true;
  } catch {
    return false;
  }
}

/** The environment variables that give Jest the store of the run. */
export const jestEnvironment = ({ endpoint, region, accessKeyId, secretAccessKey }: S3Server) => ({
  MOORAGE_TEST_S3_ENDPOINT: endpoint,
  MOORAGE_TEST_S3_REGION: region,
  MOORAGE_TEST_S3_ACCESS_KEY_ID: accessKeyId,
  MOORAGE_TEST_S3_SECRET_ACCESS_KEY: secretAccessKey,
});

/** The store of the run. Use it only inside `describeS3`. */
export function sharedS3(): S3Server {
  const [endpoint, region, accessKeyId, secretAccessKey] = [
    'ENDPOINT',
    'REGION',
    'ACCESS_KEY_ID',
    'SECRET_ACCESS_KEY',
  ].map((name) => process.env[`MOORAGE_TEST_S3_${name}`]!) as [string, string, string, string];
  return { endpoint, region, accessKeyId, secretAccessKey };
}

const reason =
  process.env['MOORAGE_TEST_S3_MISSING'] ??
  (process.env['MOORAGE_TEST_S3_ENDPOINT']
    ? undefined
    : 'the tests were not started by test/run.ts');

// The global function: `test/run.ts` loads this file, and `jest.ts` works only inside Jest. It may be `describe.skip` already.
declare const describe: typeof Describe;

/** `describe` for tests with S3. Without a store they are reported as skipped, with the reason. */
export function describeS3(name: string, tests: () => void): void {
  if (reason === undefined) describe(name, tests);
  else (describe.skip ?? describe)(`${name} (skipped: ${reason})`, tests);
}

/** Creates a new bucket. */
export async function freshBucket(server: S3Server = sharedS3()): Promise<S3Bucket> {
  const bucket = `moorage-${randomUUID()}`;
  await clientOf(await import('@aws-sdk/client-s3'), server).createBucket({ Bucket: bucket });
  return { ...server, bucket };
}

/** A client for direct access to the store. */
export const clientOf = (
  { S3 }: typeof import('@aws-sdk/client-s3'),
  { endpoint, region, accessKeyId, secretAccessKey }: S3Server,
) =>
  new S3({ endpoint, region, credentials: { accessKeyId, secretAccessKey }, forcePathStyle: true });

/** The options that open the bucket as a blob store. */
export const s3Options = ({
  endpoint,
  region,
  bucket,
  accessKeyId,
  secretAccessKey,
}: S3Bucket): S3Options => ({
  endpoint,
  region,
  bucket,
  credentials: { accessKeyId, secretAccessKey },
  forcePathStyle: true,
});

/** The settings of a service that uses the bucket. */
export const s3Environment = ({
  endpoint,
  region,
  bucket,
  accessKeyId,
  secretAccessKey,
}: S3Bucket): { [name: string]: string } => ({
  BLOB_STORE: 's3:',
  S3_ENDPOINT: endpoint,
  S3_REGION: region,
  S3_BUCKET: bucket,
  S3_ACCESS_KEY_ID: accessKeyId,
  S3_SECRET_ACCESS_KEY: secretAccessKey,
  S3_FORCE_PATH_STYLE: 'true',
});
