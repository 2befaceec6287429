/** Reads the configuration from the environment. No other file reads environment variables. */
import { readFileSync } from 'node:fs';
import type { BlobStore } from './blobs/index.js';
import type { DatabaseAddress } from './database/index.js';
import type { OpenIdSettings } from './auth/openid/settings.js';
import { nearMisses } from './config/near-misses.js';
import { variables, type Name, type Values } from './config/variables.js';
import type { MailSettings } from './mail/mailer.js';
import type { ScannerAddress } from './scanning/scanner.js';
import { hostSettings, switches, type StorageSettings } from './storages/types.js';
import { isLoopback } from './contract/loopback.js';
import { profiles, type Profile } from './contract/profiles.js';

export interface Config extends StorageSettings {
  production: boolean;
  /** Whether `serve` loads a demo directory into an empty database. */
  demo: boolean;
  host: string;
  port: number;
  baseUrl: string | undefined;
  /** Whether the service has the web application. */
  web: boolean;
  database: DatabaseAddress;
  blobs: BlobStore;
  /** Whether the group may open the files of the database, the blobs and the keys. */
  fileGroupAccess: boolean;
  attachmentMaxSize: number;
  attachmentAllowlist: readonly string[];
  digestAlgorithm: 'sha256' | 'md5';
  attachmentGraceMinutes: number;
  /** Notifications older than this are removed. */
  notificationDays: number;
  auditDays: number;
  /** Undefined: no end. */
  apiKeyDays: number | undefined;
  apiKeyMaxDays: number | undefined;
  trashDays: number;
  /** Lifetime of the forms of direct uploads. */
  uploadUrlSeconds: number;
  /** Lifetime of signed addresses of downloads. */
  downloadUrlSeconds: number;
  /** Limit of the attachments of one container. */
  attachmentsPerContainer: number;
  /** Limit of concurrent downloads of one user in a process. */
  downloadsPerUser: number;
  /** A download ends when its client takes less than 64 KiB in this time. */
  downloadStallSeconds: number;
  uploadStallSeconds: number;
  /** A resumable upload ends so many days after its last sign of life. */
  uploadDays: number;
  /** Limit of prepared uploads and unclaimed attachments of one user. */
  pendingUploads: number;
  /** Limit of the total bytes of one user's prepared uploads and unclaimed attachments. */
  pendingUploadBytes: number;
  /** Absent: files are not scanned. */
  scanner: ScannerAddress | undefined;
  scanAction: 'quarantine' | 'delete';
  scanPolicy: 'closed' | 'open';
  scanTooLarge: 'hold' | 'pass';
  /** Absent: no e-mails are sent. */
  mail: MailSettings | undefined;
  /** Notifications of so many seconds are one e-mail. */
  mailDelaySeconds: number;
  /** Whether small pictures of files are made and shown. */
  previews: boolean;
  /** Where programs are found. */
  path: string;
  /** Whether this process finalises uploads, scans files, cleans up and delivers webhooks. */
  backgroundWork: boolean;
  /** Completed direct uploads that one process finalises at the same time. */
  finalizations: number;
  /** A lease that is not renewed for this time can be acquired by another process. */
  leaseSeconds: number;
  /** Encrypts stored secrets. Absent outside production: a key is generated and kept in a file. */
  secretKey: Buffer | undefined;
  /** The key before the last rotation. It only decrypts. */
  secretKeyPrevious: Buffer | undefined;
  /** The external OpenID provider. Absent: none. */
  openId: OpenIdSettings | undefined;
  storageConnectTimeoutMs: number;
  /** Time limit for all calls of one incoming request to one storage. */
  storageTimeoutMs: number;
  /** Whether storages and identity providers may be at loopback and private addresses. */
  storageAllowPrivate: boolean;
  /** Sources of a content security policy: where cloud drives take uploads. */
  cloudDriveUploadHosts: readonly string[];
  /** Absent: metrics are on the main port, for administrators only. */
  metricsPort: number | undefined;
  /** Requests that compute at the same time while the processor is overloaded. */
  busyRequests: number;
  profile: Profile;
  corsOrigins: readonly string[];
  trustProxy: boolean | number | string;
  logLevel: string;
  workers: number;
  introspection: boolean;
  /**
   * How long a stopping server still accepts requests. In this time its readiness check fails, so
   * load balancers stop sending requests to it.
   */
  drainSeconds: number;
  /** How long requests in flight may take after `drainSeconds`. */
  shutdownSeconds: number;
}

