/** Replaces the wrappers of type-graphql around simple resolvers by direct calls. */
import { isObjectType, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql';

/** The part of type-graphql's private metadata that is read here. Its version is pinned. */
interface ResolverMetadata {
  /** `internal`: a getter of a model. `external`: a method of a resolver class. */
  kind: 'internal' | 'external';
  schemaName: string;
  methodName: string;
  target: new () => { [method: string]: ((...values: unknown[]) => unknown) | undefined };
  params?: Parameter[];
  getObjectType?: () => { name: string };
}

interface Parameter {
  index: number;
  kind: string;
  propertyName?: string;
  name?: string;
  getType?: () => unknown;
}

declare const globalThis: {
  TypeGraphQLMetadataStorage: { fieldResolvers: ResolverMetadata[] };
};

/**
 * At every call, type-graphql sorts parameters, converts the parent and looks for middleware. A
 * list of 100 attachments takes a tenth more processor time with that. Getters are called directly.
 * So are methods with the parameters `root`, `context` and at most one Boolean argument.
 */
export function callSimpleResolversDirectly(schema: GraphQLSchema) {
  for (const metadata of globalThis.TypeGraphQLMetadataStorage.fieldResolvers) {
    const resolve = directResolver(metadata);
    if (!resolve) continue;
    const owner = (metadata.getObjectType?.() ?? metadata.target).name;
    for (const type of Object.values(schema.getTypeMap())) {
      if (!isObjectType(type)) continue;
      const names = [type.name, ...type.getInterfaces().map(({ name }) => name)];
      const field = type.getFields()[metadata.schemaName];
      if (field && names.includes(owner)) field.resolve = resolve;
    }
  }
}

type Resolver = GraphQLFieldResolver<{ [property: string]: unknown }, unknown>;

/** @returns undefined for a resolver that needs type-graphql's wrapper */
function directResolver(metadata: ResolverMetadata): Resolver | undefined {
  const { kind, methodName, target, params = [] } = metadata;
  if (kind === 'internal') return params.length === 0 ? (root) => root[methodName] : undefined;
  const instance = new target();
  const method = instance[methodName]?.bind(instance);
  if (!method) return undefined;
  const [first, second, third, ...rest] = [...params].sort((a, b) => a.index - b.index);
  if (!isWhole(first, 'root') || rest.length > 0) return undefined;
  if (!second) return (root) => method(root);
  if (isWhole(second, 'context') && !third) return (root, _args, context) => method(root, context);
  const { name } = second;
  if (second.kind !== 'arg' || second.getType?.() !== Boolean || name === undefined)
    return undefined;
  return isWhole(third, 'context')
    ? (root, args, context) => method(root, args[name], context)
    : undefined;
}

/** Whether the parameter is all of the parent or the context, not one property of it. */
const isWhole = (parameter: Parameter | undefined, kind: 'root' | 'context') =>
  parameter?.kind === kind && parameter.propertyName === undefined;
