/** Counts the ids that a document names in lists. Each of them can cost a row, a lock or a change. */
import {
  getNamedType,
  getNullableType,
  GraphQLID,
  isCompositeType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  valueFromASTUntyped,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLNamedType,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { InvalidQuery } from '../contract/errors.js';
import { MAX_LISTED_IDS } from '../contract/limits.js';
import { withCommas } from '../contract/words.js';
import type { Variables } from './plan-run.js';
import { schema } from './schema.js';

/** A value of an argument that can have lists of ids. */
interface Given {
  value: ValueNode;
  type: GraphQLInputType;
}

/**
 * Counts literals of all operations, and the variables of the one that runs. A variable and a
 * fragment count at each use.
 * @param document a valid one
 * @param variables coerced values
 * @throws InvalidQuery for too many ids
 */
export function limitListedIds(
  document: DocumentNode,
  running: OperationDefinitionNode,
  variables: Variables,
): void {
  let ids = 0;
  for (const [operation, given] of givenIn(document))
    for (const { value, type } of given)
      ids += countIn(
        valueFromASTUntyped(value, operation === running ? variables : undefined),
        type,
      );
  if (ids > MAX_LISTED_IDS)
    throw new InvalidQuery(
      `The document has more than ${withCommas(MAX_LISTED_IDS)} ids in lists. ` +
        'A variable and a fragment count at each use. Send several documents.',
    );
}

type GivenOfOperations = readonly (readonly [OperationDefinitionNode, readonly Given[]])[];

const found = new WeakMap<DocumentNode, GivenOfOperations>();

function givenIn(document: DocumentNode): GivenOfOperations {
  let given = found.get(document);
  if (!given) {
    given = findGiven(document);
    found.set(document, given);
  }
  return given;
}

/** The limit of selections, in which a fragment counts at each use, has been checked before. */
function findGiven({ definitions }: DocumentNode): GivenOfOperations {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of definitions)
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  const collect = (
    { selections }: SelectionSetNode,
    type: GraphQLNamedType | undefined,
    into: Given[],
  ): void => {
    for (const selection of selections) {
      if (selection.kind !== Kind.FIELD) {
        const fragment =
          selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
        const { typeCondition, selectionSet } = fragment ?? {};
        if (selectionSet)
          collect(
            selectionSet,
            typeCondition ? schema.getType(typeCondition.name.value) : type,
            into,
          );
        continue;
      }
      const { name, arguments: given = [], selectionSet } = selection;
      // The fields of introspection take no ids.
      const field =
        isObjectType(type) || isInterfaceType(type) ? type.getFields()[name.value] : undefined;
      if (!field) continue;
      for (const { name: argument, value } of given) {
        const expected = field.args.find((one) => one.name === argument.value)?.type;
        if (expected && canHaveLists(expected)) into.push({ value, type: expected });
      }
      const below = getNamedType(field.type);
      if (selectionSet && isCompositeType(below)) collect(selectionSet, below, into);
    }
  };
  return definitions
    .filter((one) => one.kind === Kind.OPERATION_DEFINITION)
    .map((operation) => {
      const given: Given[] = [];
      collect(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined, given);
      return [operation, given] as const;
    });
}

const canHaveLists = (type: GraphQLInputType): boolean =>
  isListType(getNullableType(type)) || isInputObjectType(getNamedType(type));

/** @param value with a single value in place of a list, as GraphQL allows */
function countIn(value: unknown, expected: GraphQLInputType): number {
  const type = getNullableType(expected);
  if (value === null || value === undefined) return 0;
  if (isListType(type)) {
    const elements: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (getNullableType(type.ofType) === GraphQLID) return elements.length;
    return elements.reduce((sum: number, one) => sum + countIn(one, type.ofType), 0);
  }
  if (!isInputObjectType(type)) return 0;
  const fields = type.getFields();
  return Object.entries(value).reduce((sum, [name, one]) => {
    const field = fields[name];
    return field ? sum + countIn(one, field.type) : sum;
  }, 0);
}
