/** What a request selects of the rows of a list, to begin with it before the first row is answered. */
import {
  getArgumentValues,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type SelectionSetNode,
} from 'graphql';

export type Wanted = (field: string, args: { readonly [name: string]: unknown }) => boolean;

/**
 * Whether such a field is certainly selected, at the end of the path below the field that is resolved. What hangs on a directive
 * counts as not selected: it is resolved when it is reached.
 * @param type name of the type that has the field
 */
export function selects(
  info: GraphQLResolveInfo,
  type: string,
  path: readonly string[],
  wanted: Wanted,
): boolean {
  const owner = info.schema.getType(type);
  let nodes: readonly FieldNode[] = info.fieldNodes;
  for (const name of path)
    nodes = fieldsBelow(info, nodes).filter((field) => field.name.value === name);
  return (
    isObjectType(owner) &&
    fieldsBelow(info, nodes).some((field) =>
      wanted(field.name.value, argumentsOf(info, owner, field)),
    )
  );
}

/**
 * The fields of selections and of their fragments; without abstract types on the path every fragment applies. A fragment counts
 * once: fragments that name others a few hundred times each would have more fields than memory.
 */
function fieldsBelow({ fragments }: GraphQLResolveInfo, nodes: readonly FieldNode[]): FieldNode[] {
  const seen = new Set<string>();
  const fieldsOf = (set: SelectionSetNode | undefined): FieldNode[] =>
    (set?.selections ?? []).flatMap((selection) => {
      if (selection.directives?.length) return [];
      if (selection.kind === Kind.FIELD) return [selection];
      if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsOf(selection.selectionSet);
      const name = selection.name.value;
      if (seen.has(name)) return [];
      seen.add(name);
      return fieldsOf(fragments[name]?.selectionSet);
    });
  return nodes.flatMap(({ selectionSet }) => fieldsOf(selectionSet));
}

function argumentsOf(
  info: GraphQLResolveInfo,
  row: GraphQLObjectType,
  field: FieldNode,
): { [name: string]: unknown } {
  const definition = row.getFields()[field.name.value];
  try {
    return definition ? getArgumentValues(definition, field, info.variableValues) : {};
  } catch {
    // The field itself tells that they do not fit.
    return {};
  }
}
