/** `moorage doctor`: tries everything that the configuration names. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { pino } from 'pino';
import { checkStorageHealth } from '../../actions/storages/settings/check-storage-health.js';
import { tryPreviews } from '../../actions/operate/diagnostics/try-previews.js';
import { tryMail } from '../../actions/operate/diagnostics/try-mail.js';
import { tryScanner } from '../../actions/operate/diagnostics/try-scanner.js';
import { tryStore } from '../../actions/operate/diagnostics/try-store.js';
import { tryUpload, type TriedOrigin } from '../../actions/operate/diagnostics/try-upload.js';
import { whyNotDirect } from '../../actions/operate/diagnostics/why-not-direct.js';
import { ConfigError, type Config } from '../../config.js';
import { judgeOwnClock, ownPlaces } from '../../actions/storages/settings/read-clocks.js';
import { makeContext, type Context, type Services } from '../../context.js';
import { migrationStatus } from '../../database/migrations.js';
import { CheckStatus } from '../../models/storage-health.js';
import { Storage } from '../../models/storage.js';
import { RESERVED_LOGINS, SYSTEM_LOGIN, User } from '../../models/user.js';
import { KEY_FILE, knowsFiles, openServices } from '../../services.js';
import type { Run } from '../command.js';
import { readConfigWithDrive } from '../demo-drive.js';
import { EXIT } from '../exit-statuses.js';
import { describe, printJson } from '../output.js';
import { corsRule, originsOf } from '../cors-rule.js';
import { databaseName } from '../database-name.js';
import { CheckRunner, lineOf } from '../report-checks.js';
import { checkFileModes } from '../file-modes.js';
import { demandFile } from '../up-to-date.js';

export const doctorCommand: Run = async ({ json }) => {
  const runner = new CheckRunner((check) => {
    if (!json) process.stdout.write(`${lineOf(check)}\n`);
  });
  const config = await examine(runner);
  const cors =
    config?.blobs.kind === 's3' && originsOf(config).length > 0
      ? { bucket: config.blobs.bucket, rule: corsRule(originsOf(config)) }
      : undefined;
  if (json) printJson({ ok: runner.ok, checks: runner.checks, cors: cors?.rule ?? null });
  else if (cors)
    process.stdout.write(
      '\nThe CORS rule of the bucket, for ' +
        `\`aws s3api put-bucket-cors --bucket ${cors.bucket} --cors-configuration file://FILE\`; ` +
        `it replaces those that are set:\n${JSON.stringify(cors.rule, null, 2)}\n`,
    );
  if (!runner.ok) process.exitCode = config ? EXIT.failure : EXIT.configuration;
};

/** @returns the configuration, if it can be read */
async function examine(runner: CheckRunner): Promise<Config | undefined> {
  let config: Config | undefined;
  let services: (Services & { close(): Promise<void> }) | undefined;
  let origins: TriedOrigin[] = [];
  // The checks that call these depend on the first one, which sets both.
  const known = () => present(config);
  const opened = () => present(services);
  try {
    await runner.check('configuration', [], () => {
      config = readConfigured();
      services = openServices(withoutNewKey(config), pino({ level: 'silent' }));
      return summary(config);
    });
    await runner.check('database', ['configuration'], () => checkDatabase(known(), opened()));
    await runner.check('blob store', ['configuration'], () => checkStore(known(), opened()));
    await runner.check('file modes', ['configuration'], () => checkFileModes(known()));
    const reason = config && whyNotDirect(config);
    await runner.check(
      'direct upload',
      reason === undefined ? ['configuration', 'database', 'blob store'] : [],
      async () => {
        if (reason !== undefined) return `not available: ${reason}`;
        origins = await tryUpload(await trialContext(opened()), originsOf(known()));
        return 'prepared, sent, completed, finalised, compared and removed';
      },
    );
    await runner.check('CORS', reason === undefined ? ['direct upload'] : [], () =>
      reason === undefined ? checkCors(origins) : 'not needed without direct upload',
    );
    await runner.check('scanner', ['configuration'], () => tryScanner(opened()));
    await runner.check('e-mail', ['configuration'], () => tryMail(opened()));
    await runner.check('previews', ['configuration'], () => tryPreviews(opened()));
    const openId = services?.openId;
    if (openId) {
      await runner.check('OpenID provider', [], async () => {
        await openId.check();
        return `${openId.host} answers and accepts the client`;
      });
      if (runner.passed('database'))
        await runner.check('administrators', ['OpenID provider'], () =>
          checkAdministrators(openId, opened()),
        );
    }
    const places = services ? await ownPlaces(services) : [];
    if (places.length > 0)
      await runner.check('clock', [], async () => {
        const judged = await judgeOwnClock(opened(), places);
        if ('code' in judged) throw new Error(judged.hint);
        return judged.hint;
      });
    if (runner.passed('database'))
      for (const storage of await allStorages(opened()))
        await examineStorage(runner, opened(), storage);
  } finally {
    await services?.close();
  }
  return config;
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A check ran without the configuration.');
  return value;
}

const allStorages = ({ db }: Services) => Storage.query(db.read).orderBy('id');

