/** Replaces the wrappers of type-graphql around simple resolvers by direct calls. */
import {
  isObjectType,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';

type ResolverMetadata = (typeof TypeGraphQLMetadataStorage.fieldResolvers)[number];
type Parameter = NonNullable<ResolverMetadata['params']>[number];

/**
 * At every call, type-graphql sorts parameters, converts the parent and looks for middleware. A
 * list of 100 attachments takes a tenth more processor time with that. Getters are called directly.
 * So are methods with the parameters `root`, `context` and at most one Boolean argument.
 */
export function callSimpleResolversDirectly(schema: GraphQLSchema) {
  const types = typesByName(schema);
  for (const metadata of TypeGraphQLMetadataStorage.fieldResolvers) {
    const resolve = directResolver(metadata);
    if (!resolve) continue;
    const owner = (metadata.getObjectType?.() ?? metadata.target).name;
    for (const type of types.get(owner) ?? []) {
      const field = type.getFields()[metadata.schemaName];
      if (field) field.resolve = resolve;
    }
  }
}

/** All object types, by their names and by the names of their interfaces. */
function typesByName(schema: GraphQLSchema): Map<string, GraphQLObjectType[]> {
  const types = new Map<string, GraphQLObjectType[]>();
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType))
    for (const { name } of [type, ...type.getInterfaces()])
      types.set(name, [...(types.get(name) ?? []), type]);
  return types;
}

type ResolverClass = new () => {
  [method: string]: ((...values: unknown[]) => unknown) | undefined;
};
type Resolver = GraphQLFieldResolver<{ [property: string]: unknown }, unknown>;

/** @returns undefined for a resolver that needs type-graphql's wrapper */
function directResolver(metadata: ResolverMetadata): Resolver | undefined {
  const { kind, methodName, target, params = [] } = metadata;
  if (kind === 'internal') return params.length === 0 ? (root) => root[methodName] : undefined;
  // Cast: the library types classes as functions.
  const instance = new (target as ResolverClass)();
  const method = instance[methodName]?.bind(instance);
  if (!method) return undefined;
  const [first, second, third, ...rest] = [...params].sort((a, b) => a.index - b.index);
  if (!isWhole(first, 'root') || rest.length > 0) return undefined;
  if (!second) return (root) => method(root);
  if (isWhole(second, 'context') && !third) return (root, _args, context) => method(root, context);
  if (second.kind !== 'arg' || second.getType() !== Boolean || !isWhole(third, 'context'))
    return undefined;
  const { name } = second;
  return (root, args, context) => method(root, args[name], context);
}

/** Whether the parameter is all of the parent or the context, not one property of it. */
const isWhole = (parameter: Parameter | undefined, kind: 'root' | 'context') =>
  parameter?.kind === kind &&
  (!('propertyName' in parameter) || parameter.propertyName === undefined);
