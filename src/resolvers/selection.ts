/** What a request selects of the rows of a list, to begin with it before the first row is answered. */
import { getArgumentValues, isObjectType, Kind, type FieldNode, type GraphQLObjectType, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql';

export type Wanted = (field: string, args: { readonly [name: string]: unknown }) => boolean;

/**
 * Whether such a field is certainly selected of the rows of a connection. What hangs on a directive counts as not selected:
 * it is resolved when it is reached.
 * @param rowType name of the type of its rows
 */
export function selectsOfRows(info: GraphQLResolveInfo, rowType: string, wanted: Wanted): boolean {
  const row = info.schema.getType(rowType);
  if (!isObjectType(row)) return false;
  const rows = info.fieldNodes.flatMap((node) => [...below(info, node, 'nodes'), ...below(info, node, 'edges').flatMap((edges) => below(info, edges, 'node'))]);
  return rows.some((node) => fieldsOf(info, node.selectionSet).some((field) => wanted(field.name.value, argumentsOf(info, row, field))));
}

const below = (info: GraphQLResolveInfo, node: FieldNode, name: string): FieldNode[] => fieldsOf(info, node.selectionSet).filter((field) => field.name.value === name);

/** The fields of a selection and of its fragments; connections have no abstract types, so every fragment applies. */
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
