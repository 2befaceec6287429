/** Random requests for each root field, from the schema: a valid selection, and mostly valid arguments. */
import {
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql';
import type { Random } from '../../crash/random.js';
import { schema } from '../../../../src/graphql/schema.js';
import { oneOf } from '../hostile-values.js';
import { nouns, typeNames, type Draw, type Noun } from './callers.js';
import { badText, chance, inPath, noisyHeaders, noisyJson } from './noise.js';
import type { Wanted } from './wire.js';
import { KNOWN_FILE } from './world.js';

export interface GraphOperation {
  name: string;
  ask(random: Random, draw: Draw): Wanted;
}

type RootField = GraphQLField<unknown, unknown>;

export function operations(): GraphOperation[] {
  const roots = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!];
  return roots.flatMap((root) =>
    Object.values(root.getFields()).map((field) => ({
      name: `${root.name}.${field.name}`,
      ask: (random, draw) => make(random, draw, root, field),
    })),
  );
}

/** A document under construction. */
interface Draft {
  random: Random;
  draw: Draw;
  declarations: string[];
  variables: { [name: string]: unknown };
  /** The number of further fields. The service limits cost and tokens. */
  left: number;
  spoilt: boolean;
}

function make(random: Random, draw: Draw, root: GraphQLObjectType, field: RootField): Wanted {
  const spoilt = chance(random, 45);
  const draft: Draft = { random, draw, declarations: [], variables: {}, left: 40, spoilt };
  const selection = fieldText(draft, field, 0, '');
  const head = draft.declarations.length > 0 ? `(${draft.declarations.join(', ')})` : '';
  const kind = root.name.toLowerCase();
  let query = `${kind} Asked${head} { ${selection} }`;
  if (spoilt && chance(random, 8)) query = spoiltDocument(random, query);
  const request = { operation: `${root.name}.${field.name}`, reads: root.name !== 'Mutation' };
  const variables = JSON.stringify(draft.variables);
  if (['createAttachment', 'setAvatar', 'importDirectory'].includes(field.name))
    return { ...request, ...upload(query, variables) };
  const path = root.name === 'Subscription' ? '/graphql/stream' : '/graphql';
  const accept =
    root.name === 'Subscription'
      ? 'text/event-stream'
      : oneOf(random, ['*/*', 'application/json', 'application/graphql-response+json']);
  if (request.reads && chance(random, 8)) {
    return {
      ...request,
      method: 'GET',
      path: `${path}?query=${encodeURIComponent(Buffer.from(query).toString())}&variables=${spoilt ? inPath(random, badText(random)) : encodeURIComponent(variables)}`,
      headers: { accept, 'apollo-require-preflight': '1' },
    };
  }
  const sent = `{"query":${JSON.stringify(query)},"variables":${spoilt && chance(random, 55) ? noisyJson(random, variables) : variables}}`;
  const headers = { accept, 'content-type': 'application/json' };
  return {
    ...request,
    method: 'POST',
    path,
    headers: spoilt && chance(random, 25) ? noisyHeaders(random, headers) : headers,
    body: Buffer.from(spoilt && chance(random, 5) ? noisyJson(random, sent) : sent),
  };
}

const spoilers: readonly ((query: string) => string)[] = [
  (query) => query.slice(0, query.length / 2),
  (query) => `${query} ${query}`,
  (query) => query.replaceAll('{', '{ __typename '),
  (query) => query.replace('{', '{ ...F '),
  () => '{ __proto__ }',
  () => '{ constructor { name } }',
  () => `{${' a{'.repeat(3_000)}`,
  () => '{ viewer { ...A } } fragment A on User { ...B } fragment B on User { ...A }',
  (query) => query.replace('Asked', 'Asked @skip(if: true)'),
  (query) => query.replaceAll(/\$\w+/g, '$__proto__'),
  () => '{ __schema { types { name fields { name type { ofType { ofType { name } } } } } } }',
  () => '{ __type(name: "toString") { name } }',
  () => `{ ${Array.from({ length: 40 }, (_, index) => `a${index}: viewer { id }`).join(' ')} }`,
  () => '\u0000',
  () => '#',
  () => '',
];

const spoiltDocument = (random: Random, query: string): string => oneOf(random, spoilers)(query);

function fieldText(draft: Draft, field: RootField, depth: number, alias: string): string {
  draft.left -= 1;
  const given = field.args
    .filter((argument) => isNonNullType(argument.type) || chance(draft.random, 60))
    .map(({ name, type }) => {
      const noun = name === 'id' ? nounOf(field) : undefined;
      const variable = `v${draft.declarations.length}`;
      const value = valueOf(draft, type, name, noun);
      draft.declarations.push(`$${variable}: ${String(type)}`);
      draft.variables[variable] = value;
      return `${name}: $${variable}`;
    });
  return `${alias}${field.name}${given.length > 0 ? `(${given.join(', ')})` : ''}${selectionOf(draft, field.type, depth + 1)}`;
}

/** Fields of a type. At depth only those without subfields. */
function selectionOf(draft: Draft, type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (isAbstractType(named)) {
    const possible = schema.getPossibleTypes(named).filter(() => chance(draft.random, 40));
    return ` { __typename ${possible.map((one) => `... on ${one.name}${fieldsOf(draft, one, depth, `${one.name}_`)}`).join(' ')} }`;
  }
  return isObjectType(named) ? fieldsOf(draft, named, depth, '') : '';
}

/** @param prefix of aliases, because fields of several types must not conflict */
function fieldsOf(draft: Draft, type: GraphQLObjectType, depth: number, prefix: string): string {
  const deep = depth > 4 || draft.left <= 0;
  // Either the edges or the nodes of a list.
  const fields = Object.values(type.getFields()).filter(
    (field) =>
      chance(draft.random, depth < 3 ? 60 : 35) &&
      (!deep || isLeaf(field)) &&
      field.name !== 'edges',
  );
  return ` { __typename ${fields.map((field) => fieldText(draft, field, depth, prefix === '' ? '' : `${prefix}${field.name}: `)).join(' ')} }`;
}

