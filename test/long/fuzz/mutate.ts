/** Ways to damage the response of a storage. */
import type { HttpAnswer } from '../../../src/outbound/http.js';
import type { Random } from '../crash/random.js';
import {
  hostileJson,
  hostileText,
  hostileXml,
  mediaTypes,
  oneOf,
  statuses,
  waits,
  xmlEscaped,
} from './hostile-values.js';
import { scarJson } from './damage-json.js';

/** @param others responses of the same storage to other requests */
type Mutation = (random: Random, answer: HttpAnswer, others: readonly HttpAnswer[]) => HttpAnswer;

const withBody =
  (change: (random: Random, body: Buffer) => Buffer): Mutation =>
  (random, answer) => ({ ...answer, body: change(random, answer.body) });
const withText = (change: (random: Random, text: string) => string): Mutation =>
  withBody((random, body) => Buffer.from(change(random, body.toString('utf8')), 'utf8'));
const withHeader =
  (name: string, values: readonly string[]): Mutation =>
  (random, answer) => ({
    ...answer,
    headers: { ...answer.headers, [name]: oneOf(random, values) },
  });
const asJson =
  (make: (random: Random) => string): Mutation =>
  (random, answer) => ({
    ...answer,
    headers: { ...answer.headers, 'content-type': 'application/json' },
    body: Buffer.from(make(random)),
  });

const element = /<([\w:-]+)>([^<]*)<\/\1>/g;

export const mutations: { readonly [name: string]: Mutation } = {
  truncated: withBody((random, body) => body.subarray(0, random.integer(body.length + 1))),
  'flipped bytes': withBody(flipped),
  'flipped byte order': withBody((_random, body) => Buffer.from(body.toString('utf8'), 'utf16le')),
  inserted: withBody((random, body) => inserted(random, body, Buffer.from(hostileText(random)))),
  removed: withBody((random, body) => cut(random, body)),
  'a mark in front': withBody((_random, body) => Buffer.concat([Buffer.from('\ufeff'), body])),
  empty: (_random, answer) => ({ ...answer, body: Buffer.alloc(0) }),
  blank: withBody(() => Buffer.from(' \r\n\t')),
  twice: withBody((_random, body) => Buffer.concat([body, body])),
  status: (random, answer) => ({ ...answer, status: oneOf(random, statuses) }),
  'media type': withHeader('content-type', mediaTypes),
  'no media type': (_random, { headers: { 'content-type': _type, ...headers }, ...answer }) => ({
    ...answer,
    headers,
  }),
  throttled: (random, answer) => ({
    ...answer,
    status: oneOf(random, [429, 503]),
    headers: { ...answer.headers, 'retry-after': oneOf(random, waits) },
  }),
  location: (random, answer) => ({
    ...answer,
    headers: { ...answer.headers, location: headerSafe(hostileText(random)) },
  }),
  'strange headers': (random, answer) => ({
    ...answer,
    headers: {
      ...answer.headers,
      [oneOf(random, [
        'content-length',
        'content-encoding',
        'www-authenticate',
        'transfer-encoding',
        '__proto__',
        'etag',
      ])]: headerSafe(hostileText(random)),
    },
  }),
  'another answer': (random, answer, others) =>
    others.length === 0 ? answer : oneOf(random, others),
  'the body of another': (random, answer, others) => ({
    ...answer,
    body: others.length === 0 ? answer.body : oneOf(random, others).body,
  }),
  'changed JSON': withText(scarJson),
  'more changed JSON': withText((random, text) => scarJson(random, scarJson(random, text))),
  'hostile JSON': asJson(hostileJson),
  'other numbers': withText((random, text) =>
    replacedAt(random, text, /\d+/g, () =>
      oneOf(random, ['0', '-1', '1e400', '9'.repeat(25), '404', '403', '200', '401', '1.5']),
    ),
  ),
  'other ids': withText((random, text) => {
    const ids = [...text.matchAll(/\b(?:\d{2,}|01[A-Z2-7]{32})\b/g)].map(([id]) => id);
    return ids.length === 0 ? text : text.replaceAll(oneOf(random, ids), oneOf(random, ids));
  }),
  'other text of an element': withText((random, text) =>
    replacedAt(
      random,
      text,
      element,
      (_whole, name) => `<${name}>${xmlEscaped(hostileText(random))}</${name}>`,
    ),
  ),
  'an element without its end': withText((random, text) =>
    replacedAt(random, text, /<\/[\w:-]+>/g, () => ''),
  ),
  'an element twice': withText((random, text) =>
    replacedAt(
      random,
      text,
      /<d:(response|propstat|href|prop)>.*?<\/d:\1>/gs,
      (whole) => whole + whole,
    ),
  ),
  'an element less': withText((random, text) =>
    replacedAt(
      random,
      text,
      random.integer(2) === 0 ? element : /<d:(response|propstat|href|prop)>.*?<\/d:\1>/gs,
      () => '',
    ),
  ),
  'hostile XML': withText((random, text) =>
    replacedAt(
      random,
      text,
      random.integer(2) === 0 ? element : /<[\w:/-]+>/g,
      (whole) => whole + oneOf(random, hostileXml)(),
    ),
  ),
  'hostile XML inside': withText((random, text) =>
    replacedAt(
      random,
      text,
      element,
      (_whole, name) => `<${name}>${oneOf(random, hostileXml)()}</${name}>`,
    ),
  ),
};

export const mutationNames = Object.keys(mutations);

/** The HTTP client returns header values in Latin-1, without line ends. */
const headerSafe = (text: string): string => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');

function flipped(random: Random, body: Buffer): Buffer {
  const changed = Buffer.from(body);
  for (let count = 1 + random.integer(8); count > 0 && changed.length > 0; count -= 1)
    changed[random.integer(changed.length)]! ^= 1 << random.integer(8);
  return changed;
}

function inserted(random: Random, body: Buffer, more: Buffer): Buffer {
  const at = random.integer(body.length + 1);
  return Buffer.concat([body.subarray(0, at), more, body.subarray(at)]);
}

function cut(random: Random, body: Buffer): Buffer {
  const from = random.integer(body.length + 1);
  return Buffer.concat([body.subarray(0, from), body.subarray(from + random.integer(64))]);
}

/** Replaces one match of the pattern. Text without a match stays. */
function replacedAt(
  random: Random,
  text: string,
  pattern: RegExp,
  by: (...found: string[]) => string,
): string {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return text;
  const match = oneOf(random, found);
  return text.slice(0, match.index) + by(...match) + text.slice(match.index + match[0].length);
}
