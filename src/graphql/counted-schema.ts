/** The schema for documents of clients: every field is counted in the document's budget. */
import {
  defaultFieldResolver,
  getNamedType,
  GraphQLError,
  isAbstractType,
  isCompositeType,
  isObjectType,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import { collectSubfields } from 'graphql/execution/collectFields.js';
import { pathToArray } from 'graphql/jsutils/Path.js';
import type { Context } from '../context.js';
import type { DocumentBudget } from '../loaders/document-budget.js';
import { byteLength, nameLength, PUNCTUATION, weightOfField } from './answer-costs.js';
import { buildSchema } from './schema.js';

let made: GraphQLSchema | undefined;

/** Made at the first call. Commands other than `serve` do not need it. */
export const countedSchema = (): GraphQLSchema => (made ??= countFields(buildSchema()));

type Resolver = GraphQLFieldResolver<unknown, Context | undefined>;

/** The types of introspection belong to all schemas, so they also resolve without a budget. */
function countFields(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type))
      for (const field of Object.values(type.getFields())) field.resolve = counting(field);
  return schema;
}

function counting(field: GraphQLField<unknown, Context | undefined>): Resolver {
  const resolve = field.resolve ?? defaultFieldResolver;
  const type = getNamedType(field.type);
  const take = isCompositeType(type)
    ? (value: unknown, budget: DocumentBudget, info: GraphQLResolveInfo) =>
        budget.takeBytes(nameLength(info.path.key)) && takeObjects(type, value, budget, info)
    : (value: unknown, budget: DocumentBudget, info: GraphQLResolveInfo) =>
        budget.takeBytes(nameLength(info.path.key) + byteLength(value));
  return (root, args, context, info) => {
    const budget = context?.budget;
    if (!budget) return resolve(root, args, context, info);
    if (budget.refusal) return never();
    const done = (value: unknown) => (take(value, budget, info) ? value : never());
    const failed = (error: unknown) => fail(error, budget, info);
    try {
      const value: unknown = resolve(root, args, context, info);
      return value instanceof Promise ? value.then(done, failed) : done(value);
    } catch (error) {
      return failed(error);
    }
  };
}

/** Fields that an error costs. */
const ERROR_WEIGHT = 20;
/** Bytes of an error in the answer, besides its message and path. */
const ERROR_BYTES = 300;

/**
 * Counts an error in the answer.
 * @throws GraphQLError with one location. graphql-js would take all places that select the field.
 */
function fail(thrown: unknown, budget: DocumentBudget, info: GraphQLResolveInfo): Promise<never> {
  const originalError = thrown instanceof Error ? thrown : new Error(String(thrown));
  const path = pathToArray(info.path);
  const bytes = ERROR_BYTES + byteLength(originalError.message) + path.join().length;
  if (!budget.takeFields(ERROR_WEIGHT) || !budget.takeBytes(bytes)) return never();
  throw new GraphQLError(originalError.message, {
    nodes: info.fieldNodes[0],
    path,
    originalError,
  });
}

/** A promise that never settles. So a refused document resolves no further fields. */
const never = (): Promise<never> => new Promise(() => {});

/** Counts the fields of the objects, before they are resolved. */
function takeObjects(
  type: GraphQLCompositeType,
  value: unknown,
  budget: DocumentBudget,
  info: GraphQLResolveInfo,
): boolean {
  if (value === null || value === undefined) return true;
  const objects = Array.isArray(value) ? value.length : 1;
  const { fields, bytes } = weightOf(type, info);
  return budget.takeFields(objects * fields) && budget.takeBytes(objects * bytes);
}

/** What one object costs before its fields are resolved. */
interface Weight {
  fields: number;
  /** The bytes of `__typename`, which has no resolver that could count them. */
  bytes: number;
}

/** The weights of selections. Each execution has its own lists of nodes, so its own weights. */
const weights = new WeakMap<readonly FieldNode[], Weight>();

function weightOf(type: GraphQLCompositeType, info: GraphQLResolveInfo): Weight {
  let weight = weights.get(info.fieldNodes);
  if (weight === undefined) {
    const types = isAbstractType(type) ? info.schema.getPossibleTypes(type) : [type];
    const each = types.map((one) => weightOfFields(one, info));
    weight = {
      fields: Math.max(0, ...each.map(({ fields }) => fields)),
      bytes: Math.max(0, ...each.map(({ bytes }) => bytes)),
    };
    weights.set(info.fieldNodes, weight);
  }
  return weight;
}

function weightOfFields(
  type: GraphQLObjectType,
  { schema, fragments, variableValues, fieldNodes }: GraphQLResolveInfo,
): Weight {
  const known = type.getFields();
  const weight = { fields: 0, bytes: 0 };
  const selected = collectSubfields(schema, fragments, variableValues, type, fieldNodes);
  for (const [key, [node]] of selected) {
    const name = node?.name.value ?? key;
    weight.fields += weightOfField(known[name]);
    if (name === '__typename') weight.bytes += key.length + type.name.length + PUNCTUATION;
  }
  return weight;
}