const isLeaf = ({ type, args }: RootField): boolean =>
  !isObjectType(getNamedType(type)) && !isAbstractType(getNamedType(type)) && args.length === 0;

const words = [
  'a',
  'Plan',
  'notes.txt',
  'größer',
  '名前',
  'x'.repeat(255),
  '2026-01-01T00:00:00Z',
  '/',
  'http://127.0.0.1:1/open',
  'consumers',
  'text/plain',
];

function valueOf(
  draft: Draft,
  type: GraphQLInputType,
  name: string,
  noun: Noun | undefined,
): unknown {
  const { random } = draft;
  const inner = getNullableType(type);
  if (!isNonNullType(type) && chance(random, 6)) return null;
  if (isListType(inner))
    return Array.from({ length: 1 + random.integer(2) }, () =>
      valueOf(draft, inner.ofType, name, noun),
    );
  if (isInputObjectType(inner)) {
    const fields = Object.values(inner.getFields()).filter(
      (field) => isNonNullType(field.type) || chance(random, isListType(field.type) ? 30 : 70),
    );
    return Object.fromEntries(
      fields.map((field) => [
        field.name,
        valueOf(
          draft,
          field.type,
          field.name,
          field.name === 'id' ? nounOfInput(inner.name) : nounOfName(random, field.name),
        ),
      ]),
    );
  }
  if (isEnumType(inner)) return oneOf(random, inner.getValues()).name;
  return scalar(draft, inner.name, name, noun ?? nounOfName(random, name));
}

function scalar(
  { random, draw, spoilt }: Draft,
  type: string,
  name: string,
  noun: Noun | undefined,
): unknown {
  switch (type) {
    case 'ID':
      return idText(random, draw, noun ?? oneOf(random, nouns), spoilt);
    case 'Int':
      return spoilt && chance(random, 20)
        ? oneOf(random, [-1, 0, 2_147_483_647, -2_147_483_648])
        : random.integer(name === 'lockVersion' ? 2 : 30);
    case 'ByteCount':
      return spoilt && chance(random, 20)
        ? oneOf(random, [-1, 0.5, 1e308, 9_007_199_254_740_992])
        : random.integer(1_000);
    case 'Boolean':
      // Everybody would see the members' project.
      return name !== 'public' && chance(random, 50);
    case 'Upload':
      return null;
    default:
      if (!spoilt && (name === 'parent' || name === 'id'))
        return oneOf(random, ['/', '/Docs', String(KNOWN_FILE)]);
      return spoilt && chance(random, 20)
        ? badText(random)
        : name === 'origin' || name === 'url'
          ? `http://127.0.0.1:1/${random.integer(50)}`
          : oneOf(random, words);
  }
}

/** An id in one of both forms. */
function idText(random: Random, draw: Draw, noun: Noun, spoilt: boolean): string {
  const id = draw(noun);
  if (spoilt && chance(random, 8)) return badText(random);
  return chance(random, 60) ? Buffer.from(`${typeNames[noun]}:${id}`).toString('base64url') : id;
}

/** `attachment(id:)` and `updateMeeting(input: {id})` need the id of the type in their name. */
const named: readonly (readonly [RegExp, Noun])[] = [
  [/^AttachmentUpload|CompleteAttachment|Attachment/, 'attachments'],
  [/FileLink/, 'file_links'],
  [/ProjectStorage/, 'project_storages'],
  [/OAuthApplication/, 'oauth_applications'],
  [/OAuthClient/, 'oauth_client_credentials'],
  [/Storage/, 'storages'],
  [/Webhook/, 'webhooks'],
  [/Event/, 'events'],
  [/ApiKey/, 'api_keys'],
  [/WorkPackage/, 'work_packages'],
  [/Comment|Activity/, 'activities'],
  [/Meeting/, 'meetings'],
  [/Post/, 'posts'],
  [/WikiPage/, 'wiki_pages'],
  [/Project/, 'projects'],
  [/User|Assignee|Responsible|Author/, 'users'],
];
const nounOfInput = (typeName: string): Noun | undefined =>
  named.find(([pattern]) => pattern.test(typeName))?.[1];
const nounOf = ({ type }: RootField): Noun | undefined => nounOfInput(getNamedType(type).name);

function nounOfName(random: Random, name: string): Noun | undefined {
  // Nothing is moved or copied. An administrator could show everybody what is the members'.
  if (name === 'to') return 'projects';
  if (name.startsWith('container'))
    return oneOf(random, ['work_packages', 'activities', 'meetings', 'posts', 'wiki_pages']);
  const word = /^(\w+?)Ids?$/.exec(name)?.[1];
  return word === undefined ? undefined : nounOfInput(word[0]!.toUpperCase() + word.slice(1));
}

const BOUNDARY = 'the-boundary';

/** A request with a file at `variables.v0.file` (graphql-multipart-request-spec). */
function upload(query: string, variables: string): Omit<Wanted, 'operation' | 'reads'> {
  const part = (name: string, content: string, more = '') =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
  const body =
    part('operations', `{"query":${JSON.stringify(query)},"variables":${variables}}`) +
    part('map', '{"0":["variables.v0.file"]}') +
    part('0', 'some text', '; filename="a.txt"');
  return {
    method: 'POST',
    path: '/graphql',
    headers: {
      accept: '*/*',
      'apollo-require-preflight': '1',
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    },
    body: Buffer.from(`${body}--${BOUNDARY}--\r\n`),
  };
}
