/** `moorage doctor` with real stores and scanners, both healthy and broken. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { outsideRequest } from '../../src/actions/operate/diagnostics/outside-request.js';
import { acquireAttachment } from '../../src/actions/base/leases/attachment-queues.js';
import { tryUpload } from '../../src/actions/operate/diagnostics/try-upload.js';
import type { CorsConfiguration } from '../../src/cli/cors-rule.js';
import type { Check } from '../../src/cli/report-checks.js';
import { makeContext, type Services } from '../../src/context.js';
import { SYSTEM_LOGIN, User } from '../../src/models/user.js';
import { startApp, type App } from '../support/app.js';
import { describeClamd, startClamd, type Clamd } from '../support/clamd.js';
import { endCommands, environmentOf, run, type Environment } from '../support/cli.js';
import { databaseKind } from '../support/database.js';
import { startSmtp } from '../support/smtp.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '../support/jest.js';
import { freePort } from '../support/postgres.js';
import { clientOf, describeS3, freshBucket, s3Environment, type S3Bucket } from '../support/rgw.js';

interface Report {
  ok: boolean;
  checks: Check[];
  cors: CorsConfiguration | null;
}

let app: App;
let environment: Environment;
beforeAll(async () => {
  app = await startApp();
  environment = { ...environmentOf(app), ATTACHMENT_MAX_SIZE: '5MiB' };
});
afterAll(async () => {
  await endCommands();
  await app.stop();
});

/** The report, with the status of each check. */
async function examine(changes: Environment) {
  const { status, stdout, stderr } = await run(['doctor', '--json'], {
    ...environment,
    ...changes,
  });
  expect(stderr).toBe('');
  const report = JSON.parse(stdout) as Report;
  expect(report.ok).toBe(status === 0);
  // Only with servers whose clocks can be read.
  const clock = report.checks.find(({ name }) => name === 'clock');
  if (clock) expect(clock.outcome).toBe('ok');
  const checks = report.checks.filter((check) => check !== clock);
  expect(checks.map(({ name }) => name)).toEqual([
    'configuration',
    'database',
    'blob store',
    'file modes',
    'direct upload',
    'CORS',
    'scanner',
    'e-mail',
    'previews',
  ]);
  const outcomes = Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]));
  const details: { [name: string]: string } = Object.fromEntries(
    checks.map(({ name, detail }) => [name, detail]),
  );
  return { ...report, status, outcomes, details, stdout };
}

const healthy = {
  configuration: 'ok',
  database: 'ok',
  'blob store': 'ok',
  'file modes': 'ok',
  'direct upload': 'ok',
  CORS: 'ok',
  scanner: 'ok',
  'e-mail': 'ok',
  previews: 'ok',
};
const withoutUpload = { ...healthy, 'direct upload': 'skipped', CORS: 'skipped' };

async function rowsOf({ running }: App): Promise<number> {
  return Number(
    (
      (await running.services.db.read('attachments').count({ n: '*' }).first()) as {
        n: number | string;
      }
    ).n,
  );
}

describe('on a local disk', () => {
  test('a healthy service gets one line for each check', async () => {
    const { status, stdout, stderr } = await run(['doctor'], {
      ...environment,
      BASE_URL: 'https://files.example.test',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const database = databaseKind() === 'sqlite' ? 'SQLite in \\S+' : 'PostgreSQL at [^@]+';
    expect(stdout).toMatch(
      new RegExp(
        `^${[
          `ok       configuration  ${database}, files in \\S+, scanning off, profile standard, reached at https://files\\.example\\.test`,
          'ok       database       answers; \\d+ migrations applied, none pending',
          'ok       blob store     stores, reads, lists and removes',
          'ok       file modes     no wider than the settings allow',
          'ok       direct upload  not available: files on a local disk are uploaded through the service',
          'ok       CORS           not needed without direct upload',
          'ok       scanner        off; CLAMD_URL names a scanner',
          'ok       e-mail         off; SMTP_URL names a mail server',
          'ok       previews       pictures, (no )?PDF.*, (no )?films.*, (no )?office documents.*',
        ].join('\n')}\n$`,
      ),
    );
    for await (const { key } of app.running.services.blobs.list())
      throw new Error(`${key} is still stored.`);
  });

  test('wrong settings end the command, and all of them are listed', async () => {
    const { status, outcomes, details, cors } = await examine({
      PORT: 'many',
      CLAMD_URL: 'http://x',
    });
    expect(status).toBe(78);
    expect(outcomes).toEqual({
      configuration: 'failed',
      database: 'skipped',
      'blob store': 'skipped',
      'file modes': 'skipped',
      'direct upload': 'skipped',
      CORS: 'skipped',
      scanner: 'skipped',
      'e-mail': 'skipped',
      previews: 'skipped',
    });
    expect(details['configuration']).toBe(
      'PORT must be a whole number; CLAMD_URL must be tcp://HOST:PORT or unix:/PATH',
    );
    expect(details['database']).toBe('needs configuration');
    expect(cors).toBeNull();
  });

  test('an unreachable database and an outdated database get their own messages', async () => {
    const port = await freePort();
    const [missing, away] = await Promise.all([
      examine({ DATABASE_URL: `sqlite:${join(app.folder, 'other.sqlite3')}` }),
      examine({ DATABASE_URL: `postgres://someone:pass-word@127.0.0.1:${port}/files` }),
    ]);
    for (const { outcomes } of [missing, away])
      expect(outcomes).toEqual({ ...healthy, database: 'failed' });
    expect(missing.details['database']).toMatch(
      /^There is no file .*other\.sqlite3 yet\. Run `moorage migrate`, or start `moorage serve`\.$/,
    );
    expect(away.details['database']).toBe(
      `The database of DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:${port}`,
    );
    expect(away.stdout).not.toContain('pass-word');
  });

  test('a read-only folder is reported', async () => {
    const { status, outcomes, details } = await examine({ BLOB_STORE: 'disk:/dev/null/blobs' });
    expect(status).toBe(1);
    expect(outcomes).toEqual({ ...healthy, 'blob store': 'failed' });
    expect(details['blob store']).toMatch(/ENOTDIR.* Check BLOB_STORE/);
  });
});

