/** GraphQL documents: valid ones, made from the schema. */
import {
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLNamedType,
} from 'graphql';
import { schema } from '../../../../src/graphql/schema.js';
import { globalId } from '../../../../src/contract/ids.js';
import type { Random } from '../../crash/random.js';
import { oneOf } from '../../fuzz/hostile-values.js';
import { REQUEST } from '../budgets.js';
import type { Way } from '../way.js';
import type { Ids } from '../world.js';

/** A field or, with a type instead of a name, an inline fragment. */
export interface Selected {
  field?: string;
  on?: string;
  alias?: string;
  /** The argument `first` of a list. */
  first?: number;
  below: readonly Selected[];
}

const field = (name: string, ...below: Selected[]): Selected => ({ field: name, below });
const plain = (...names: string[]): Selected[] => names.map((name) => field(name));
const aliased = (count: number, make: () => Selected): Selected[] =>
  Array.from({ length: count }, (_, n) => ({ ...make(), alias: `a${n}` }));

export const documents: Way<readonly Selected[]> = {
  name: 'documents',
  budget: REQUEST,
  first: () => [
    [
      field(
        'workPackage',
        field(
          'attachments',
          field('nodes', ...plain('id', 'fileName'), field('author', ...plain('id'))),
        ),
      ),
    ],
    [
      field(
        'workPackage',
        field('activities', field('nodes', field('comment', ...plain('raw', 'html')))),
      ),
    ],
    [field('workPackage', field('fileLinks', field('nodes', ...plain('id', 'status'))))],
    [
      field(
        'workPackage',
        field('attachments', field('nodes', field('thumbnail', ...plain('href')))),
        field('deletedAttachments', field('nodes', ...plain('id'))),
      ),
    ],
    // Broke the budget: fields below a list with many aliases.
    [
      field(
        'workPackage',
        field(
          'attachments',
          field('nodes', ...aliased(29, () => field('author', ...plain('id', 'name', 'login')))),
        ),
      ),
    ],
    // Broke the budget: errors with a location for each place that selects the field.
    [
      field(
        'workPackage',
        field('fileLinks', field('nodes', ...plain(...Array<string>(600).fill('downloadUrl')))),
      ),
    ],
    // Broke the budget: lists that are read at the same time.
    [
      field(
        'workPackage',
        ...aliased(29, () => field('attachments', field('totalCount'))).map((one, n) => ({
          ...one,
          first: FIRST + n,
        })),
      ),
    ],
    // Broke the budget: long names.
    [
      field(
        'workPackage',
        field(
          'attachments',
          field(
            'nodes',
            ...aliased(20, () => field('fileName')).map((one) => ({
              ...one,
              alias: `${one.alias}${'x'.repeat(700)}`,
            })),
          ),
        ),
      ),
    ],
  ],
  change: (input, random) => changed(input, schema.getQueryType()!, random),
  requests: (input, ids) => [
    {
      method: 'POST',
      path: '/graphql',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: `{ ${printed(input, schema.getQueryType()!, ids)} }` }),
    },
  ],
};

const fieldsOf = (type: GraphQLNamedType | undefined): GraphQLField<unknown, unknown>[] =>
  isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
const typeOf = ({ field: name, on }: Selected, parent: GraphQLNamedType | undefined) =>
  on !== undefined
    ? schema.getType(on)
    : getNamedType(fieldsOf(parent).find((one) => one.name === name)?.type);

const NEW_ALIASES = 29;

function changed(
  selections: readonly Selected[],
  parent: GraphQLNamedType,
  random: Random,
): readonly Selected[] {
  const at = random.integer(selections.length || 1);
  const one = selections[at];
  const type = one && typeOf(one, parent);
  if (one && type && one.below.length > 0 && random.integer(4) > 0) {
    const below = changed(one.below, type, random);
    return below.length === 0 ? selections : selections.with(at, { ...one, below });
  }
  switch (random.integer(8)) {
    case 6:
      return one ? [...selections, ...Array.from({ length: 200 }, () => one)] : selections;
    case 7:
      return one ? selections.with(at, { ...one, first: random.integer(FIRST) }) : selections;
    case 0:
      return selections.length > 1 ? selections.toSpliced(at, 1) : selections;
    case 1:
      return one ? [...selections, { ...one, alias: `b${random.integer(1_000)}` }] : selections;
    case 2:
      return one && isWritten(one)
        ? [...selections, ...aliased(1 + random.integer(NEW_ALIASES), () => one)]
        : selections;
    case 3:
      return one
        ? selections.with(at, { ...one, alias: 'y'.repeat(1 + random.integer(150)) })
        : selections;
    default:
      return [...selections, added(parent, random, random.integer(4))];
  }
}

const isWritten = ({ field: name }: Selected): boolean => name !== undefined;

function added(parent: GraphQLNamedType, random: Random, depth: number): Selected {
  if (isAbstractType(parent) && random.integer(2) === 0) {
    const type = oneOf(random, schema.getPossibleTypes(parent));
    return { on: type.name, below: [added(type, random, depth)] };
  }
  const possible = fieldsOf(parent).filter(({ args }) =>
    args.every(({ name, type }) => !isNonNullType(type) || name in argumentsOf),
  );
  if (possible.length === 0) return field('__typename');
  const chosen = oneOf(random, possible);
  const type = getNamedType(chosen.type);
  if (!isObjectType(type) && !isAbstractType(type)) return field(chosen.name);
  return field(chosen.name, depth > 0 ? added(type, random, depth - 1) : field('__typename'));
}

/** Values for arguments; `id` depends on the field. */
const argumentsOf: { [name: string]: (name: string, ids: Ids) => string } = {
  size: () => 'SMALL',
  id: (name, ids) =>
    JSON.stringify(
      String((ids as unknown as { [name: string]: unknown })[name] ?? idOf(name, ids)),
    ),
};

const FIRST = 100_000;

const idOf = (name: string, ids: Ids): string =>
  name === 'storage'
    ? String(ids.fileServer)
    : name === 'node' || name === 'container'
      ? globalId('WorkPackage', ids.workPackage)
      : name === 'activity'
        ? String(ids.comment)
        : '1';

function printed(
  selections: readonly Selected[],
  parent: GraphQLNamedType | undefined,
  ids: Ids,
): string {
  return selections
    .map((one) => {
      const type = typeOf(one, parent);
      const below = one.below.length > 0 ? ` { ${printed(one.below, type, ids)} }` : '';
      if (one.on !== undefined) return `... on ${one.on}${below}`;
      const args = (fieldsOf(parent).find(({ name }) => name === one.field)?.args ?? [])
        .filter(({ name }) => name in argumentsOf || name === 'first')
        .map(({ name }) =>
          name === 'first'
            ? `first: ${one.first ?? FIRST}`
            : `${name}: ${argumentsOf[name]!(one.field!, ids)}`,
        );
      const name = one.alias === undefined ? one.field! : `${one.alias}: ${one.field}`;
      return `${name}${args.length > 0 ? `(${args.join(', ')})` : ''}${below}`;
    })
    .join(' ');
}
