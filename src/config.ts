/** The only reader of the environment. Everything else receives a `Config`. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import { profiles, type Profile } from './profile.js';

export interface Config {
  production: boolean;
  host: string;
  port: number;
  baseUrl: string | undefined;
  database: { client: 'sqlite'; file: string } | { client: 'postgres'; url: string };
  blobs: { kind: 'disk'; root: string };
  attachmentMaxSize: number;
  attachmentAllowlist: readonly string[];
  digestAlgorithm: 'sha256' | 'md5';
  attachmentGraceMinutes: number;
  profile: Profile;
  corsOrigins: readonly string[];
  trustProxy: boolean | number | string;
  logLevel: string;
  workers: number;
  introspection: boolean;
  shutdownSeconds: number;
}

/** All mistakes of a configuration at once; `serve` prints them and exits with 78 (EX_CONFIG). */
export class ConfigError extends Error {
  constructor(readonly mistakes: readonly string[]) {
    super(`The configuration has ${mistakes.length} mistake${mistakes.length === 1 ? '' : 's'}:\n${mistakes.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

type Environment = Record<string, string | undefined>;

const integer = (min: number, max: number) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);
const boolean = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true');
const list = z.string().transform((value) => value.split(',').map((entry) => entry.trim()).filter(Boolean));
const httpUrl = z.string().refine(isBase, 'must be an absolute http or https address without user, query and fragment').transform((value) => value.replace(/\/+$/, ''));
const httpOrigins = list.refine((entries) => entries.every((entry) => URL.canParse(entry) && new URL(entry).origin === entry), 'must be a comma separated list of origins such as https://app.example.org');
const allowlist = list.refine((entries) => entries.every((entry) => /^(\*\.[^/*.\s]\S*|[\w!#$&^.+-]+\/([\w!#$&^.+-]+|\*))$/.test(entry)), 'takes media types (image/png), families (image/*) and extensions (*.csv), comma separated')
  .transform((entries) => entries.map((entry) => entry.toLowerCase()));

const database = z.string().transform((value, context): Config['database'] => {
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(value)?.[1];
  if (file) return { client: 'sqlite', file };
  if (/^postgres(ql)?:\/\/./.test(value) && URL.canParse(value)) return { client: 'postgres', url: value };
  context.addIssue({ code: 'custom', message: 'must be sqlite:FILE or postgres://USER:PASSWORD@HOST:PORT/NAME' });
  return z.NEVER;
});
const blobs = z.string().transform((value, context): Config['blobs'] => {
  const root = /^disk:(?:\/\/)?(.+)$/.exec(value)?.[1];
  if (root) return { kind: 'disk', root };
  context.addIssue({ code: 'custom', message: value.startsWith('s3:') ? 'must be disk:FOLDER, s3: is not supported by this version' : 'must be disk:FOLDER' });
  return z.NEVER;
});
const trustProxy = z.string().refine(isTrust, 'must be off, true, a number of proxies, or a comma separated list of addresses, networks (10.0.0.0/8), loopback, linklocal and uniquelocal')
  .transform((value): boolean | number | string =>
  value === 'off' || value === 'false' ? false : value === 'true' ? true : /^\d+$/.test(value) ? Number(value) : value);

function isBase(value: string): boolean {
  if (!URL.canParse(value) || /[?#]/.test(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** What Express would refuse later, with a stack trace. */
function isTrust(value: string): boolean {
  return /^(off|true|false|\d+)$/.test(value) || value.split(',').every((entry) => {
    const [address = '', bits, ...rest] = entry.trim().split('/');
    if (/^(loopback|linklocal|uniquelocal)$/.test(entry.trim())) return true;
    return isIP(address) !== 0 && rest.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (isIP(address) === 4 ? 32 : 128)));
  });
}

const variables = {
  NODE_ENV: z.string().default('development'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: integer(0, 65_535).default(8080),
  BASE_URL: httpUrl.optional(),
  DATABASE_URL: database.prefault('sqlite:./data/moorage.sqlite3'),
  BLOB_STORE: blobs.prefault('disk:./data/blobs'),
  ATTACHMENT_MAX_SIZE: integer(1, Number.MAX_SAFE_INTEGER).default(5_242_880),
  ATTACHMENT_ALLOWLIST: allowlist.default([]),
  DIGEST_ALGORITHM: z.enum(['sha256', 'md5'], 'must be sha256 or md5').optional(),
  ATTACHMENT_GRACE_MINUTES: integer(0, 5_256_000).default(180),
  API_PROFILE: z.enum(['standard', 'openproject'], 'must be standard or openproject').default('standard'),
  CORS_ORIGINS: httpOrigins.default([]),
  TRUST_PROXY: trustProxy.default(false),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be fatal, error, warn, info, debug, trace or silent').default('info'),
  WORKERS: integer(1, 1024).default(1),
  GRAPHQL_INTROSPECTION: boolean.optional(),
  SHUTDOWN_SECONDS: integer(0, 3600).default(30),
};
type Name = keyof typeof variables;

/**
 * Reads the configuration from an environment; an empty value counts as absent, `NAME_FILE` names a file that holds the value.
 * @throws ConfigError with every mistake found
 */
export function readConfig(environment: Environment): Config {
  const mistakes: string[] = [];
  const env = {} as { -readonly [name in Name]: z.infer<(typeof variables)[name]> };
  for (const name of Object.keys(variables) as Name[]) {
    const parsed = variables[name].safeParse(valueOf(environment, name, mistakes));
    if (parsed.success) Object.assign(env, { [name]: parsed.data });
    for (const { message } of parsed.error?.issues ?? []) mistakes.push(`${name} ${message}`);
  }
  // A variable with a mistake is absent here.
  if (env.WORKERS > 1 && env.DATABASE_URL?.client === 'sqlite') mistakes.push('WORKERS more than one process needs PostgreSQL: set DATABASE_URL to postgres://…');
  if (env.WORKERS > 1 && env.PORT === 0) mistakes.push('PORT several workers share one port: set PORT to a number other than 0');
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  const production = env.NODE_ENV === 'production';
  const profile = profiles[env.API_PROFILE];
  return {
    production, profile,
    host: env.HOST, port: env.PORT, baseUrl: env.BASE_URL,
    database: env.DATABASE_URL, blobs: env.BLOB_STORE,
    attachmentMaxSize: env.ATTACHMENT_MAX_SIZE, attachmentAllowlist: env.ATTACHMENT_ALLOWLIST,
    digestAlgorithm: env.DIGEST_ALGORITHM ?? profile.digestAlgorithm,
    attachmentGraceMinutes: env.ATTACHMENT_GRACE_MINUTES,
    corsOrigins: env.CORS_ORIGINS, trustProxy: env.TRUST_PROXY,
    logLevel: env.LOG_LEVEL, workers: env.WORKERS,
    introspection: env.GRAPHQL_INTROSPECTION ?? !production,
    shutdownSeconds: env.SHUTDOWN_SECONDS,
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
    mistakes.push(`${name}_FILE cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`);
    return undefined;
  }
}
