/** Decides which documents of clients are compiled. */
import {
  BREAK,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  visit,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { schema } from './schema.js';

/** A compiled selection takes about 6 kB. */
const MAX_SELECTIONS = 100;

/** Whether a valid document gives the same result when it is compiled, and stays small as code. */
export function isCompilable(document: DocumentNode): boolean {
  const operation = onlyOperation(document);
  return (
    operation !== undefined &&
    isQueryOrOneMutation(operation) &&
    hasPlainValues(document) &&
    countSelections(document, operation) <= MAX_SELECTIONS
  );
}

function onlyOperation({ definitions }: DocumentNode): OperationDefinitionNode | undefined {
  const operations = definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  return operations.length === 1 ? operations[0] : undefined;
}

/** When a mutation fails, graphql-js does not run the next ones. Compiled documents do. */
const isQueryOrOneMutation = ({
  operation,
  selectionSet: { selections },
}: OperationDefinitionNode) =>
  operation === 'query' ||
  (operation === 'mutation' && selections.length === 1 && selections[0]?.kind === Kind.FIELD);

/**
 * The compiler writes the values of a document into its code. It even takes some strings for code.
 * In lists and objects it adds null for missing members.
 * Clients that repeat a request use variables.
 */
function hasPlainValues(document: DocumentNode): boolean {
  let plain = true;
  const refuse = () => {
    plain = false;
    return BREAK;
  };
  visit(document, {
    StringValue: refuse,
    FloatValue: refuse,
    ListValue: refuse,
    ObjectValue: refuse,
    // A member of this name sets the prototype of the result object.
    Name: ({ value }) => (value === '__proto__' ? refuse() : undefined),
  });
  return plain;
}

/**
 * Counts the selections as the compiler writes them.
 * A fragment counts at each use, and the fields below an interface count once per possible type.
 * Infinity for introspection.
 */
function countSelections(
  { definitions }: DocumentNode,
  { operation, selectionSet }: OperationDefinitionNode,
): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of definitions)
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  const counts = new Map<SelectionSetNode, number>();
  const countSet = (set: SelectionSetNode, parent: GraphQLCompositeType | undefined): number => {
    const known = counts.get(set);
    if (known !== undefined) return known;
    const total = set.selections.reduce((sum, one) => sum + 1 + countBelow(one, parent), 0);
    counts.set(set, total);
    return total;
  };
  const countBelow = (selection: SelectionNode, parent: GraphQLCompositeType | undefined) => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = fragments.get(selection.name.value);
      return fragment
        ? countSet(fragment.selectionSet, compositeType(fragment.typeCondition.name.value))
        : 0;
    }
    if (!selection.selectionSet) return 0;
    if (selection.kind === Kind.INLINE_FRAGMENT)
      return countSet(
        selection.selectionSet,
        selection.typeCondition ? compositeType(selection.typeCondition.name.value) : parent,
      );
    const field =
      isObjectType(parent) || isInterfaceType(parent)
        ? parent.getFields()[selection.name.value]
        : undefined;
    const type = field && getNamedType(field.type);
    // `__schema` and `__type` are not among the fields of the root type.
    if (!isCompositeType(type)) return Infinity;
    const possible = isAbstractType(type) ? schema.getPossibleTypes(type).length : 1;
    return countSet(selection.selectionSet, type) * possible;
  };
  return countSet(selectionSet, schema.getRootType(operation) ?? undefined);
}

function compositeType(name: string): GraphQLCompositeType | undefined {
  const type = schema.getType(name);
  return isCompositeType(type) ? type : undefined;
}
