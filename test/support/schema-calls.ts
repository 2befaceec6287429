/** Calls every operation of the schema, with records that do not exist. */
import {
  buildClientSchema,
  getIntrospectionQuery,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  type GraphQLField,
  type GraphQLInputType,
} from 'graphql';
import type { App, GraphqlAnswer } from './app.js';
import { SET_AVATAR } from './images.js';

type Operation = GraphQLField<unknown, unknown>;

/** No record has it. */
export const UNKNOWN = 2_000_000_000;

/** Mutations that take a file, with what they are sent. */
const FILES: { readonly [name: string]: { document: string; id?: true; content: string } } = {
  createAttachment: {
    document:
      'mutation ($file: Upload!) { createAttachment(input: { file: $file }) { __typename } }',
    content: 'text',
  },
  replaceAttachment: {
    document:
      'mutation ($id: ID!, $file: Upload!) {' +
      ' replaceAttachment(input: { id: $id, file: $file }) { __typename } }',
    id: true,
    content: 'text',
  },
  importDirectory: {
    document:
      'mutation ($file: Upload!) { importDirectory(input: { file: $file }) { __typename } }',
    content: '{}',
  },
  setAvatar: { document: SET_AVATAR, id: true, content: 'text' },
};

/** The fields of `Query` and `Mutation`, as the service describes them. */
export async function operationsOf(
  app: App,
  as: { key: string },
): Promise<{ queries: Operation[]; mutations: Operation[] }> {
  const { data } = await app.graphql(getIntrospectionQuery(), {}, as);
  const schema = buildClientSchema(data);
  return {
    queries: Object.values(schema.getQueryType()!.getFields()),
    mutations: Object.values(schema.getMutationType()!.getFields()),
  };
}

/** A valid value of a type, with the required members only. */
function valueOf(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return valueOf(type.ofType);
  if (isListType(type)) return [valueOf(type.ofType)];
  if (isEnumType(type)) return type.getValues()[0]!.name;
  if (isInputObjectType(type))
    return Object.fromEntries(
      Object.values(type.getFields())
        .filter((field) => isNonNullType(field.type))
        .map((field) => [field.name, valueOf(field.type)]),
    );
  if (type.name === 'Boolean') return true;
  return ['Int', 'BigInt', 'ByteSize', 'ID'].includes(type.name) ? UNKNOWN : `new ${type.name}`;
}

export async function callOperation(
  app: App,
  kind: 'query' | 'mutation',
  { name, args, type }: Operation,
  as?: { key: string },
): Promise<GraphqlAnswer> {
  const sent = kind === 'mutation' ? FILES[name] : undefined;
  if (sent)
    return app.graphqlUpload(sent.document, sent.id ? { id: UNKNOWN } : {}, sent.content, as);
  const given = args.filter((arg) => isNonNullType(arg.type));
  const list = (one: (arg: (typeof given)[number]) => string): string =>
    given.length === 0 ? '' : `(${given.map(one).join(', ')})`;
  const document =
    `${kind} ${list((arg) => `$${arg.name}: ${arg.type}`)} ` +
    `{ ${name}${list((arg) => `${arg.name}: $${arg.name}`)}` +
    `${isLeafType(getNamedType(type)) ? '' : ' { __typename }'} }`;
  const variables = Object.fromEntries(given.map((arg) => [arg.name, valueOf(arg.type)]));
  return app.graphql(document, variables, as);
}
