/** Which documents of clients may become code. */
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
  type GraphQLCompositeType,
  type SelectionSetNode,
} from 'graphql';
import { schema } from './schema.js';

/** Some 6 kB each, compiled. */
const MOST_SELECTIONS = 100;

/** Whether a valid document is answered alike whether it is compiled or not, and is small as code. */
export const isCompilable = (document: DocumentNode): boolean =>
  isAlone(document) && isPlain(document) && selectionsOf(document) <= MOST_SELECTIONS;

/** A mutation that fails does not keep those behind it from running once they are compiled; graphql-js does not even begin them. */
function isAlone({ definitions }: DocumentNode): boolean {
  const operations = definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  const [
    {
      operation,
      selectionSet: { selections },
    },
  ] = operations as [(typeof operations)[number]];
  return (
    operations.length === 1 &&
    (operation === 'query' ||
      (operation === 'mutation' && selections.length === 1 && selections[0]!.kind === Kind.FIELD))
  );
}

/**
 * The compiler writes values that stand in a document into its code, and takes some texts for code themselves; of lists and objects
 * it fills in null for what is not given. Clients that ask again and again give variables.
 */
function isPlain(document: DocumentNode): boolean {
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
    // It is no member of an object.
    Name: ({ value }) => (value === '__proto__' ? refuse() : undefined),
  });
  return plain;
}

/** As code: a fragment wherever it is used, and what is below an interface for each type that it may be. */
function selectionsOf({ definitions }: DocumentNode): number {
  const fragments = new Map(
    definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [],
    ),
  );
  const counted = new Map<SelectionSetNode, number>();
  const typeNamed = (name: string) => schema.getType(name) as GraphQLCompositeType;
  const count = (set: SelectionSetNode, parent: GraphQLCompositeType): number => {
    let total = counted.get(set);
    if (total === undefined) {
      total = set.selections.reduce((sum, selection) => {
        if (selection.kind === Kind.FRAGMENT_SPREAD) {
          const { selectionSet, typeCondition } = fragments.get(selection.name.value)!;
          return sum + 1 + count(selectionSet, typeNamed(typeCondition.name.value));
        }
        if (!selection.selectionSet) return sum + 1;
        if (selection.kind === Kind.INLINE_FRAGMENT)
          return (
            sum +
            1 +
            count(
              selection.selectionSet,
              selection.typeCondition ? typeNamed(selection.typeCondition.name.value) : parent,
            )
          );
        const field =
          isObjectType(parent) || isInterfaceType(parent)
            ? parent.getFields()[selection.name.value]
            : undefined;
        const type = field && getNamedType(field.type);
        // The schema about itself.
        if (!isCompositeType(type)) return Infinity;
        return (
          sum +
          1 +
          count(selection.selectionSet, type) *
            (isAbstractType(type) ? schema.getPossibleTypes(type).length : 1)
        );
      }, 0);
      counted.set(set, total);
    }
    return total;
  };
  const operation = definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION)!;
  return count(operation.selectionSet, schema.getRootType(operation.operation)!);
}