/** Runs all checks of a storage, one line each. */
async function examineStorage(
  runner: CheckRunner,
  services: Services,
  storage: Storage,
): Promise<void> {
  const context = await trialContext(services);
  const { checks } = await checkStorageHealth(context, storage);
  for (const { check, status, hint } of checks) {
    if (status === CheckStatus.SKIPPED) runner.skip(`${storage.name}: ${check}`, hint);
    else
      await runner.check(`${storage.name}: ${check}`, [], () => {
        if (status === CheckStatus.FAILED) throw new Error(hint);
        return hint;
      });
  }
}

function readConfigured(): Config {
  try {
    return readConfigWithDrive();
  } catch (error) {
    throw error instanceof ConfigError ? new Error(error.mistakes.join('; ')) : error;
  }
}

/** A command that only looks makes no key file. Without one, no secret is stored. */
const withoutNewKey = (config: Config): Config =>
  existsSync(KEY_FILE) ? config : { ...config, secretKey: config.secretKey ?? randomBytes(32) };

/** The configuration in one line, without secrets. */
function summary(config: Config): string {
  const { blobs, scanner, profile } = config;
  const store =
    blobs.kind === 'disk'
      ? `files in ${blobs.root}`
      : `bucket ${blobs.bucket} at ${blobs.endpoint ?? `Amazon S3 in ${blobs.region}`}` +
        (blobs.publicEndpoint ? `, for browsers at ${blobs.publicEndpoint}` : '');
  const scanning = scanner
    ? `scanning by ${'path' in scanner ? scanner.path : `${scanner.host}:${scanner.port}`}`
    : 'scanning off';
  return [
    databaseName(config.database),
    store,
    scanning,
    `profile ${profile.name}`,
    ...(config.baseUrl ? [`reached at ${config.baseUrl}`] : []),
  ].join(', ');
}

async function checkDatabase(config: Config, { db }: Services): Promise<string> {
  demandFile(config);
  // On SQLite a transaction takes the write lock.
  await db.write.transaction((trx) => trx.raw('select 1'));
  const { applied, pending } = await migrationStatus(db);
  if (pending.length > 0)
    throw new Error(
      `Migrations are pending: ${pending.join(', ')}. ` +
        'Run `moorage migrate`, or start `moorage serve`.',
    );
  return `answers; ${applied.length} migrations applied, none pending`;
}

/**
 * Lists administrators without an identity at the provider. They can sign in by password only, and
 * no claim links them.
 */
async function checkAdministrators(
  openId: NonNullable<Services['openId']>,
  { db }: Services,
): Promise<string> {
  const issuer = await openId.issuer();
  // An identity is the issuer, a space and the subject.
  const start = `${issuer} `;
  const logins = await User.query(db.read)
    .where({ admin: true, status: 'active' })
    .where(
      (none) =>
        void none
          .whereNull('identity')
          .orWhereRaw('substr(identity, 1, ?) <> ?', [start.length, start]),
    )
    .whereNotIn('login', [...RESERVED_LOGINS])
    .orderBy('login')
    .limit(LISTED_LOGINS + 1)
    .then((users) => users.map(({ login }) => login));
  if (logins.length === 0) return 'all have an identity at the OpenID provider';
  const listed = logins.slice(0, LISTED_LOGINS).join(', ');
  const more = logins.length > LISTED_LOGINS ? ' and more' : '';
  return (
    `without an identity at ${issuer}: ${listed}${more}. Link them: ` +
    '`moorage user link --login LOGIN --subject SUBJECT`'
  );
}

async function checkStore(config: Config, { db, blobs }: Services): Promise<string> {
  const { kind } = config.blobs;
  try {
    if ((await answers(config, db)) && !(await knowsFiles(db))) await blobs.create?.();
    await tryStore(blobs);
    return 'stores, reads, lists and removes';
  } catch (error) {
    const advice =
      kind === 'disk'
        ? 'Check BLOB_STORE, and that the folder is there, can be written and has space.'
        : 'Check the S3_ variables, and that the key may list the bucket and its multipart ' +
          'uploads, and put, get and delete its objects.';
    throw new Error(`${describe(error).replace(/\.$/, '')}. ${advice}`);
  }
}

/** Whether the database exists and is up to date. The check `database` reports what is wrong. */
async function answers(config: Config, db: Services['db']): Promise<boolean> {
  try {
    demandFile(config);
    return (await migrationStatus(db)).pending.length === 0;
  } catch {
    return false;
  }
}

/** Longest list of logins in one line. */
const LISTED_LOGINS = 20;
const TRIAL_GRACE_MINUTES = 60;

/** A context of the system user, whose settings do not refuse, scan or expire the trial upload. */
async function trialContext(services: Services): Promise<Context> {
  const user = await User.query(services.db.read)
    .findOne({ login: SYSTEM_LOGIN })
    .throwIfNotFound();
  // This changes only the object. In the database the system user stays locked: it cannot sign in.
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

function checkCors(origins: readonly TriedOrigin[]): string {
  const listed = (some: readonly TriedOrigin[]) => some.map(({ origin }) => origin).join(', ');
  const refused = origins.filter(({ allowed }) => !allowed);
  if (refused.length > 0)
    throw new Error(
      `Pages of ${listed(refused)} may not read what the store answers. ` +
        'Set the CORS rule below for the bucket.',
    );
  return origins.length > 0
    ? `allowed: ${listed(origins)}`
    : 'not checked: with PORT=0 the origin of pages is unknown; set BASE_URL';
}