describeS3('on S3', () => {
  let bucket: S3Bucket;
  let served: App;
  let s3: Environment;
  beforeAll(async () => {
    bucket = await freshBucket();
    // Background work must not touch the trial upload. It may touch others.
    served = await startApp({
      ...s3Environment(bucket),
      BACKGROUND_WORK: 'true',
      ATTACHMENT_GRACE_MINUTES: '0',
    });
    s3 = {
      ...environmentOf(served),
      ...s3Environment(bucket),
      BASE_URL: 'https://files.example.test',
      CORS_ORIGINS: 'https://app.example.test',
      ATTACHMENT_ALLOWLIST: 'image/png',
      ATTACHMENT_GRACE_MINUTES: '0',
    };
  });
  afterAll(() => served.stop());
  afterEach(async () => {
    const { Contents = [] } = await clientOf(
      await import('@aws-sdk/client-s3'),
      bucket,
    ).listObjectsV2({ Bucket: bucket.bucket });
    expect({ objects: Contents.map(({ Key }) => Key), rows: await rowsOf(served) }).toEqual({
      objects: [],
      rows: 0,
    });
  });

  test('an upload succeeds; browsers can upload only with the CORS rule that is printed', async () => {
    const { status, stdout, stderr } = await run(['doctor'], { ...environment, ...s3 });
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    const [lines = '', printed = ''] = stdout.split('\n\n');
    expect(lines.split('\n').map((line) => line.slice(0, 22).trim())).toEqual([
      'ok       configuration',
      'ok       database',
      'ok       blob store',
      'ok       file modes',
      'ok       direct upload',
      'FAILED   CORS',
      'ok       scanner',
      'ok       e-mail',
      'ok       previews',
      'ok       clock',
    ]);
    expect(lines).toContain(
      'Pages of https://files.example.test, https://app.example.test may not read what the store answers. Set the CORS rule below for the bucket.',
    );
    expect(printed.split('\n')[0]).toBe(
      `The CORS rule of the bucket, for \`aws s3api put-bucket-cors --bucket ${bucket.bucket} --cors-configuration file://FILE\`; it replaces those that are set:`,
    );
    const rule = JSON.parse(printed.slice(printed.indexOf('\n'))) as CorsConfiguration;
    expect(rule.CORSRules).toEqual([
      expect.objectContaining({
        AllowedOrigins: ['https://files.example.test', 'https://app.example.test'],
        AllowedMethods: ['POST', 'GET', 'HEAD'],
        AllowedHeaders: ['*'],
      }),
    ]);

    const client = clientOf(await import('@aws-sdk/client-s3'), bucket);
    await client.putBucketCors({ Bucket: bucket.bucket, CORSConfiguration: rule });
    const [well, other] = await Promise.all([
      examine(s3),
      examine({ ...s3, CORS_ORIGINS: 'https://app.example.test,https://new.example.test' }),
    ]);
    expect(well.outcomes).toEqual(healthy);
    expect(well.details['CORS']).toBe(
      'allowed: https://files.example.test, https://app.example.test',
    );
    expect(well.cors).toEqual(rule);
    expect(other.outcomes).toEqual({ ...healthy, CORS: 'failed' });
    expect(other.details['CORS']).toMatch(/^Pages of https:\/\/new\.example\.test may not/);
  });

  test('a wrong key or a missing store is reported without the secret', async () => {
    const secret = 'not-the-secret-of-this-store';
    const [wrong, away] = await Promise.all([
      examine({ ...s3, S3_SECRET_ACCESS_KEY: secret }),
      examine({ ...s3, S3_ENDPOINT: `http://127.0.0.1:${await freePort()}` }),
    ]);
    for (const { outcomes } of [wrong, away])
      expect(outcomes).toEqual({ ...withoutUpload, 'blob store': 'failed' });
    expect(wrong.details['blob store']).toMatch(
      /^The bucket ".+" of S3_BUCKET cannot be used \(.*status 403.*\): the access key is unknown or may not use it; check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and its permissions\. Check the S3_ variables/,
    );
    expect(away.details['blob store']).toMatch(
      /^The bucket ".+" of S3_BUCKET cannot be used \(ECONNREFUSED\)/,
    );
    expect(wrong.stdout).not.toContain(secret);
    expect(away.stdout).not.toContain(bucket.secretAccessKey);
    expect(wrong.cors).not.toBeNull();
  });

  test('a key that cannot list unfinished uploads is reported, because cleanup needs the list', async () => {
    const client = clientOf(await import('@aws-sdk/client-s3'), bucket);
    const Statement = [
      {
        Effect: 'Deny',
        Principal: '*',
        Action: 's3:ListBucketMultipartUploads',
        Resource: `arn:aws:s3:::${bucket.bucket}`,
      },
    ];
    await client.putBucketPolicy({
      Bucket: bucket.bucket,
      Policy: JSON.stringify({ Version: '2012-10-17', Statement }),
    });
    try {
      const { outcomes, details } = await examine(s3);
      expect(outcomes).toMatchObject({
        configuration: 'ok',
        database: 'ok',
        'blob store': 'failed',
      });
      expect(details['blob store']).toMatch(
        /list the unfinished uploads.*403.* and that the key may list the bucket and its multipart uploads/,
      );
    } finally {
      await client.deleteBucketPolicy({ Bucket: bucket.bucket });
    }
  });

  test('a public endpoint that rejects the form is reported, and the prepared upload is removed', async () => {
    const [away, refusing] = await Promise.all([
      freePort(),
      listening((_request, response) =>
        response
          .writeHead(307, { location: `${bucket.endpoint}/` })
          .end('<Error><Code>TemporaryRedirect</Code></Error>'),
      ),
    ]);
    const outcomes = await Promise.all([
      examine({ ...s3, S3_PUBLIC_ENDPOINT: `http://127.0.0.1:${away}` }),
      examine({ ...s3, S3_PUBLIC_ENDPOINT: addressOf(refusing) }),
    ]);
    for (const { outcomes: some } of outcomes)
      expect(some).toEqual({ ...healthy, 'direct upload': 'failed', CORS: 'skipped' });
    expect(outcomes[0].details['direct upload']).toMatch(
      /cannot be reached \(ECONNREFUSED\)\. Check that S3_PUBLIC_ENDPOINT/,
    );
    expect(outcomes[1].details['direct upload']).toMatch(
      /refused the form with status 307 \(TemporaryRedirect\)\. Check /,
    );
    refusing.close();
  });

  test('a public endpoint that loses uploads is reported', async () => {
    const losing = await listening((request, response) =>
      request.resume().on('end', () => response.writeHead(201).end()),
    );
    const { outcomes, details } = await examine({ ...s3, S3_PUBLIC_ENDPOINT: addressOf(losing) });
    expect(outcomes).toEqual({ ...healthy, 'direct upload': 'failed', CORS: 'skipped' });
    expect(details['direct upload']).toMatch(/^The file has not reached the storage/);
    losing.close();
  });

  test('with the credential chain of the SDK direct upload is off, and the CORS rule for reading is printed', async () => {
    const { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, ...rest } = s3;
    const { outcomes, details, cors } = await examine({
      ...rest,
      AWS_ACCESS_KEY_ID: S3_ACCESS_KEY_ID!,
      AWS_SECRET_ACCESS_KEY: S3_SECRET_ACCESS_KEY!,
    });
    expect(outcomes).toEqual(healthy);
    expect(details['direct upload']).toMatch(
      /^not available: the credentials come from the SDK's own chain/,
    );
    expect(cors?.CORSRules).toHaveLength(1);
  });

  /** Only the trial upload, in this process, with services that a test replaces. */
  async function trial(make: (services: Services) => Partial<Services>) {
    const { services } = served.running;
    const user = await User.query(services.db.read)
      .findOne({ login: SYSTEM_LOGIN })
      .throwIfNotFound();
    Object.assign(user, { admin: true, status: 'active' });
    const settings = { ...services.settings, attachmentGraceMinutes: 60 };
    return tryUpload(
      makeContext({ ...services, settings, ...make({ ...services, settings }) }, user),
      [],
    );
  }

  test('other processes cannot finalise the trial upload as a locked user', async () => {
    let taken: Promise<unknown> | undefined;
    expect(
      await trial((services) => ({
        wake: () => (taken = acquireAttachment(services, 'finalization')),
      })),
    ).toEqual([]);
    expect(taken).toBeDefined();
    expect(await taken).toBeUndefined();
  });

  test('an upload that is rejected or cannot be finalised is reported and removed', async () => {
    await expect(
      trial(({ settings }) => ({ settings: { ...settings, attachmentAllowlist: ['image/png'] } })),
    ).rejects.toThrow(/^The upload was rejected: The content type .+ is not allowed for upload\.$/);
    const failing = async () => {
      throw new Error('no copies today');
    };
    await expect(trial(({ blobs }) => ({ blobs: { ...blobs, copy: failing } }))).rejects.toThrow(
      'no copies today',
    );
  });
});

