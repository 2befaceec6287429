/** Reads the configuration from the environment. No other file reads environment variables. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import type { BlobStore } from './blobs/index.js';
import type { DatabaseAddress } from './database/index.js';
import type { OpenIdSettings } from './auth/openid/settings.js';
import type { ScannerAddress } from './scanning/scanner.js';
import {
  hostSettings,
  switches,
  type HostVariable,
  type StorageSettings,
  type SwitchVariable,
} from './storages/types.js';
import { profiles, type Profile } from './contract/profiles.js';

export interface Config extends StorageSettings {
  production: boolean;
  host: string;
  port: number;
  baseUrl: string | undefined;
  database: DatabaseAddress;
  blobs: BlobStore;
  attachmentMaxSize: number;
  attachmentAllowlist: readonly string[];
  digestAlgorithm: 'sha256' | 'md5';
  attachmentGraceMinutes: number;
  /** Lifetime of the forms of direct uploads. */
  uploadUrlSeconds: number;
  /** Lifetime of signed addresses of downloads. */
  downloadUrlSeconds: number;
  /** Limit of pending direct uploads of one user. */
  pendingUploads: number;
  /** Limit of the total size of one user's prepared uploads, in bytes. */
  pendingUploadBytes: number;
  /** Absent: files are not scanned. */
  scanner: ScannerAddress | undefined;
  scanAction: 'quarantine' | 'delete';
  scanPolicy: 'closed' | 'open';
  /** Whether this process finalises, scans, cleans up and delivers webhooks. */
  backgroundWork: boolean;
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
  /** How long a stopping server still accepts requests, so that load balancers notice. */
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

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);
const boolean = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((value) => value === 'true');
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean),
);
/**
 * Not normalised: issuers are compared character by character (OpenID Connect Discovery 1.0 section
 * 4.3), and some end in a slash.
 */
const httpUrl = z
  .string()
  .trim()
  .refine(isBase, 'must be an absolute http or https address without user, query and fragment');
