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

/** A store and a key that may do everything there. */
export interface S3Server {
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface Rgw extends S3Server {
  stop(): Promise<void>;
  /** Ends the gateway as a crash would; what is stored stays. */
  killGateway(): Promise<void>;
  startGateway(): Promise<void>;
}

export interface S3Bucket extends S3Server {
  bucket: string;
}

/** Starts a store of its own: for outages, and for the whole run in `test/run.ts`. @throws where the packages are missing */
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
      // Somebody else may have taken one of the ports that it chose.
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
  // A group of its own: Ctrl+C ends the tests first. When this process dies the script meets the end of its input and cleans up.
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

/** @returns a function that waits until the script says once more that it is ready, and at which port */
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

/** How `test/run.ts` hands the store of the run to Jest. */
export const jestEnvironment = ({ endpoint, region, accessKeyId, secretAccessKey }: S3Server) => ({
  MOORAGE_TEST_S3_ENDPOINT: endpoint,
  MOORAGE_TEST_S3_REGION: region,
  MOORAGE_TEST_S3_ACCESS_KEY_ID: accessKeyId,
  MOORAGE_TEST_S3_SECRET_ACCESS_KEY: secretAccessKey,
});

/** The store of the run; only for what stands in `describeS3`. */
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

// The global one: `jest.ts` cannot be loaded outside of Jest, and `test/run.ts` loads this file. It may be `describe.skip` already.
declare const describe: typeof Describe;

/** `describe`; where there is no store its tests are reported as skipped, with the reason. */
export function describeS3(name: string, tests: () => void): void {
  if (reason === undefined) describe(name, tests);
  else (describe.skip ?? describe)(`${name} (skipped: ${reason})`, tests);
}

/** Makes a bucket that nobody else uses. */
export async function freshBucket(server: S3Server = sharedS3()): Promise<S3Bucket> {
  const bucket = `moorage-${randomUUID()}`;
  await clientOf(await import('@aws-sdk/client-s3'), server).createBucket({ Bucket: bucket });
  return { ...server, bucket };
}

/** A client for what the interface of the service does not offer. */
export const clientOf = (
  { S3 }: typeof import('@aws-sdk/client-s3'),
  { endpoint, region, accessKeyId, secretAccessKey }: S3Server,
) =>
  new S3({ endpoint, region, credentials: { accessKeyId, secretAccessKey }, forcePathStyle: true });

/** What opens the bucket as a blob store. */
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

/** What configures the service for the bucket. */
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
