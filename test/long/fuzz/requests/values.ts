/** Values that fit the JSON schemas of the OpenAPI description. */
import type { Random } from '../../crash/random.js';
import { oneOf } from '../hostile-values.js';
import { nouns, type Draw, type Noun } from './callers.js';
import { chance } from './noise.js';
import { KNOWN_FILE } from './world.js';

export interface Schema {
  type?: string | string[];
  properties?: { [name: string]: Schema };
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  pattern?: string;
  format?: string;
  minimum?: number;
  minItems?: number;
}

const words = ['a', 'Plan', 'notes.txt', 'Ein Name', 'größer', '名前', 'x'.repeat(255), 'a b.c'];
const addresses = [
  'http://127.0.0.1:1/open',
  'http://127.0.0.1:1/somewhere',
  'https://127.0.0.1:1/files',
  'http://localhost:1/',
];
/** Values of links, by the names of the members. */
const links: { readonly [name: string]: readonly string[] } = {
  type: [
    'urn:service-org:api:v3:storages:SelfHostedFileServer',
    'urn:service-org:api:v3:storages:CloudDrive',
  ],
  authenticationMethod: [
    'urn:service-org:api:v3:storages:authenticationMethod:TwoWayOAuth2',
    'urn:service-org:api:v3:storages:authenticationMethod:OAuth2SSO',
  ],
  origin: addresses,
  storageUrl: addresses,
};

/** @param name of the member */
export function plain(random: Random, draw: Draw, schema: Schema, name = ''): unknown {
  if (schema.anyOf) return plain(random, draw, oneOf(random, schema.anyOf), name);
  if (schema.enum) return oneOf(random, schema.enum);
  const type = Array.isArray(schema.type) ? oneOf(random, schema.type) : schema.type;
  switch (type) {
    case 'object':
      return objectOf(random, draw, schema, name);
    case 'array':
      return Array.from({ length: (schema.minItems ?? 0) + random.integer(2) }, () =>
        plain(random, draw, schema.items!, name),
      );
    case 'integer':
      return name === 'projectId'
        ? Number(draw('projects'))
        : random.integer(name === 'lockVersion' ? 2 : 20);
    case 'boolean':
      return chance(random, 50);
    case 'null':
      return null;
    default:
      return textOf(random, draw, schema, name);
  }
}

function objectOf(
  random: Random,
  draw: Draw,
  { properties = {}, required = [] }: Schema,
  name: string,
): object {
  const members = Object.entries(properties).filter(
    ([member]) => required.includes(member) || chance(random, 45),
  );
  return Object.fromEntries(
    members.map(([member, schema]) => [
      member,
      plain(random, draw, schema, member === 'href' || member === 'raw' ? name : member),
    ]),
  );
}

function textOf(random: Random, draw: Draw, { pattern }: Schema, name: string): string {
  const noun =
    nouns.find((one) => pattern?.includes(`/api/v3/${one}/`)) ??
    (pattern?.includes('(file_links|') ? ('file_links' satisfies Noun) : undefined);
  if (noun) return `/api/v3/${noun}/${draw(noun)}`;
  if (name in links) return oneOf(random, links[name]!);
  if (name === 'parent' || name === 'parentId')
    return oneOf(random, ['/', '/Docs', String(KNOWN_FILE), '/nowhere']);
  if (name === 'hash') return 'ab'.repeat(32);
  if (name === 'tenantId') return 'consumers';
  if (name === 'comment')
    return `See /api/v3/attachments/${draw('attachments')} and [this](/api/v3/attachments/${draw('attachments')}/content).`;
  return oneOf(random, words);
}
