/** Derives the schemas of documents and of request bodies from the GraphQL schema. */
import {
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type DocumentNode,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLOutputType,
} from 'graphql';
import { wordsOf } from '../src/graphql/enum-words.js';
import { schema } from '../src/graphql/schema.js';
import {
  array,
  count,
  flag,
  id,
  ref,
  text,
  time,
  typeMember,
  type Members,
  type Schema,
} from './shapes.js';

const scalars: Members = {
  ID: text,
  String: text,
  Boolean: flag,
  Int: count,
  ByteCount: count,
  DateTime: time,
};

/**
 * The members of a document: those of a fragment `XMembers` of the REST layer, in its order.
 * @param overrides keywords by member that the GraphQL schema does not have, such as patterns
 * @throws Error for an override of an unknown member
 */
export function membersOf(fragment: DocumentNode, overrides: Members = {}): Members {
  const [definition] = fragment.definitions;
  if (definition?.kind !== Kind.FRAGMENT_DEFINITION) throw new Error('This is not a fragment.');
  const typeName = definition.typeCondition.name.value;
  const members = definition.selectionSet.selections.map((selection): [string, Schema] => {
    if (selection.kind !== Kind.FIELD) throw new Error(`A member of ${typeName} is not a field.`);
    const { name, alias = name } = selection;
    return [alias.value, fieldOf(typeName, name.value)];
  });
  return overridden(typeName, Object.fromEntries(members), overrides);
}

const methods: { readonly [name: string]: string | undefined } = wordsOf('AuthenticationMethod');

/** A description that is shared with GraphQL, with the words that HAL has for names of enums. */
const inHal = (description: string): string =>
  description.replace(/\b[A-Z0-9]+_[A-Z0-9_]+\b/g, (name) => methods[name] ?? name);

/** A field of an object type as the schema of a member. */
export function fieldOf(typeName: string, name: string): Schema {
  if (name === '__typename') return typeMember(typeName);
  const type = schema.getType(typeName);
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  if (!field) throw new Error(`The graph has no field ${typeName}.${name}.`);
  return {
    ...(name === 'databaseId' ? id : output(field.type)),
    ...(field.description && { description: inHal(field.description) }),
  };
}

function output(type: GraphQLOutputType): Schema {
  return isNonNullType(type) ? present(type.ofType) : orNull(present(type));
}

/** A type without its null. Objects and enums refer to the component that has their name. */
function present(type: GraphQLOutputType): Schema {
  if (isListType(type)) return array(output(type.ofType as GraphQLOutputType));
  const name = String(type);
  return scalars[name] ?? ref(name);
}

/** The schema with null as another valid value. */
export const orNull = (schema: Schema): Schema => {
  const { type } = schema;
  return typeof type === 'string'
    ? { ...schema, type: [type, 'null'] }
    : { oneOf: [schema, { type: 'null' }] };
};

/** Members that can be null, as members that can be absent. */
export const absentForNull = (members: Members): Members =>
  Object.fromEntries(
    Object.entries(members).map(([name, schema]) => {
      const { type } = schema;
      if (Array.isArray(type) && type.includes('null'))
        return [`${name}?`, { ...schema, type: type.find((one) => one !== 'null') }];
      return [name, schema];
    }),
  );

/** The GraphQL enums that a description refers to, as components. HAL has their words. */
export function enumsIn(description: object): Members {
  const references = JSON.stringify(description).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  const names = new Set(Array.from(references, ([, name]) => name ?? ''));
  return Object.fromEntries([...names].sort().flatMap((name) => enumOf(name)));
}

function enumOf(name: string): [string, Schema][] {
  const type = schema.getType(name);
  if (!isEnumType(type)) return [];
  const values = type.getValues();
  const meanings = values.map(
    (value) => `- \`${String(value.value)}\`: ${value.description ?? ''}`,
  );
  const description = [type.description ?? '', ...meanings].join('\n');
  return [
    [name, { type: 'string', enum: values.map(({ value }) => value as string), description }],
  ];
}

/**
 * The members of a request body: the fields of an input type of the graph.
 * Global ids are left out: HAL clients use the path and links for other resources.
 * No member is required here: a missing one gets a violation that names it.
 * @param overrides keywords by member that the GraphQL schema does not have, such as lengths
 * @param links fields that HAL clients send as links
 */
export function inputsOf(
  typeName: string,
  overrides: Members = {},
  links: readonly string[] = [],
): Members {
  const members = Object.values(inputFields(typeName))
    .filter(({ name, type }) => !/^(\[?ID|Upload)/.test(String(type)) && !links.includes(name))
    .map(({ name }): [string, Schema] => [name, inputOf(typeName, name)]);
  return overridden(typeName, Object.fromEntries(members), overrides);
}

/** A field of an input type as the schema of a member. */
export function inputOf(typeName: string, name: string): Schema {
  const field = inputFields(typeName)[name];
  if (!field) throw new Error(`The graph has no input ${typeName}.${name}.`);
  return {
    ...input(field.type),
    ...(field.description && { description: inHal(field.description) }),
    ...(field.defaultValue !== undefined && { default: field.defaultValue }),
  };
}

function input(type: GraphQLInputType): Schema {
  if (isNonNullType(type)) return input(type.ofType);
  if (isListType(type)) return array(input(type.ofType));
  if (!isInputObjectType(type)) return scalars[type.name] ?? ref(type.name);
  const fields = Object.values(type.getFields());
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name }) => [name, inputOf(type.name, name)])),
    required: fields.filter((field) => isNonNullType(field.type)).map(({ name }) => name),
  };
}

function inputFields(typeName: string): { readonly [name: string]: GraphQLInputField } {
  const type = schema.getType(typeName);
  if (!isInputObjectType(type)) throw new Error(`The graph has no input type ${typeName}.`);
  return type.getFields();
}

function overridden(typeName: string, members: Members, overrides: Members): Members {
  const unknown = Object.keys(overrides).filter((name) => !Object.hasOwn(members, name));
  if (unknown.length > 0) throw new Error(`${typeName} has no member ${unknown.join(', ')}.`);
  return Object.fromEntries(
    Object.entries(members).map(([name, schema]) => {
      const override = overrides[name];
      // An override takes the place of a reference.
      const { $ref: _reference, ...own } = schema;
      return [name, override ? { ...own, ...override } : schema];
    }),
  );
}

/** The description of a member of an input. */
export const textOf = (typeName: string, field: string): string =>
  String(inputOf(typeName, field)['description']);
