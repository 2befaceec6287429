/** `moorage doctor`: tries everything that the configuration names. */
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { checkStorageHealth } from '../../actions/storages/check-storage-health.js';
import { tryStore } from '../../actions/diagnostics/try-store.js';
import { tryUpload, type TriedOrigin } from '../../actions/diagnostics/try-upload.js';
import { ConfigError, readConfig, type Config } from '../../config.js';
import { makeContext, type Context, type Services } from '../../context.js';
import { migrationStatus } from '../../database/migrations.js';
import { CheckStatus } from '../../models/storage-health.js';
import { Storage } from '../../models/storage.js';
import { SYSTEM_LOGIN, User } from '../../models/user.js';
import { knowsFiles, openServices } from '../../services.js';
import type { Run } from '../usage.js';
import { corsRule, originsOf } from '../cors-rule.js';
import { Examination, lineOf } from '../report-checks.js';
import { demandFile } from '../up-to-date.js';
import { describe, EXIT, print } from '../usage.js';

export const doctorCommand: Run = async (args) => {
  const {
    values: { json = false },
  } = parseArgs({ args, options: { json: { type: 'boolean' } } });
  const examination = new Examination((check) => {
    if (!json) process.stdout.write(`${lineOf(check)}\n`);
  });
  const config = await examine(examination);
  const cors =
    config?.blobs.kind === 's3' && originsOf(config).length > 0
      ? { bucket: config.blobs.bucket, rule: corsRule(originsOf(config)) }
      : undefined;
  if (json)
    print(
      true,
      { ok: examination.ok, checks: examination.checks, cors: cors?.rule ?? null },
      () => '',
    );
  else if (cors)
    process.stdout.write(
      `\nThe CORS rule of the bucket, for \`aws s3api put-bucket-cors --bucket ${cors.bucket} --cors-configuration file://FILE\`; it replaces those that are set:\n${JSON.stringify(cors.rule, null, 2)}\n`,
    );
  if (!examination.ok) process.exitCode = config ? EXIT.failure : EXIT.configuration;
};

/** @returns the configuration, if it can be read */
async function examine(examination: Examination): Promise<Config | undefined> {
  let config: Config | undefined;
  let services: (Services & { close(): Promise<void> }) | undefined;
  let origins: TriedOrigin[] = [];
  const known = () => config!;
  const opened = () => services!;
  try {
    await examination.check('configuration', [], () => {
      config = readConfigured();
      services = openServices(config, pino({ level: 'silent' }));
      return summary(config);
    });
    await examination.check('database', ['configuration'], () => checkDatabase(known(), opened()));
    await examination.check('blob store', ['configuration'], () => checkStore(known(), opened()));
    const reason = config && notDirect(config);
    await examination.check(
      'direct upload',
      reason === undefined ? ['configuration', 'database', 'blob store'] : [],
      async () => {
        if (reason !== undefined) return `not available: ${reason}`;
        origins = await tryUpload(await trialContext(opened()), originsOf(known()));
        return 'prepared, sent, completed, finalised, compared and removed';
      },
    );
    await examination.check('CORS', reason === undefined ? ['direct upload'] : [], () =>
      reason === undefined ? corsVerdict(origins) : 'not needed without direct upload',
    );
    await examination.check('scanner', ['configuration'], () => checkScanner(opened()));
    if (examination.passed('database'))
      for (const storage of await allStorages(opened()))
        await examineStorages(examination, opened(), storage);
  } finally {
    await services?.close();
  }
  return config;
}

const allStorages = ({ db }: Services) => Storage.query(db.read).orderBy('id');

/** One line for each check of a storage, named by it and the check. */
async function examineStorages(
  examination: Examination,
  services: Services,
  storage: Storage,
): Promise<void> {
  const context = await trialContext(services);
  const { checks } = await checkStorageHealth(context, storage);
  for (const { check, status, hint } of checks) {
    if (status === CheckStatus.skipped) examination.skip(`${storage.name}: ${check}`, hint);
    else
      await examination.check(`${storage.name}: ${check}`, [], () => {
        if (status === CheckStatus.failed) throw new Error(hint);
        return hint;
      });
  }
}

function readConfigured(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    throw error instanceof ConfigError ? new Error(error.mistakes.join('; ')) : error;
  }
}

