/** The environment variables: parsers, default values and descriptions. */
import { z } from 'zod';
import { LINK_CLAIMS } from '../auth/openid/settings.js';
import {
  hostSettings,
  switches,
  type HostVariable,
  type SwitchVariable,
} from '../storages/types.js';
import {
  allowlist,
  blobs,
  boolean,
  bytes,
  database,
  httpBase,
  httpOrigin,
  httpOrigins,
  httpUrl,
  integer,
  namesOf,
  policySources,
  mailServer,
  scanner,
  secretKey,
  sender,
  trustProxy,
} from './parsers.js';

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
 * effect of a missing variable, when there is no fixed default value. Both are Markdown.
 */
export const variables = {
  NODE_ENV: z
    .enum(['development', 'production', 'test'], 'must be development, production or test')
    .default('development')
    .describe(
      '`production`: no demo directory, no introspection, no storages at private addresses; ' +
        '`SECRET_KEY` and `BASE_URL` are required. Others: `development` and `test`. A demo directory is loaded ' +
        'only where `HOST` is a loopback address',
    ),
  HOST: z.string().min(1).default('127.0.0.1').describe('address to listen on'),
  PORT: integer(0, 65_535).default(8080).describe('port to listen on; `0` picks a free one'),
  BASE_URL: httpOrigin.optional().meta({
    description: 'public address of the service: scheme, host and port, no path',
    unset: 'from host and port; required in production',
  }),
  WEB: boolean
    .default(true)
    .describe(
      'whether the service has the web application; `false`: `/` leads to the GraphQL explorer, ' +
        'and work packages have plain pages',
    ),
  DEMO: boolean
    .default(true)
    .describe(
      'whether an empty database outside of production gets people, projects, files and two ' +
        'storages to try; `false`: it gets roles, statuses and types only',
    ),
  DATABASE_URL: database
    .prefault('sqlite:./data/moorage.sqlite3')
    .describe('SQLite file, or `postgres://user:password@host:5432/name`'),
  DATABASE_PREPARED_STATEMENTS: boolean
    .default(true)
    .describe(
      'whether connections to PostgreSQL keep prepared statements; `false` for poolers that share ' +
        'connections between transactions and do not track prepared statements',
    ),
  BLOB_STORE: blobs
    .prefault('disk:./data/blobs')
    .describe('folder of the stored files, or `s3:` with the `S3_` settings'),
  FILE_GROUP_ACCESS: boolean
    .default(false)
    .describe(
      'whether the group of the process may open its files: modes 0660 and 0770, else 0600 and ' +
        '0700, whatever the umask',
    ),
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
  ATTACHMENTS_PER_CONTAINER: integer(1, 1_000_000)
    .default(10_000)
    .describe('limit of the attachments of one container; those that exist are always listed'),
  DOWNLOADS_PER_USER: integer(1, 100_000)
    .default(32)
    .describe(
      'limit of concurrent downloads of one user in a process; anonymous callers are counted by ' +
        'their network (IPv4 /24, IPv6 /56)',
    ),
  DOWNLOAD_STALL_SECONDS: integer(1, 3600)
    .default(64)
    .describe(
      'a download ends when its client takes less than 64 KiB in this time ' +
        '(64 seconds: less than 1 KiB per second); any other answer ends when its client does not ' +
        'take all of it in this time',
    ),
  UPLOAD_STALL_SECONDS: integer(1, 3600)
    .default(64)
    .describe(
      'an upload ends when its client sends less than 64 KiB in this time; ' +
        'time in which the service itself does not read does not count',
    ),
  UPLOAD_DAYS: integer(1, 365)
    .default(7)
    .describe('days after its last sign of life until a resumable upload ends'),
  PENDING_UPLOADS: integer(1, 1_000_000)
    .default(500)
    .describe('limit of prepared uploads and unclaimed attachments of one user at the same time'),
  PENDING_UPLOAD_BYTES: bytes
    .default(53_687_091_200)
    .describe(
      "limit of the total size of one user's prepared uploads and unclaimed attachments, " +
        'in bytes or as `50GiB`',
    ),
  ATTACHMENT_MAX_SIZE: bytes.optional().meta({
    description: 'largest attachment for all ways of uploads, in bytes or as `5MB` or `5MiB`',
    unset: '`5242880`; `512MiB` with the demo',
  }),
  ATTACHMENT_ALLOWLIST: allowlist.default([]).meta({
    description: 'allowed files, comma separated: media types, `type/*`, `*.ext`',
    unset: 'all',
  }),
  ATTACHMENT_GRACE_MINUTES: integer(0, 5_256_000)
    .default(180)
    .describe('lifetime of unclaimed attachments, unclaimed file links and prepared uploads'),
  NOTIFICATION_DAYS: integer(1, 3650)
    .default(90)
    .describe('notifications older than this number of days are removed'),
  AUDIT_DAYS: integer(1, 3650)
    .default(365)
    .describe('entries of the audit older than this number of days are removed'),
  API_KEY_DAYS: integer(1, 3650).optional().meta({
    description: 'life of an API key whose end nobody chooses, in days',
    unset: '`API_KEY_MAX_DAYS`, or no end',
  }),
  API_KEY_MAX_DAYS: integer(1, 3650).optional().meta({
    description: 'longest life of a new API key, in days',
    unset: 'no limit',
  }),
  TRASH_DAYS: integer(0, 3650).optional().meta({
    description: 'deleted files can be restored for this number of days; `0`: not at all',
    unset: '`0`; `30` with the demo',
  }),
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
  SCAN_TOO_LARGE: z
    .enum(['hold', 'pass'], 'must be hold or pass')
    .default('hold')
    .describe(
      'what happens to a file that is larger than the virus scanner reads: `hold` keeps it unscanned, ' +
        '`pass` marks it as scanned and writes to the log',
    ),
  SMTP_URL: mailServer.optional().meta({
    description:
      'mail server: `smtp://user:password@host:587` or `smtps://user:password@host:465`; ' +
      'a user and a password in it are URL-encoded',
    unset: 'no e-mail',
  }),
  MAIL_FROM: sender.optional().meta({
    description: 'who sends e-mails: `Name <address>`; required with `SMTP_URL`',
  }),
  MAIL_DELAY_SECONDS: integer(0, 86_400)
    .default(300)
    .describe('notifications of so many seconds are one e-mail'),
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
  OIDC_NAME: z.string().max(100).optional().meta({
    description: 'what the sign-in page calls the OpenID provider',
    unset: 'the host of `OIDC_ISSUER`',
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
  OIDC_LINK_BY: namesOf(LINK_CLAIMS)
    .prefault(LINK_CLAIMS.join())
    .describe(
      'claims that link a new identity to an existing login: `preferred_username`, `email`, ' +
        'comma separated, or `none`',
    ),
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
  CLOUD_DRIVE_UPLOAD_HOSTS: policySources
    .prefault('https://*.sharepoint.com')
    .describe(
      'origins to which cloud drives take uploads, comma separated; `*.` stands for any host ' +
        'below a name. The pages of the application may send files there',
    ),
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
      'proxies whose `X-Forwarded-` headers are trusted: their number, or their addresses and ' +
      'networks, comma separated. `true` trusts the first address of the header, which clients ' +
      'can write themselves; it is refused in production',
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
  PREVIEWS: boolean
    .default(true)
    .describe(
      'whether the service makes and shows small pictures of files; ' +
        '`moorage doctor` names the types for which it can',
    ),
  BACKGROUND_WORK: boolean
    .default(true)
    .describe(
      'whether this process finalises, scans, cleans up and delivers webhooks; ' +
        'at least one process must',
    ),
  FINALIZATIONS: integer(1, 256)
    .default(4)
    .describe('completed direct uploads that one process finalises at the same time'),
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
export type Name = keyof typeof variables;
export type Values = { readonly [name in Name]: z.infer<(typeof variables)[name]> };
