/** Writes what the cache of Apollo Client must know of the schema: `moorage-client/apollo`. */
import {
  buildSchema,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql';

/** Arguments of a connection that choose a page of the list. All others choose another list. */
const PAGING = new Set(['first', 'last', 'after', 'before', 'page']);

/** @returns TypeScript with `possibleTypes` and `typePolicies` */
export function apolloCache(schemaText: string): string {
  const schema = buildSchema(schemaText);
  return `/* Generated from schema.graphql: npm run generate */
import { pages, type PagePolicy } from '../apollo-pages.js';

/** The object types of each interface and union, for \`new InMemoryCache({ possibleTypes })\`. */
export const possibleTypes: { [type: string]: string[] } = ${json(possibleTypes(schema))};

/** Lists that grow with \`fetchMore\`, for \`new InMemoryCache({ typePolicies })\`. */
export const typePolicies: {
  [type: string]: { fields: { [field: string]: PagePolicy } };
} = {
${policies(schema).join('\n')}
};
`;
}

const json = (value: object): string => JSON.stringify(value, null, 2);

function possibleTypes(schema: GraphQLSchema): { [type: string]: string[] } {
  return Object.fromEntries(
    Object.values(schema.getTypeMap())
      .filter((type) => isInterfaceType(type) || isUnionType(type))
      .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]),
  );
}

function policies(schema: GraphQLSchema): string[] {
  return Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) || isInterfaceType(type))
    .filter(({ name }) => !name.startsWith('__'))
    .map((type) => {
      const fields = Object.values(type.getFields()).filter(isConnection).map(policy);
      return fields.length === 0 ? '' : `  ${type.name}: { fields: { ${fields.join(', ')} } },`;
    })
    .filter((line) => line !== '');
}

function isConnection({ type, args }: GraphQLField<unknown, unknown>): boolean {
  const named = isNonNullType(type) ? type.ofType : type;
  return (
    isObjectType(named) &&
    named.name.endsWith('Connection') &&
    isListType(unwrapped(named.getFields()['edges'])) &&
    args.some(({ name }) => name === 'after')
  );
}

const unwrapped = (field: GraphQLField<unknown, unknown> | undefined) =>
  field && isNonNullType(field.type) ? field.type.ofType : field?.type;

const policy = ({ name, args }: GraphQLField<unknown, unknown>): string => {
  const others = args.map((argument) => argument.name).filter((one) => !PAGING.has(one));
  return `${name}: pages(${JSON.stringify(others)})`;
};