test('a mail server is asked, and its password is not shown', async () => {
  const smtp = await startSmtp(0, { password: 'planted' });
  const settings = { MAIL_FROM: 'files@example.test' };
  const up = await examine({ ...settings, SMTP_URL: smtp.url });
  const wrong = await examine({ ...settings, SMTP_URL: smtp.url.replace('planted', 'mistyped') });
  await smtp.stop();
  const down = await examine({ ...settings, SMTP_URL: smtp.url });
  const { host } = new URL(smtp.url);
  expect([up, wrong, down].map(({ details }) => details['e-mail'])).toEqual([
    `${host} answers`,
    `The mail server ${host} does not work: AUTH PLAIN 535. Check SMTP_URL.`,
    `The mail server ${host} does not work: ESOCKET. Check SMTP_URL.`,
  ]);
  expect(smtp.received).toEqual([]);
});

describeClamd('with a scanner', () => {
  let clamd: Clamd;
  beforeAll(async () => {
    clamd = await startClamd();
  });
  afterAll(() => clamd.stop());

  test('its version is reported, or that it is down', async () => {
    const [up, down] = await Promise.all([
      examine({ CLAMD_URL: `unix:${clamd.unix.path}` }),
      examine({ CLAMD_URL: `tcp://127.0.0.1:${await freePort()}` }),
    ]);
    expect(up.outcomes).toEqual(healthy);
    expect(up.details['scanner']).toMatch(
      /^ClamAV \d.*; files up to ATTACHMENT_MAX_SIZE \(5242880 bytes\) are read to their end$/,
    );
    expect(down.outcomes).toEqual({ ...healthy, scanner: 'failed' });
    expect(down.details['scanner']).toMatch(
      /^The connection to the virus scanner failed \(ECONNREFUSED\).* Check CLAMD_URL, and that clamd runs/,
    );
  });

  test.each([
    ['StreamMaxLength', { streamMaxLength: 3 * 1024 * 1024 }],
    ['MaxFileSize, without an alert', { maxFileSize: 1024 * 1024, alerts: false }],
  ])('limits that are smaller than ATTACHMENT_MAX_SIZE are reported: %s', async (_what, limits) => {
    const small = await startClamd(limits);
    try {
      const { outcomes, details } = await examine({ CLAMD_URL: `unix:${small.unix.path}` });
      expect(outcomes).toEqual({ ...healthy, scanner: 'failed' });
      expect(details['scanner']).toBe(
        'The scanner does not read files of 5242880 bytes (ATTACHMENT_MAX_SIZE) to their end. ' +
          'Raise StreamMaxLength, MaxFileSize and MaxScanSize in its clamd.conf, and set ' +
          'AlertExceedsMax. Or lower ATTACHMENT_MAX_SIZE. SCAN_TOO_LARGE says what happens to ' +
          'larger files.',
      );
    } finally {
      await small.stop();
    }
  });
});

describe('a request to the public endpoint', () => {
  test('reads only the start of an endless answer', async () => {
    const endless = await listening((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    expect((await outsideRequest(addressOf(endless))).body.byteLength).toBe(64 * 1024);
    endless.close();
  });
});

type Handler = NonNullable<Parameters<typeof createServer>[1]>;

const listening = (handle: Handler): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer({}, handle).listen(0, '127.0.0.1', () => resolve(server));
  });
const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
