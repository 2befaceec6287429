/** Finds out which fields of its rows a list request selects, before the rows are resolved. */
import {
  getArgumentValues,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type SelectionSetNode,
} from 'graphql';

/** Selects fields by name and arguments. */
type FieldFilter = (field: string, args: { readonly [name: string]: unknown }) => boolean;

/**
 * Whether a field that passes the filter is certainly selected. A field with a directive (such as
 * `@skip`) does not count.
 * @param type name of the type that has the field
 * @param path names of the fields from the resolved field down to that type
 */
export function selects(
  info: GraphQLResolveInfo,
  type: string,
  path: readonly string[],
  filter: FieldFilter,
): boolean {
  const owner = info.schema.getType(type);
  let nodes: readonly FieldNode[] = info.fieldNodes;
  for (const name of path)
    nodes = fieldsBelow(info, nodes).filter((field) => field.name.value === name);
  return (
    isObjectType(owner) &&
    fieldsBelow(info, nodes).some((field) =>
      filter(field.name.value, argumentsOf(info, owner, field)),
    )
  );
}

/**
 * Returns the fields of selections and of their fragments. Every fragment applies: no type on the
 * path is abstract. A fragment counts once: nested fragments can otherwise expand exponentially.
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
    // The field itself reports invalid arguments.
    return {};
  }
}
