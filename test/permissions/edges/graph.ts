/** Compares what fields of the graph show with what the caller reads by the ids of the rows. */
import {
  getNamedType,
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql';
import { schema } from '../../../src/graphql/schema.js';
import type { App } from '../../support/app.js';
import type { Person } from '../../support/factories.js';

export type Caller = Person | undefined;

/** A row as one place shows it. */
interface Shown {
  __typename: string;
  id: string;
  [member: string]: unknown;
}

/** They ask a storage, or tell of the last request. So they differ from one moment to the next. */
const UNSTEADY = new Set([
  'ApiKey.lastUsedAt',
  'FileLink.downloadUrl',
  'FileLink.openUrl',
  'ProjectStorage.openUrl',
  'Storage.health',
  'Storage.openUrl',
]);

/** Fields with arguments that cannot be omitted. Their values show no rows of their own. */
const WITH_ARGUMENTS: { [field: string]: string } = {
  'Query.workPackageForm': '(input: {})',
};
/** They read one row by its id, or several: the reads with which the others are compared. */
const SINGLE_READS = /^Query\.(node|nodes|[a-zA-Z]+)$/;

const isRow = (type: GraphQLNamedType): type is GraphQLObjectType =>
  isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node');

const rowTypes = Object.values(schema.getTypeMap()).filter(isRow);

/** The row types that a field with this type can show; none if it shows others. */
function rowsOf(type: GraphQLOutputType): GraphQLObjectType[] {
  const named = getNamedType(type);
  if (isRow(named)) return [named];
  if (!isAbstractType(named)) return [];
  const possible = schema.getPossibleTypes(named);
  return possible.every(isRow) ? [...possible] : [];
}

const required = ({ args }: GraphQLField<unknown, unknown>) =>
  args.filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined);

/** The arguments with which a field is read: each value of an enum. Undefined: it cannot be. */
function argumentsOf(owner: string, field: GraphQLField<unknown, unknown>): string[] | undefined {
  const given = WITH_ARGUMENTS[`${owner}.${field.name}`];
  if (given) return [given];
  const [first, ...others] = required(field);
  if (!first) return [''];
  const type = getNamedType(first.type);
  if (others.length > 0 || !isEnumType(type)) return undefined;
  return type.getValues().map(({ name }) => `(${first.name}: ${name})`);
}

/** Another type has such a field with other values. One selection cannot have both. */
const isAmbiguous = ({ name, type }: GraphQLField<unknown, unknown>): boolean =>
  rowTypes.some((other) => {
    const same = other.getFields()[name];
    return same !== undefined && String(same.type) !== String(type);
  });

/** HTML is rendered only while little time has been spent on it. */
export const isSteady = (member: string): boolean => member !== 'html';

/** The parts of a member that are the same in each answer. Addresses that need no credentials never are. */
const steadyParts = (type: GraphQLObjectType): string[] =>
  type.name === 'TemporaryAddress' ? [] : Object.keys(type.getFields()).filter(isSteady);

/** What the comparison reads of a row: its plain members, and texts such as descriptions. */
function membersOf(type: GraphQLObjectType): string {
  const members = Object.values(type.getFields()).flatMap((field) => {
    if (required(field).length > 0 || UNSTEADY.has(`${type.name}.${field.name}`)) return [];
    const named = getNamedType(field.type);
    const alias = isAmbiguous(field) ? `${type.name}_${field.name}: ${field.name}` : field.name;
    if (isLeafType(named)) return [alias];
    if (rowsOf(field.type).length > 0 || !isObjectType(named)) return [];
    const parts = Object.values(named.getFields());
    return parts.every((part) => isLeafType(getNamedType(part.type)))
      ? [`${alias} { ${['__typename', ...steadyParts(named)].join(' ')} }`]
      : [];
  });
  return `... on ${type.name} { ${members.join(' ')} }`;
}

const rowSelection = (types: readonly GraphQLObjectType[]) =>
  `{ __typename ... on Node { id } ${types.map(membersOf).join(' ')} }`;

/** The selection of all rows below a type that is no row. Undefined: it shows none. */
function selectionBelow(type: GraphQLOutputType, depth = 3): string | undefined {
  const rows = rowsOf(type);
  if (rows.length > 0) return rowSelection(rows);
  const named = getNamedType(type);
  if (!isObjectType(named) || depth === 0) return undefined;
  const fields = Object.values(named.getFields()).flatMap((field) => {
    const below = selectionBelow(field.type, depth - 1);
    const [args] = (below && argumentsOf(named.name, field)) || [];
    return args === undefined ? [] : [`${field.name}${args} ${below}`];
  });
  return fields.length > 0 ? `{ ${fields.join(' ')} }` : undefined;
}

interface Edge {
  owner: string;
  name: string;
  text: string;
  /** Whether it shows one row or none. */
  isSingle: boolean;
}

export interface Edges {
  edges: Edge[];
  /** Fields that show rows, but need arguments that this test does not know. */
  unknown: string[];
}

export function edgesOf(types: readonly GraphQLObjectType[]): Edges {
  const edges: Edge[] = [];
  const unknown: string[] = [];
  for (const type of types)
    for (const field of Object.values(type.getFields())) {
      const below = selectionBelow(field.type);
      if (below === undefined) continue;
      const args = argumentsOf(type.name, field);
      if (!args) unknown.push(`${type.name}.${field.name}`);
      for (const given of args ?? [])
        edges.push({
          owner: type.name,
          name: `${type.name}.${field.name}${given}`,
          text: `edge: ${field.name}${given} ${below}`,
          isSingle: rowsOf(field.type).length > 0 && !isListType(nullable(field.type)),
        });
    }
  return { edges, unknown };
}

