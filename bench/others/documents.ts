/** GraphQL documents made at random from a schema. */
import {
  getNamedType,
  getNullableType,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import type { Random } from '../../test/long/crash/random.js';

const MAX_DEPTH = 4;
const MAX_FIELDS = 6;
/** These ask a storage, or are different each time. */
const UNSUITABLE = /^(files|file|health|downloadUrl|downloadLocation|openUrl)$/;

type Field = GraphQLField<unknown, unknown>;

/** @param idOf an id that exists, for a field of a type. Undefined if there is none. */
export function randomDocument(
  schema: GraphQLSchema,
  random: Random,
  idOf: (type: string) => number | undefined,
): string {
  const pick = <T>(all: readonly T[]): T => all[random.integer(all.length)]!;

  function callOf({ name, args, type }: Field): string | undefined {
    const required = args.filter(
      (one) => isNonNullType(one.type) && one.defaultValue === undefined,
    );
    if (required.length === 0) return name;
    const id = idOf(getNamedType(type).name);
    return required.length === 1 && required[0]!.name === 'id' && id !== undefined
      ? `${name}(id: "${id}")`
      : undefined;
  }

  function selection(type: GraphQLOutputType, depth: number): string {
    const named = getNamedType(type);
    if (isLeafType(named)) return '';
    if (isAbstractType(named) && !isInterfaceType(named))
      return ` { ... on ${pick(schema.getPossibleTypes(named)).name} { databaseId } }`;
    const fields = Object.values((named as GraphQLObjectType).getFields()).filter(
      (field) =>
        !UNSUITABLE.test(field.name) &&
        callOf(field) !== undefined &&
        (isLeafType(getNamedType(field.type)) || depth < MAX_DEPTH),
    );
    // Without its nodes a list would say little.
    const nodes = fields.filter(({ name, type: of }) => name === 'nodes' && isListOf(of));
    const chosen = new Set([...nodes, ...some(fields)]);
    return ` { ${[...chosen].map((field) => `${callOf(field)!}${selection(field.type, depth + 1)}`).join(' ')} }`;
  }

  function some(fields: readonly Field[]): Field[] {
    return Array.from({ length: 1 + random.integer(MAX_FIELDS) }, () => pick(fields));
  }

  const root = Object.values(schema.getQueryType()!.getFields()).filter(
    (field) => !UNSUITABLE.test(field.name) && callOf(field) !== undefined,
  );
  const field = pick(root.filter(({ type }) => isObjectType(getNamedType(type))));
  return `{ ${callOf(field)!}${selection(field.type, 1)} }`;
}

const isListOf = (type: GraphQLOutputType) => isListType(getNullableType(type));