const httpBase = httpUrl.transform((value) => value.replace(/\/+$/, ''));
/** Without a path: links, redirects and cookies use paths from the root of the host. */
const httpOrigin = httpUrl.pipe(
  z
    .string()
    .refine(
      (value) => /^\/+$/.test(new URL(value).pathname),
      'must not have a path: give the service a host name or a port of its own, ' +
        'such as https://files.example.org',
    )
    .transform((value) => new URL(value).origin),
);
const httpOrigins = list.refine(
  (entries) => entries.every((entry) => URL.canParse(entry) && new URL(entry).origin === entry),
  'must be a comma separated list of origins such as https://app.example.org',
);
const allowlist = list
  .refine(
    (entries) =>
      entries.every((entry) => /^(\*\.[^/*.\s]\S*|[\w!#$&^.+-]+\/([\w!#$&^.+-]+|\*))$/.test(entry)),
    'takes media types (image/png), families (image/*) and extensions (*.csv), comma separated',
  )
  .transform((entries) => entries.map((entry) => entry.toLowerCase()));

const database = z.string().transform((value, context): DatabaseAddress => {
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(value)?.[1];
  if (file && /^(file:)?:memory:/.test(file)) {
    context.addIssue({
      code: 'custom',
      message: 'must name a file: each connection would have a database in memory of its own',
    });
    return z.NEVER;
  }
  if (file) return { client: 'sqlite', file };
  if (/^postgres(ql)?:\/\/./.test(value) && URL.canParse(value))
    return { client: 'postgres', url: value };
  context.addIssue({
    code: 'custom',
    message: 'must be sqlite:FILE or postgres://USER:PASSWORD@HOST:PORT/NAME',
  });
  return z.NEVER;
});
const blobs = z
  .string()
  .transform((value, context): { kind: 'disk'; root: string } | { kind: 's3' } => {
    const root = /^disk:(?:\/\/)?(.+)$/.exec(value)?.[1];
    if (root) return { kind: 'disk', root };
    if (value === 's3:') return { kind: 's3' };
    context.addIssue({
      code: 'custom',
      message: 'must be disk:FOLDER, or s3: with S3_BUCKET and the other S3_ variables',
    });
    return z.NEVER;
  });
const scanner = z.string().transform((value, context): ScannerAddress => {
  const path = /^unix:(?:\/\/)?(\/.+)$/.exec(value)?.[1];
  if (path) return { path };
  const [, host, port] = /^tcp:\/\/(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})\/?$/i.exec(value) ?? [];
  if (host && Number(port) >= 1 && Number(port) <= 65_535)
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  context.addIssue({ code: 'custom', message: 'must be tcp://HOST:PORT or unix:/PATH' });
  return z.NEVER;
});
const secretKey = z.string().transform((value, context): Buffer => {
  const key = Buffer.from(value, /^[\da-f]{64}$/i.test(value) ? 'hex' : 'base64');
  if (key.length === 32) return key;
  context.addIssue({
    code: 'custom',
    message: 'must be 32 bytes as hex or base64, such as the output of: openssl rand -hex 32',
  });
  return z.NEVER;
});
const trustProxy = z
  .string()
  .refine(
    isTrust,
    'must be off, true, a number of proxies, or a comma separated list of addresses, ' +
      'networks (10.0.0.0/8), loopback, linklocal and uniquelocal',
  )
  .transform((value): boolean | number | string =>
    value === 'off' || value === 'false'
      ? false
      : value === 'true'
        ? true
        : /^\d+$/.test(value)
          ? Number(value)
          : value,
  );

function isBase(value: string): boolean {
  if (!URL.canParse(value) || /[?#\s]/.test(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** Checks the value here, because Express would throw later with a stack trace. */
function isTrust(value: string): boolean {
  return (
    /^(off|true|false|\d+)$/.test(value) ||
    value.split(',').every((entry) => {
      const [address = '', bits, ...rest] = entry.trim().split('/');
      if (/^(loopback|linklocal|uniquelocal)$/.test(entry.trim())) return true;
      return (
        isIP(address) !== 0 &&
        rest.length === 0 &&
        (bits === undefined ||
          (/^\d+$/.test(bits) &&
            Number(bits) >= 1 &&
            Number(bits) <= (isIP(address) === 4 ? 32 : 128)))
      );
    })
  );
}

/** The settings of the types of storages. */
const storageVariables = Object.fromEntries([
  ...switches.map(({ variable, description }) => [
    variable,
    boolean.default(true).describe(description),
  ]),
  ...hostSettings.map(({ variable, description, default: address }) => [
    variable,
    httpBase.default(address).describe(description),
  ]),
]) as { [variable in SwitchVariable]: z.ZodDefault<typeof boolean> } & {
  [variable in HostVariable]: z.ZodDefault<typeof httpBase>;
};

/**
 * The settings, in the order of the table of settings. `description` is the meaning. `unset` is the
 * effect of a missing variable, when that is no plain default value. Both are Markdown.
 */
const variables = {
  NODE_ENV: z
    .string()
    .default('development')
    .describe(
      '`production`: no demo directory, no introspection, no storages at private addresses; ' +
        '`SECRET_KEY` is required',
    ),
  HOST: z.string().min(1).default('127.0.0.1').describe('address to listen on'),
  PORT: integer(0, 65_535).default(8080).describe('port to listen on; `0` picks a free one'),
  BASE_URL: httpOrigin.optional().meta({
    description: 'public address of the service: scheme, host and port, no path',
    unset: 'from host and port',
  }),
  DATABASE_URL: database
    .prefault('sqlite:./data/moorage.sqlite3')
    .describe('SQLite file, or `postgres://user:password@host:5432/name`'),
  BLOB_STORE: blobs
    .prefault('disk:./data/blobs')
    .describe('folder of the stored files, or `s3:` with the `S3_` settings'),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional()
    .meta({ description: 'bucket of the stored files; required with `BLOB_STORE=s3:`' }),
  S3_ENDPOINT: httpBase.optional().meta({
    description: 'address of the S3-compatible service',
    unset: "Amazon's",
  }),
  S3_PUBLIC_ENDPOINT: httpBase.optional().meta({
    description: 'address of the S3-compatible service for clients',
    unset: 'as `S3_ENDPOINT`',
  }),
  S3_REGION: z
    .string()
    .regex(/^[\w-]+$/, 'must be a region such as eu-central-1')
    .default('us-east-1')
    .describe('region of the bucket'),
  S3_ACCESS_KEY_ID: z.string().optional().meta({
    description: 'access key; direct uploads need key and secret',
    unset: "the AWS SDK's credential chain",
  }),
  S3_SECRET_ACCESS_KEY: z.string().optional().meta({
    description: 'secret of the access key',
    unset: "the AWS SDK's credential chain",
  }),
  S3_FORCE_PATH_STYLE: boolean.optional().meta({
    description: 'whether addresses have the bucket in the path, not in the host name',
    unset: '`true` with `S3_ENDPOINT`',
  }),
  UPLOAD_URL_SECONDS: integer(1, 3600)
    .default(900)
    .describe('lifetime of the signed forms of direct uploads'),
  DOWNLOAD_URL_SECONDS: integer(1, 604_800)
    .default(300)
    .describe('lifetime of signed addresses of downloads'),
  PENDING_UPLOADS: integer(1, 1_000_000)
    .default(500)
    .describe('limit of prepared uploads of one user at the same time'),
  PENDING_UPLOAD_BYTES: integer(1, Number.MAX_SAFE_INTEGER)
    .default(53_687_091_200)
    .describe("limit of the total size of one user's prepared uploads, in bytes"),
  ATTACHMENT_MAX_SIZE: integer(1, Number.MAX_SAFE_INTEGER)
    .default(5_242_880)
    .describe('largest attachment in bytes, for both upload modes'),
  ATTACHMENT_ALLOWLIST: allowlist.default([]).meta({
    description: 'allowed files, comma separated: media types, `type/*`, `*.ext`',
    unset: 'all',
  }),
  ATTACHMENT_GRACE_MINUTES: integer(0, 5_256_000)
    .default(180)
    .describe('lifetime of unclaimed attachments, unclaimed file links and prepared uploads'),
  DIGEST_ALGORITHM: z.enum(['sha256', 'md5'], 'must be sha256 or md5').optional().meta({
    description: 'digest of attachments: `sha256` or `md5`',
    unset: '`sha256`; `md5` with `API_PROFILE=openproject`',
  }),
  CLAMD_URL: scanner.optional().meta({
    description: "ClamAV's daemon: `tcp://host:port` or `unix:/path`",
    unset: 'no scanning',
  }),
  SCAN_ACTION: z
    .enum(['quarantine', 'delete'], 'must be quarantine or delete')
    .default('quarantine')
    .describe('what happens to an infected file: `quarantine` or `delete`'),
  SCAN_POLICY: z
    .enum(['closed', 'open'], 'must be closed or open')
    .default('closed')
    .describe('`open`: others than the author may download a file before its scan; else `closed`'),
  SECRET_KEY: secretKey.optional().meta({
    description: '32 bytes as hex or base64; encrypts stored secrets; required in production',
    unset: 'generated, in `./data/secret-key`',
  }),
  SECRET_KEY_PREVIOUS: secretKey.optional().meta({
    description: 'the previous `SECRET_KEY`, until `moorage rotate-key` has run',
  }),
  OIDC_ISSUER: httpUrl.optional().meta({
    description:
      'OpenID provider for sign-in, JWT bearer tokens and token exchange; ' +
      'exactly as the provider writes it, including a slash at the end',
    unset: 'off',
  }),
  OIDC_CLIENT_ID: z.string().optional().meta({
    description: 'client id of Moorage at the OpenID provider',
    unset: 'as `OIDC_AUDIENCE`',
  }),
  OIDC_CLIENT_SECRET: z.string().optional().meta({
    description: 'secret of the client `OIDC_CLIENT_ID`',
    unset: 'a public client',
  }),
  OIDC_AUDIENCE: z.string().optional().meta({
    description: 'audience that bearer tokens must have',
    unset: 'as `OIDC_CLIENT_ID`',
  }),
  STORAGE_CONNECT_TIMEOUT_MS: integer(1, 600_000)
    .default(3000)
    .describe('time limit for a connection to a storage'),
  STORAGE_TIMEOUT_MS: integer(1, 600_000)
    .default(10_000)
    .describe('time limit for all calls of one request to one storage'),
  STORAGE_ALLOW_PRIVATE: boolean.optional().meta({
    description: 'whether storages and the OpenID provider may have loopback and private addresses',
    unset: '`true` outside production',
  }),
  ...storageVariables,
  BUSY_REQUESTS: integer(1, 100_000)
    .default(16)
    .describe(
      'requests that compute at the same time in an overloaded process. Four times as many are ' +
        'accepted together with those that wait for storages. Further ones get 503',
    ),
  METRICS_PORT: integer(0, 65_535).optional().meta({
    description: 'separate port of `/metrics`, without authentication',
    unset: '`/metrics` on `PORT`, for administrators',
  }),
  API_PROFILE: z
    .enum(['standard', 'openproject'], 'must be standard or openproject')
    .default('standard')
    .describe('`openproject`: the dialect of existing clients; else `standard`'),
  CORS_ORIGINS: httpOrigins.default([]).meta({
    description: 'origins whose pages may call the service, comma separated',
    unset: 'none',
  }),
  GRAPHQL_INTROSPECTION: boolean.optional().meta({
    description: 'whether clients can read the GraphQL schema',
    unset: '`true` outside production',
  }),
  TRUST_PROXY: trustProxy.default(false).meta({
    description:
      'proxies whose `X-Forwarded-` headers are trusted: `true`, their number, or their ' +
      'addresses and networks, comma separated',
    unset: '`off`',
  }),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    )
    .default('info')
    .describe(
      'lowest level that is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    ),
  WORKERS: integer(1, 1024).default(1).describe('processes that share the port (PostgreSQL only)'),
  BACKGROUND_WORK: boolean
    .default(true)
    .describe(
      'whether this process finalises, scans, cleans up and delivers webhooks; ' +
        'at least one process must',
    ),
  LEASE_SECONDS: integer(1, 3600)
    .default(60)
    .describe('other processes take over the work of a process that is silent for this time'),
  DRAIN_SECONDS: integer(0, 3600)
    .default(0)
    .describe('how long a stopping server still accepts requests while it reports not ready'),
  SHUTDOWN_SECONDS: integer(0, 3600)
    .default(30)
    .describe('how long requests in flight may take after `DRAIN_SECONDS`'),
};
type Name = keyof typeof variables;

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
  if (
    env.NODE_ENV === 'production' &&
    !env.SECRET_KEY &&
    !mistakes.some((line) => line.startsWith('SECRET_KEY '))
  )
    mistakes.push(
      'SECRET_KEY is needed in production: 32 bytes, such as the output of: openssl rand -hex 32',
    );
  const store = env.BLOB_STORE?.kind === 's3' ? s3Store(env, mistakes) : env.BLOB_STORE;
  if (mistakes.length > 0 || !store) throw new ConfigError(mistakes);
  const production = env.NODE_ENV === 'production';
  const profile = profiles[env.API_PROFILE];
  return {
    production,
    profile,
    host: env.HOST,
    port: env.PORT,
    baseUrl: env.BASE_URL,
    database: env.DATABASE_URL,
    blobs: store,
    attachmentMaxSize: env.ATTACHMENT_MAX_SIZE,
    attachmentAllowlist: env.ATTACHMENT_ALLOWLIST,
    digestAlgorithm: env.DIGEST_ALGORITHM ?? profile.digestAlgorithm,
    attachmentGraceMinutes: env.ATTACHMENT_GRACE_MINUTES,
    uploadUrlSeconds: env.UPLOAD_URL_SECONDS,
    downloadUrlSeconds: env.DOWNLOAD_URL_SECONDS,
    pendingUploads: env.PENDING_UPLOADS,
    pendingUploadBytes: env.PENDING_UPLOAD_BYTES,
    scanner: env.CLAMD_URL,
    scanAction: env.SCAN_ACTION,
    scanPolicy: env.SCAN_POLICY,
    backgroundWork: env.BACKGROUND_WORK,
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

type Values = { readonly [name in Name]: z.infer<(typeof variables)[name]> };

function openIdSettings(env: Values, mistakes: string[]): OpenIdSettings | undefined {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_AUDIENCE: audience,
    OIDC_CLIENT_SECRET: clientSecret,
  } = env;
  // Tokens for a client usually have its identifier as their audience.
  const ownId = clientId ?? audience;
  if (issuer !== undefined && ownId !== undefined)
    return { issuer, clientId: ownId, audience: audience ?? ownId, clientSecret };
  if (issuer !== undefined)
    mistakes.push('OIDC_CLIENT_ID or OIDC_AUDIENCE is needed with OIDC_ISSUER');
  else if (
    (ownId ?? clientSecret) !== undefined &&
    !mistakes.some((line) => line.startsWith('OIDC_ISSUER'))
  )
    mistakes.push('OIDC_ISSUER is needed with the other OIDC_ variables');
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
