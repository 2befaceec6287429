/** Requests of the protocol tus at `/uploads`. */
import type { Random } from '../../crash/random.js';
import { oneOf } from '../hostile-values.js';
import { typeNames, type Draw, type Noun } from './callers.js';
import { badText, chance, inPath, noisyHeaders } from './noise.js';
import type { Route } from './routes.js';
import type { Wanted } from './wire.js';

const containers: readonly Noun[] = [
  'work_packages',
  'activities',
  'meetings',
  'posts',
  'wiki_pages',
];
const numbers = [
  '0',
  '1',
  '7',
  '12',
  '99999',
  '100001',
  '-1',
  '1.5',
  '1e3',
  '',
  '007',
  '9'.repeat(30),
];
const OFFSET_STREAM = 'application/offset+octet-stream';

type Headers = { [name: string]: string };

export const uploads = (): Route[] =>
  (['OPTIONS', 'POST', 'HEAD', 'PATCH', 'DELETE'] as const).map((method) => ({
    name: `${method} /uploads`,
    outbound: false,
    ask: (random, draw) => make(random, draw, method),
  }));

function make(random: Random, draw: Draw, method: string): Wanted {
  const spoilt = chance(random, 45);
  const isOfOne = method !== 'POST' && method !== 'OPTIONS';
  const id = draw('attachments');
  const place = spoilt && chance(random, 10) ? inPath(random, badText(random)) : id;
  const sends = method === 'PATCH' || (method === 'POST' && chance(random, 50));
  const body = Buffer.from('content of a film'.slice(0, random.integer(18)));
  const headers: Headers = {
    'tus-resumable': spoilt && chance(random, 10) ? '0.9.9' : '1.0.0',
    ...(method === 'POST' && creation(random, draw, spoilt)),
    ...(method === 'PATCH' && { 'upload-offset': spoilt ? oneOf(random, numbers) : '0' }),
    ...(sends && { 'content-type': spoilt && chance(random, 10) ? 'text/plain' : OFFSET_STREAM }),
  };
  return {
    operation: `${method} /uploads`,
    method,
    path: isOfOne ? `/uploads/${place}` : '/uploads',
    headers: spoilt && chance(random, 30) ? noisyHeaders(random, headers) : headers,
    ...(sends && { body }),
    reads: method === 'HEAD' || method === 'OPTIONS',
  };
}

function creation(random: Random, draw: Draw, spoilt: boolean): Headers {
  const noun = oneOf(random, containers);
  const values: Headers = {
    filename: 'film.bin',
    ...(chance(random, 60) && {
      container: Buffer.from(`${typeNames[noun]}:${draw(noun)}`).toString('base64url'),
    }),
    ...(chance(random, 30) && { filetype: 'video/mp4' }),
    ...(chance(random, 30) && { description: 'Größe' }),
    ...(chance(random, 30) && { uploadKey: `key-${random.integer(5)}` }),
    ...(chance(random, 20) && { replaces: draw('attachments') }),
  };
  if (spoilt) values[oneOf(random, Object.keys(values))] = badText(random).slice(0, 4_000);
  const pairs = Object.entries(values).map(
    ([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`,
  );
  if (spoilt && chance(random, 20))
    pairs.push(oneOf(random, ['filename', 'a b c', ',', '__proto__ eA==', '= =']));
  return {
    'upload-length': spoilt ? oneOf(random, numbers) : String(random.integer(40)),
    'upload-metadata': pairs.join(','),
  };
}