/** Says what is on, without anything secret. */
function summary(config: Config): string {
  const { blobs, scanner, profile } = config;
  const store =
    blobs.kind === 'disk'
      ? `files in ${blobs.root}`
      : `bucket ${blobs.bucket} at ${blobs.endpoint ?? `Amazon S3 in ${blobs.region}`}${blobs.publicEndpoint ? `, for browsers at ${blobs.publicEndpoint}` : ''}`;
  const scanning = scanner
    ? `scanning by ${'path' in scanner ? scanner.path : `${scanner.host}:${scanner.port}`}`
    : 'scanning off';
  return [
    databaseName(config),
    store,
    scanning,
    `profile ${profile.name}`,
    ...(config.baseUrl ? [`reached at ${config.baseUrl}`] : []),
  ].join(', ');
}

/** What stands behind a question mark may be a password. */
function databaseName({ database }: Config): string {
  if (database.client === 'sqlite') return `SQLite in ${database.file}`;
  const { host, pathname } = new URL(database.url);
  return `PostgreSQL at ${host}${pathname}`;
}

async function checkDatabase(config: Config, { db }: Services): Promise<string> {
  demandFile(config);
  try {
    // On SQLite it takes the lock of a writer.
    await db.write.transaction((trx) => trx.raw('select 1'));
  } catch (error) {
    throw new Error(
      `${databaseName(config)} does not answer: ${describe(error)}. Check DATABASE_URL and that the database can be reached and written.`,
    );
  }
  const { applied, pending } = await migrationStatus(db);
  if (pending.length > 0)
    throw new Error(
      `Migrations are pending: ${pending.join(', ')}. Run \`moorage migrate\`, or start \`moorage serve\`.`,
    );
  return `answers; ${applied.length} migrations applied, none pending`;
}

async function checkStore(config: Config, { db, blobs }: Services): Promise<string> {
  const { kind } = config.blobs;
  try {
    if ((await answers(config, db)) && !(await knowsFiles(db))) await blobs.create?.();
    await tryStore(blobs);
    return 'stores, reads, lists and removes';
  } catch (error) {
    const place =
      kind === 'disk'
        ? 'Check BLOB_STORE, and that the folder is there, can be written and has space.'
        : 'Check the S3_ variables, and that the key may list the bucket and its multipart uploads, and put, get and delete its objects.';
    throw new Error(`${describe(error).replace(/\.$/, '')}. ${place}`);
  }
}

/** Whether the database is there and up to date; what is wrong with it has a line of its own. */
async function answers(config: Config, db: Services['db']): Promise<boolean> {
  try {
    demandFile(config);
    return (await migrationStatus(db)).pending.length === 0;
  } catch {
    return false;
  }
}

/** Why clients cannot upload past the service, or undefined where they can. */
function notDirect({ blobs }: Config): string | undefined {
  if (blobs.kind === 'disk') return 'files on a local disk are uploaded through the service';
  return blobs.credentials
    ? undefined
    : "the credentials come from the SDK's own chain, and forms are signed with S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY only";
}

const TRIAL_GRACE_MINUTES = 60;

/** The system user's, with what would refuse or scan the trial, or let it expire, left out. */
async function trialContext(services: Services): Promise<Context> {
  const user = await User.query(services.db.read)
    .findOne({ login: SYSTEM_LOGIN })
    .throwIfNotFound();
  // In memory only: in the database it stays locked, and nobody can act as it.
  Object.assign(user, { admin: true, status: 'active' });
  const settings = {
    ...services.settings,
    attachmentAllowlist: [],
    attachmentGraceMinutes: TRIAL_GRACE_MINUTES,
    pendingUploads: Infinity,
    pendingUploadBytes: Infinity,
  };
  return makeContext({ ...services, settings, scanner: undefined }, user);
}

function corsVerdict(origins: readonly TriedOrigin[]): string {
  const listed = (some: readonly TriedOrigin[]) => some.map(({ origin }) => origin).join(', ');
  const refused = origins.filter(({ allowed }) => !allowed);
  if (refused.length > 0)
    throw new Error(
      `Pages of ${listed(refused)} may not read what the store answers. Set the CORS rule below for the bucket.`,
    );
  return origins.length > 0
    ? `allowed: ${listed(origins)}`
    : 'not checked: with PORT=0 the origin of pages is unknown; set BASE_URL';
}

const HARMLESS = Buffer.from('Nothing to be found here.');

async function checkScanner({ scanner }: Services): Promise<string> {
  if (!scanner) return 'off';
  try {
    const { version } = await scanner.check();
    const verdict = await scanner.scan(Readable.from([HARMLESS]));
    if (!verdict.clean) throw new Error(`The scanner finds ${verdict.signature} in harmless text.`);
    return version;
  } catch (error) {
    throw new Error(
      `${describe(error)} Check CLAMD_URL, and that clamd runs and has its signatures.`,
    );
  }
}
