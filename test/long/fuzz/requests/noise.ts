/** Headers, paths and bodies that no client should send. */
import type { Random } from '../../crash/random.js';
import { hostileJson, hostileText, mediaTypes, oneOf } from '../hostile-values.js';
import { scarJson } from '../damage-json.js';

export const chance = (random: Random, inHundred: number): boolean =>
  random.integer(100) < inHundred;

const queries: readonly string[] = [
  "' or 1=1 --",
  '%_',
  '\u0000',
  'a\u202eb',
  'Ω≈ç√',
  '{"a":1}',
  '[1]',
  '-1',
  '0',
  '2147483648',
  '1e3',
  '0x10',
  '٣',
  '1 ',
  'me',
  'null',
  'hasOwnProperty',
];

/** A text that is invalid in its place. */
export const badText = (random: Random): string =>
  chance(random, 40) ? oneOf(random, queries) : hostileText(random);

/** Long enough to be recognised in a response, and usually short enough for the head of a request. */
const MOST_OF_A_PATH = 3_000;

/** Percent-encoded, with deliberate errors in some values. */
export function inPath(random: Random, text: string): string {
  const cut = chance(random, 5) ? text.slice(0, 20_000) : text.slice(0, MOST_OF_A_PATH);
  if (chance(random, 6))
    return oneOf(random, [
      '%',
      '%ff',
      '%ED%A0%80',
      '%00',
      '%2e%2e',
      '..',
      '%2F',
      '%252e',
      '%c0%af',
      ';a=b',
      '*',
    ]);
  return encodeURIComponent(Buffer.from(cut).toString('utf8'));
}

/** The characters that a header can have. */
const inHeader = (text: string): string =>
  Buffer.from(text.slice(0, 2_000))
    .toString('latin1')
    .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')
    .trim();

const names = [
  'accept',
  'accept-encoding',
  'accept-language',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'range',
  'if-range',
  'x-request-id',
  'origin',
  'referer',
  'cookie',
  'host',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-http-method-override',
  'content-encoding',
  'content-type',
  'content-language',
  'prefer',
  'user-agent',
  'apollo-require-preflight',
  'x-apollo-operation-name',
  'forwarded',
  'authorization',
  'access-control-request-method',
  'access-control-request-headers',
  'upgrade-insecure-requests',
  'x-requested-with',
  'x-graphql-event-stream-token',
  '__proto__',
  'constructor',
] as const;
const values: readonly string[] = [
  '*',
  '*/*',
  'text/html',
  'application/hal+json',
  'application/json;q=0',
  'application/xml',
  'text/event-stream',
  'gzip',
  'br',
  'identity;q=0',
  '"x"',
  'W/"x"',
  '*, "a"',
  'bytes=0-0',
  'bytes=-1',
  'bytes=5-1',
  'bytes=0-,1-2,3-',
  'bytes=99999999999-',
  'bytes=-0',
  'items=0-1',
  'null',
  'https://evil.example',
  'DELETE',
  'PATCH',
  '_session=abc; moorage_session=x',
  '127.0.0.1',
  '::1, x',
  'evil.example:99999',
  'respond-async',
  'Basic ',
  'Basic YXBpa2V5Og==',
  'Basic !!!',
  'Bearer',
  'Bearer  x',
  'Bearer eyJhbGciOiJub25lIn0.e30.',
  'Bearer [object Object]',
  'Negotiate x',
];

/** Adds or damages a few headers. */
export function noisyHeaders(
  random: Random,
  headers: { [name: string]: string },
): { [name: string]: string } {
  const result: [string, string][] = Object.entries(headers);
  while (chance(random, 60) && result.length < 8) {
    const name = oneOf(random, names);
    // Rare, because wrong credentials hide all other errors.
    if (name === 'authorization' && !chance(random, 15)) continue;
    const value =
      name === 'content-type'
        ? oneOf(random, mediaTypes)
        : chance(random, 60)
          ? oneOf(random, values)
          : badText(random);
    result.push([name, inHeader(value)]);
  }
  return Object.fromEntries(result);
}

/** JSON text with damaged places, or other text. */
export function noisyJson(random: Random, text: string): string {
  if (chance(random, 8))
    return oneOf(random, [
      '',
      ' ',
      '{',
      '[]',
      '""',
      'null',
      '{}{}',
      '\ufeff{}',
      '{"a":1,"a":2}',
      '{"__proto__":{"admin":true}}',
      text.slice(0, random.integer(text.length + 1)),
    ]);
  if (chance(random, 3)) return hostileJson(random);
  let spoilt = text;
  do spoilt = scarJson(random, spoilt);
  while (chance(random, 25));
  return spoilt;
}