const nullable = (type: GraphQLOutputType) => (isNonNullType(type) ? type.ofType : type);

const ofRows = edgesOf(rowTypes);
const ofRoot = edgesOf([schema.getQueryType()!]);

/** Fields that the walk leaves out. */
export const unknownFields = (): string[] => [
  ...ofRows.unknown,
  ...ofRoot.unknown.filter((name) => !SINGLE_READS.test(name) || !isSingleRead(name)),
];

/** The field reads one row by a required id. */
function isSingleRead(name: string): boolean {
  const field = schema.getQueryType()!.getFields()[name.replace('Query.', '')]!;
  return ['id', 'ids'].includes(required(field)[0]!.name) && rowsOf(field.type).length > 0;
}

/** A document may select so many fields of lists, and so many rows by their ids. */
const CHUNK = 40;
const chunksOf = <T>(values: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(values.length / CHUNK) }, (_, at) =>
    values.slice(at * CHUNK, (at + 1) * CHUNK),
  );

const singleRead = new Map(
  rowTypes.map((type) => [
    type.name,
    `query ($ids: [ID!]!) { nodes(ids: $ids) ${rowSelection([type])} }`,
  ]),
);
const typeOf = (id: string) => Buffer.from(id, 'base64url').toString().split(':')[0]!;

/** A reader of the whole graph for one caller. */
export class GraphReader {
  readonly problems: string[] = [];
  readonly #alone = new Map<string, Shown | undefined>();
  /** The id that a field shows, by owner and field. */
  readonly single = new Map<string, string | null>();

  constructor(
    private readonly app: App,
    private readonly caller: Caller,
  ) {}

  /** The row, read by its id. */
  async alone(ids: readonly string[]): Promise<Map<string, Shown | undefined>> {
    const missing = [...new Set(ids)].filter((id) => !this.#alone.has(id));
    for (const [type, query] of singleRead)
      for (const chunk of chunksOf(missing.filter((id) => typeOf(id) === type))) {
        const nodes = (await this.#read(query, { ids: chunk }))['nodes'] as (Shown | null)[];
        chunk.forEach((id, at) => this.#alone.set(id, nodes[at] ?? undefined));
      }
    return this.#alone;
  }

  /** Reads each field of the rows of a type, and of the root. */
  async walk(ids: readonly string[]): Promise<void> {
    await this.alone(ids);
    for (const { name, text } of ofRoot.edges)
      await this.#compare(name, await this.#read(`{ ${text} }`));
    for (const edge of ofRows.edges)
      for (const ids of chunksOf(this.seen(edge.owner))) {
        const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ${edge.owner} { id ${edge.text} } } }`;
        const data = await this.#read(query, { ids });
        const nodes = data['nodes'] as ({ id: string; edge: unknown } | null)[];
        if (edge.isSingle)
          for (const node of nodes)
            if (node) this.single.set(`${node.id} ${edge.name}`, idOf(node.edge));
        await this.#compare(edge.name, nodes);
      }
  }

  /** The ids of the rows of a type that the caller sees. */
  readonly seen = (type: string): string[] =>
    [...this.#alone].flatMap(([id, row]) => (row?.__typename === type ? [id] : []));

  async #compare(name: string, answer: unknown): Promise<void> {
    const shown = shownIn(answer);
    const alone = await this.alone(shown.map(({ id }) => id));
    for (const row of shown) {
      const expected = alone.get(row.id);
      if (!expected) this.problems.push(`${name} shows ${nameOf(row)}, which alone is missing`);
      else if (JSON.stringify(row) !== JSON.stringify(expected))
        this.problems.push(
          `${name} shows ${JSON.stringify(row)}, but alone it is ${JSON.stringify(expected)}`,
        );
    }
  }

  /** @returns the data, with null where the caller lacks the permission for a field */
  async #read(query: string, variables: object = {}): Promise<{ [field: string]: unknown }> {
    const { data, errors, status } = await this.app.graphql(query, variables, this.caller);
    for (const { message, path, extensions } of errors ?? [])
      if (!['MISSING_PERMISSION', 'OUTBOUND_REQUEST'].includes(extensions.code))
        if (path?.length !== 1 || extensions.code !== 'NOT_FOUND')
          this.problems.push(`${status} ${extensions.code} ${message} at ${path} of ${query}`);
    return data ?? {};
  }
}

/** The rows in an answer. */
function shownIn(value: unknown): Shown[] {
  if (Array.isArray(value)) return value.flatMap(shownIn);
  if (typeof value !== 'object' || value === null) return [];
  if ('__typename' in value && 'id' in value) return [value as Shown];
  return Object.values(value).flatMap(shownIn);
}

const idOf = (value: unknown): string | null => (value as { id?: string } | null)?.id ?? null;
export const nameOf = ({ __typename, id }: Pick<Shown, '__typename' | 'id'>): string =>
  `${__typename} ${Buffer.from(id, 'base64url').toString()}`;

/**
 * Fields that hide a row which the reader sees alone.
 * @param complete a reader who sees all rows
 */
export async function hidden(reader: GraphReader, complete: GraphReader): Promise<string[]> {
  const missing = [...complete.single].flatMap(([edge, target]) =>
    target !== null && reader.single.get(edge) === null ? [{ edge, target }] : [],
  );
  const alone = await reader.alone(missing.map(({ target }) => target));
  return missing.flatMap(({ edge, target }) => {
    const row = alone.get(target);
    return row ? [`${edge} hides ${nameOf(row)}`] : [];
  });
}
