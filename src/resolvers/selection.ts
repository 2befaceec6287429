/** What a request selects of the rows of a list, to begin with it before the first row is answered. */
import { getArgumentValues, isObjectType, Kind, type FieldNode, type GraphQLObjectType, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql';

export type Wanted = (field: string, args: { readonly [name: string]: unknown }) => boolean;

/**
 * Whether such a field is certainly selected, at the end of the path below the field that is resolved. What hangs on a directive
 * counts as not selected: it is resolved when it is reached.
 * @param type name of the type that has the field
 */
export function selects(info: GraphQLResolveInfo, type: string, path: readonly string[], wanted: Wanted): boolean {
  const owner = info.schema.getType(type);
  let nodes: readonly FieldNode[] = info.fieldNodes;
  for (const name of path) nodes = nodes.flatMap((node) => fieldsOf(info, node.selectionSet).filter((field) => field.name.value === name));
  return isObjectType(owner) && nodes.some((node) => fieldsOf(info, node.selectionSet).some((field) => wanted(field.name.value, argumentsOf(info, owner, field))));
}

/** The fields of a selection and of its fragments; without abstract types on the path every fragment applies. */
function fieldsOf(info: GraphQLResolveInfo, set: SelectionSetNode | undefined): FieldNode[] {
  return (set?.selections ?? []).flatMap((selection) => {
    if (selection.directives?.length) return [];
    if (selection.kind === Kind.FIELD) return [selection];
    return fieldsOf(info, selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : info.fragments[selection.name.value]?.selectionSet);
  });
}

function argumentsOf(info: GraphQLResolveInfo, row: GraphQLObjectType, field: FieldNode): { [name: string]: unknown } {
  const definition = row.getFields()[field.name.value];
  return definition ? getArgumentValues(definition, field, info.variableValues) : {};
}