/** All mistakes of a configuration at once. Commands print them and exit with 78 (EX_CONFIG). */
export class ConfigError extends Error {
  constructor(readonly mistakes: readonly string[]) {
    const count = `${mistakes.length} mistake${mistakes.length === 1 ? '' : 's'}`;
    super(`The configuration has ${count}:\n${mistakes.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

type Environment = Record<string, string | undefined>;

const MAX_SIZE = 5 * 1024 * 1024;
const DEMO_MAX_SIZE = 512 * 1024 * 1024;
const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin';

/** One row of the table of settings. `default` and `meaning` are Markdown. */
export interface Setting {
  name: string;
  default: string;
  meaning: string;
}

/** The table of settings, for the documentation. */
export const settings = (): Setting[] =>
  Object.entries(variables).map(([name, schema]) => {
    const { description = '', unset } = schema.meta() ?? {};
    const text = typeof unset === 'string' ? unset : undefined;
    return { name, default: text ?? defaultOf(schema) ?? '–', meaning: description };
  });

function defaultOf({ def }: (typeof variables)[Name]): string | undefined {
  return 'defaultValue' in def ? `\`${String(def.defaultValue)}\`` : undefined;
}

/**
 * Reads the configuration. An empty variable counts as absent. `NAME_FILE` names a file that
 * contains the value of `NAME`.
 * @throws ConfigError with all mistakes
 */
export function readConfig(environment: Environment): Config {
  const mistakes: string[] = [];
  const env = {} as { -readonly [name in Name]: Values[name] };
  for (const name of Object.keys(variables) as Name[]) {
    const parsed = variables[name].safeParse(valueOf(environment, name, mistakes));
    if (parsed.success) Object.assign(env, { [name]: parsed.data });
    for (const { message } of parsed.error?.issues ?? []) mistakes.push(`${name} ${message}`);
  }
  mistakes.push(...nearMisses(environment, Object.keys(variables)));
  // A variable with a mistake is missing in `env`.
  if (env.WORKERS > 1 && env.DATABASE_URL?.client === 'sqlite')
    mistakes.push(
      'WORKERS more than one process needs PostgreSQL: set DATABASE_URL to postgres://…',
    );
  if (env.WORKERS > 1 && env.PORT === 0)
    mistakes.push('PORT several workers share one port: set PORT to a number other than 0');
  if (env.METRICS_PORT !== undefined && env.METRICS_PORT !== 0 && env.METRICS_PORT === env.PORT)
    mistakes.push(
      'METRICS_PORT is the same as PORT: set it to another one, ' +
        'or leave it out to have /metrics for administrators on PORT',
    );
  const openId = openIdSettings(env, mistakes);
  const mail = mailSettings(env, mistakes);
  if (
    env.NODE_ENV === 'production' &&
    !env.SECRET_KEY &&
    !mistakes.some((line) => line.startsWith('SECRET_KEY '))
  )
    mistakes.push(
      'SECRET_KEY is needed in production: 32 bytes, such as the output of: openssl rand -hex 32',
    );
  if (
    env.NODE_ENV === 'production' &&
    !env.BASE_URL &&
    !mistakes.some((line) => line.startsWith('BASE_URL '))
  )
    mistakes.push(
      'BASE_URL is needed in production: the public address, such as https://files.example.org',
    );
  // Most proxies append to `X-Forwarded-For`. Its first address is then the client's own text.
  if (env.NODE_ENV === 'production' && env.TRUST_PROXY === true)
    mistakes.push(
      'TRUST_PROXY must not be true in production: set it to the number of proxies, ' +
        'or to their addresses and networks',
    );
  const store = env.BLOB_STORE?.kind === 's3' ? s3Store(env, mistakes) : env.BLOB_STORE;
  if (mistakes.length > 0 || !store) throw new ConfigError(mistakes);
  const production = env.NODE_ENV === 'production';
  const profile = profiles[env.API_PROFILE];
  const demo = env.DEMO && !production && isLoopback(env.HOST);
  return {
    production,
    demo,
    profile,
    host: env.HOST,
    port: env.PORT,
    baseUrl: env.BASE_URL,
    web: env.WEB,
    database:
      env.DATABASE_URL.client === 'postgres'
        ? { ...env.DATABASE_URL, prepares: env.DATABASE_PREPARED_STATEMENTS }
        : env.DATABASE_URL,
    blobs: store,
    fileGroupAccess: env.FILE_GROUP_ACCESS,
    attachmentMaxSize: env.ATTACHMENT_MAX_SIZE ?? (demo ? DEMO_MAX_SIZE : MAX_SIZE),
    attachmentAllowlist: env.ATTACHMENT_ALLOWLIST,
    digestAlgorithm: env.DIGEST_ALGORITHM ?? profile.digestAlgorithm,
    attachmentGraceMinutes: env.ATTACHMENT_GRACE_MINUTES,
    notificationDays: env.NOTIFICATION_DAYS,
    auditDays: env.AUDIT_DAYS,
    apiKeyDays: shorter(env.API_KEY_DAYS, env.API_KEY_MAX_DAYS),
    apiKeyMaxDays: env.API_KEY_MAX_DAYS,
    trashDays: env.TRASH_DAYS ?? (demo ? 30 : 0),
    uploadUrlSeconds: env.UPLOAD_URL_SECONDS,
    downloadUrlSeconds: env.DOWNLOAD_URL_SECONDS,
    attachmentsPerContainer: env.ATTACHMENTS_PER_CONTAINER,
    downloadsPerUser: env.DOWNLOADS_PER_USER,
    downloadStallSeconds: env.DOWNLOAD_STALL_SECONDS,
    uploadStallSeconds: env.UPLOAD_STALL_SECONDS,
    uploadDays: env.UPLOAD_DAYS,
    pendingUploads: env.PENDING_UPLOADS,
    pendingUploadBytes: env.PENDING_UPLOAD_BYTES,
    scanner: env.CLAMD_URL,
    scanAction: env.SCAN_ACTION,
    scanPolicy: env.SCAN_POLICY,
    scanTooLarge: env.SCAN_TOO_LARGE,
    mail,
    mailDelaySeconds: env.MAIL_DELAY_SECONDS,
    previews: env.PREVIEWS,
    path: environment['PATH'] || USUAL_PATH,
    backgroundWork: env.BACKGROUND_WORK,
    finalizations: env.FINALIZATIONS,
    leaseSeconds: env.LEASE_SECONDS,
    secretKey: env.SECRET_KEY,
    secretKeyPrevious: env.SECRET_KEY_PREVIOUS,
    openId,
    storageConnectTimeoutMs: env.STORAGE_CONNECT_TIMEOUT_MS,
    storageTimeoutMs: env.STORAGE_TIMEOUT_MS,
    storageAllowPrivate: env.STORAGE_ALLOW_PRIVATE ?? !production,
    ...(Object.fromEntries(
      [...switches, ...hostSettings].map(({ setting, variable }) => [setting, env[variable]]),
    ) as unknown as StorageSettings),
    cloudDriveUploadHosts: env.CLOUD_DRIVE_UPLOAD_HOSTS,
    metricsPort: env.METRICS_PORT,
    busyRequests: env.BUSY_REQUESTS,
    corsOrigins: env.CORS_ORIGINS,
    trustProxy: env.TRUST_PROXY,
    logLevel: env.LOG_LEVEL,
    workers: env.WORKERS,
    introspection: env.GRAPHQL_INTROSPECTION ?? !production,
    drainSeconds: env.DRAIN_SECONDS,
    shutdownSeconds: env.SHUTDOWN_SECONDS,
  };
}

function openIdSettings(env: Values, mistakes: string[]): OpenIdSettings | undefined {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_AUDIENCE: audience,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_LINK_BY: linkBy,
    OIDC_NAME: name,
  } = env;
  // Tokens for a client usually have its identifier as their audience.
  const ownId = clientId ?? audience;
  if (issuer !== undefined && ownId !== undefined)
    return {
      issuer,
      name,
      clientId: ownId,
      audience: audience ?? ownId,
      clientSecret,
      linkBy,
    };
  if (issuer !== undefined)
    mistakes.push('OIDC_CLIENT_ID or OIDC_AUDIENCE is needed with OIDC_ISSUER');
  else if (
    (ownId ?? clientSecret ?? name) !== undefined &&
    !mistakes.some((line) => line.startsWith('OIDC_ISSUER'))
  )
    mistakes.push('OIDC_ISSUER is needed with the other OIDC_ variables');
  return undefined;
}

function mailSettings(
  { SMTP_URL: server, MAIL_FROM: from }: Values,
  mistakes: string[],
): MailSettings | undefined {
  if (server !== undefined && from !== undefined) return { server, from };
  const isReported = (name: string) => mistakes.some((line) => line.startsWith(name));
  if (server !== undefined && !isReported('MAIL_FROM'))
    mistakes.push('MAIL_FROM is needed with SMTP_URL');
  if (from !== undefined && !isReported('SMTP_URL'))
    mistakes.push('SMTP_URL is needed with MAIL_FROM');
  return undefined;
}

function s3Store(env: Values, mistakes: string[]): BlobStore | undefined {
  const {
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    S3_BUCKET: bucket,
    S3_ENDPOINT: endpoint,
  } = env;
  // A wrong value was reported already.
  if (bucket === undefined && !mistakes.some((line) => line.startsWith('S3_BUCKET')))
    mistakes.push('S3_BUCKET is needed with BLOB_STORE=s3:');
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    mistakes.push(
      'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together: ' +
        'set both, or none to use the credential chain of the AWS SDK',
    );
  if (bucket === undefined) return undefined;
  return {
    kind: 's3',
    bucket,
    endpoint,
    publicEndpoint: env.S3_PUBLIC_ENDPOINT,
    region: env.S3_REGION,
    credentials:
      accessKeyId !== undefined && secretAccessKey !== undefined
        ? { accessKeyId, secretAccessKey }
        : undefined,
    // Few stores except Amazon's support a host name for each bucket.
    forcePathStyle: env.S3_FORCE_PATH_STYLE ?? endpoint !== undefined,
  };
}

function valueOf(environment: Environment, name: Name, mistakes: string[]): string | undefined {
  const direct = environment[name] || undefined;
  const file = environment[`${name}_FILE`] || undefined;
  if (!file) return direct;
  if (direct) {
    mistakes.push(`${name} and ${name}_FILE are both set: use one of them`);
    return undefined;
  }
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    mistakes.push(
      `${name}_FILE cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`,
    );
    return undefined;
  }
}

const shorter = (...days: (number | undefined)[]): number | undefined => {
  const given = days.filter((one) => one !== undefined);
  return given.length > 0 ? Math.min(...given) : undefined;
};
