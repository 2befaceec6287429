/** The scalar for sizes, which can be larger than an `Int` of GraphQL. */
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

export const ByteCount = new GraphQLScalarType<number, number>({
  name: 'ByteCount',
  description: 'A number of bytes: a whole number from 0 to 9007199254740991 (2⁵³ − 1).',
  serialize: Number,
  parseValue: (value) => toNumber(value),
  parseLiteral: (node) =>
    toNumber(node.kind === Kind.INT || node.kind === Kind.FLOAT ? Number(node.value) : undefined),
});

/** Fractions and negative numbers pass: the action refuses them, and its error names the member. */
function toNumber(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new GraphQLError('A ByteCount is a number.');
}
