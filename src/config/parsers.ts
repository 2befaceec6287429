/** Parsers of the values of settings. Their messages say what a value must be. */
import { isIP } from 'node:net';
import { z } from 'zod';
import type { MailSettings } from '../mail/mailer.js';
import type { ScannerAddress } from '../scanning/scanner.js';

export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);
const units: { readonly [unit: string]: number } = {
  '': 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};
/** A size of a byte or more: `5242880`, `5MB` (5,000,000 bytes) or `5MiB` (5,242,880 bytes). */
export const bytes = z
  .string()
  .regex(/^\d+(\.\d+)? ?([kmgt]i?b)?$/i, 'must be a number of bytes, such as 5242880, 5MB or 5MiB')
  .transform((value) => {
    const [, number = '', unit = ''] = /^([\d.]+) ?(.*)$/.exec(value) ?? [];
    return Math.round(Number(number) * units[unit.toLowerCase()]!);
  })
  .refine(
    (value) => value >= 1 && Number.isSafeInteger(value),
    `must be between 1 and ${Number.MAX_SAFE_INTEGER} bytes`,
  );
export const boolean = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((value) => value === 'true');
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean),
);
/**
 * An http or https address. It is not normalised: issuers are compared character by character
 * (OpenID Connect Discovery 1.0 section 4.3), and some end in a slash.
 */
export const httpUrl = z
  .string()
  .trim()
  .refine(isBase, 'must be an absolute http or https address without user, query and fragment');
export const httpBase = httpUrl.transform((value) => value.replace(/\/+$/, ''));
/** An origin, without a path: links, redirects and cookies use paths from the root of the host. */
export const httpOrigin = httpUrl.pipe(
  z
    .string()
    .refine(
      (value) => /^\/+$/.test(new URL(value).pathname),
      'must not have a path: give the service a host name or a port of its own, ' +
        'such as https://files.example.org',
    )
    .transform((value) => new URL(value).origin),
);
/** Names of a fixed set, or `none`. */
export const namesOf = <N extends string>(names: readonly N[]) =>
  list
    .refine(
      (entries) =>
        entries.join() === 'none' ||
        (entries.length > 0 && entries.every((entry) => names.includes(entry as N))),
      `must be none, or a comma separated list of: ${names.join(', ')}`,
    )
    .transform((entries) => entries.filter((entry): entry is N => names.includes(entry as N)));
export const httpOrigins = list.refine(
  (entries) => entries.every((entry) => URL.canParse(entry) && new URL(entry).origin === entry),
  'must be a comma separated list of origins such as https://app.example.org',
);
/** Origins of other servers for a content security policy. `*.` stands for any host below a name. */
export const policySources = list.refine(
  (entries) =>
    entries.every((entry) => /^https?:\/\/(\*\.)?[a-z\d-]+(\.[a-z\d-]+)*(:\d{1,5})?$/.test(entry)),
  'must be a comma separated list of origins such as https://files.example.org ' +
    'or https://*.example.org',
);
export const allowlist = list
  .refine(
    (entries) =>
      entries.every((entry) => /^(\*\.[^/*.\s]\S*|[\w!#$&^.+-]+\/([\w!#$&^.+-]+|\*))$/.test(entry)),
    'takes media types (image/png), families (image/*) and extensions (*.csv), comma separated',
  )
  .transform((entries) => entries.map((entry) => entry.toLowerCase()));

/** The parsed `DATABASE_URL`. `DatabaseAddress` also has the values of other settings. */
type DatabaseUrl = { client: 'sqlite'; file: string } | { client: 'postgres'; url: string };

export const database = z.string().transform((value, context): DatabaseUrl => {
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
export const blobs = z
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
export const scanner = z.string().transform((value, context): ScannerAddress => {
  const path = /^unix:(?:\/\/)?(\/.+)$/.exec(value)?.[1];
  if (path) return { path };
  const [, host, port] = /^tcp:\/\/(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})\/?$/i.exec(value) ?? [];
  if (host && Number(port) >= 1 && Number(port) <= 65_535)
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  context.addIssue({ code: 'custom', message: 'must be tcp://HOST:PORT or unix:/PATH' });
  return z.NEVER;
});
export const mailServer = z.string().transform((value, context): MailSettings['server'] => {
  const server = /^smtps?:\/\/[^/]/i.test(value) ? serverOf(value) : undefined;
  if (server) return server;
  context.addIssue({
    code: 'custom',
    message: 'must be smtp://USER:PASSWORD@HOST:PORT or smtps://USER:PASSWORD@HOST:PORT',
  });
  return z.NEVER;
});
function serverOf(address: string): MailSettings['server'] | undefined {
  try {
    const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(
      address,
    );
    if (hostname === '' || !['', '/'].includes(pathname) || search + hash !== '') return undefined;
    const secure = protocol === 'smtps:';
    return {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (secure ? 465 : 587) : Number(port),
      secure,
      credentials:
        username === ''
          ? undefined
          : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    };
  } catch {
    return undefined;
  }
}
const ADDRESS = /^[^\s<>@,;:"]+@[^\s<>@,;:"]+$/;
export const sender = z.string().refine((value) => {
  const named = /^[^<>\p{Cc}]+ <([^<>]+)>$/u.exec(value)?.[1];
  return ADDRESS.test(named ?? value);
}, 'must be an e-mail address, or: Name <address>');
export const secretKey = z.string().transform((value, context): Buffer => {
  const key = Buffer.from(value, /^[\da-f]{64}$/i.test(value) ? 'hex' : 'base64');
  if (key.length === 32) return key;
  context.addIssue({
    code: 'custom',
    message: 'must be 32 bytes as hex or base64, such as the output of: openssl rand -hex 32',
  });
  return z.NEVER;
});
export const trustProxy = z
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

/** Whether Express accepts the value. Otherwise it would throw later, with a stack trace. */
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
