/** Requests for each operation of the HAL interface, from its OpenAPI description. */
import type { Random } from '../../crash/random.js';
import { profiles } from '../../../../src/contract/profiles.js';
import { descriptionOf } from '../../../support/openapi.js';
import { oneOf } from '../hostile-values.js';
import { nouns, type Draw, type Noun } from './callers.js';
import { badText, chance, inPath, noisyHeaders, noisyJson } from './noise.js';
import { plain, type Schema } from './values.js';
import type { Wanted } from './wire.js';
import { KNOWN_FILE } from './world.js';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: Schema;
}
interface Described {
  parameters?: Parameter[];
  requestBody?: { content: { [type: string]: { schema: Schema } } };
  responses: { [status: string]: { $ref?: string } };
}

export interface Route {
  name: string;
  /** It sends a request to a storage, which may fail. */
  outbound: boolean;
  ask(random: Random, draw: Draw): Wanted;
}

/** The profile of the description. */
export const profile = profiles.standard;

export function routes(): Route[] {
  const { paths } = descriptionOf(profile) as unknown as {
    paths: { [path: string]: { [method: string]: Described } };
  };
  const verbs = (item: { [member: string]: Described }) =>
    Object.entries(item).filter(([member]) => member !== 'parameters');
  return Object.entries(paths).flatMap(([path, item]) =>
    verbs(item).map(([verb, described]): Route => {
      const name = `${verb.toUpperCase()} ${path}`;
      return {
        name,
        outbound: described.responses['500']?.$ref?.endsWith('/OutboundFailure') ?? false,
        ask: (random, draw) => make(random, draw, name, path, described),
      };
    }),
  );
}

/** The place of a path parameter determines the kind of its id. */
const nounBefore = (path: string, parameter: string): Noun | undefined => {
  const segment = path.split(`/{${parameter}}`)[0]!.split('/').at(-1)!;
  return nouns.find((noun) => noun === segment);
};

function make(
  random: Random,
  draw: Draw,
  operation: string,
  template: string,
  { parameters = [], requestBody }: Described,
): Wanted {
  const spoilt = chance(random, 45);
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const noun = nounBefore(template, name);
    const id = noun ? draw(noun) : String(KNOWN_FILE);
    return spoilt && chance(random, 12) ? inPath(random, badText(random)) : id;
  });
  const query = parameters
    .filter((one) => one.in === 'query' && chance(random, 50))
    .map(({ name }) => `${name}=${queryValue(random, draw, name, spoilt)}`);
  if (spoilt && chance(random, 10))
    query.push(`${inPath(random, badText(random))}=${inPath(random, badText(random))}`);
  const slash = chance(random, 3) ? '/' : '';
  const path = `/api/v3${filled === '/' ? '' : filled}${slash}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const body = requestBody ? bodyOf(random, draw, requestBody.content, spoilt) : undefined;
  const verb = operation.split(' ')[0]!;
  const method =
    verb === 'GET' && chance(random, 4)
      ? 'HEAD'
      : spoilt && chance(random, 2)
        ? oneOf(random, ['OPTIONS', 'PUT', 'TRACE', 'PROPFIND', 'HEAD'])
        : verb;
  const headers = { accept: '*/*', ...body?.headers };
  return {
    operation,
    method,
    path,
    headers: spoilt && chance(random, 40) ? noisyHeaders(random, headers) : headers,
    ...(body && { body: body.bytes }),
    reads: verb === 'GET' && !template.endsWith('/uploaded'),
  };
}

const filters: readonly [string, Noun][] = [
  ['storageId', 'storages'],
  ['projectId', 'projects'],
  ['storage', 'storages'],
];

function queryValue(random: Random, draw: Draw, name: string, spoilt: boolean): string {
  const text =
    name !== 'filters'
      ? oneOf(random, ['1', '2', '20', '-1', '1000', '/', '/Docs', String(KNOWN_FILE), 'a/b'])
      : JSON.stringify(
          filters
            .filter(() => chance(random, 40))
            .map(([filter, noun]) => ({ [filter]: { operator: '=', values: [draw(noun)] } })),
        );
  if (!spoilt || chance(random, 50)) return encodeURIComponent(text);
  return inPath(
    random,
    name === 'filters' && chance(random, 70) ? noisyJson(random, text) : badText(random),
  );
}

const BOUNDARY = 'the-boundary';

function bodyOf(
  random: Random,
  draw: Draw,
  content: { [type: string]: { schema: Schema } },
  spoilt: boolean,
): { bytes: Buffer; headers: { [name: string]: string } } {
  const type = oneOf(random, Object.keys(content));
  const { schema } = content[type]!;
  if (type !== 'multipart/form-data') {
    const text = JSON.stringify(plain(random, draw, schema));
    return {
      bytes: Buffer.from(spoilt && chance(random, 65) ? noisyJson(random, text) : text),
      headers: { 'content-type': type },
    };
  }
  const names = Object.keys(schema.properties!).filter(() => !(spoilt && chance(random, 6)));
  if (spoilt && chance(random, 5))
    names.push(oneOf(random, ['metadata', 'file', '__proto__', 'extra']));
  if (chance(random, 20)) names.reverse();
  const parts = names.map((name) =>
    part(
      random,
      name,
      name === 'metadata'
        ? JSON.stringify(plain(random, draw, schema.properties!['metadata']!))
        : undefined,
      spoilt,
    ),
  );
  const end = spoilt && chance(random, 4) ? '' : `--${BOUNDARY}--\r\n`;
  return {
    bytes: Buffer.concat([...parts, Buffer.from(end)]),
    headers: {
      'content-type': `multipart/form-data; boundary=${spoilt && chance(random, 3) ? 'another' : BOUNDARY}`,
    },
  };
}

/** A part of a form. Without metadata it is the file. */
function part(random: Random, name: string, metadata: string | undefined, spoilt: boolean): Buffer {
  const fileName =
    spoilt && chance(random, 20)
      ? badText(random)
          .slice(0, 2_000)
          .replaceAll(/["\r\n]/g, '')
      : 'notes.txt';
  const type =
    spoilt && chance(random, 10)
      ? 'nonsense'
      : metadata === undefined
        ? 'text/plain'
        : 'application/json';
  const disposition = `form-data; name="${name}"${metadata === undefined ? `; filename="${fileName}"` : ''}`;
  const content =
    metadata === undefined
      ? `content ${random.integer(1_000)}`
      : spoilt && chance(random, 60)
        ? noisyJson(random, metadata)
        : metadata;
  return Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`,
  );
}
