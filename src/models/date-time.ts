/** The scalar for times, which the database stores as the same text. */
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

export const DateTime = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description:
    'A moment as ISO 8601 text in UTC with milliseconds, e.g. `2026-01-02T03:04:05.678Z`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: String,
  parseValue: (value) => toInstant(value),
  parseLiteral: (node) => toInstant(node.kind === Kind.STRING ? node.value : undefined),
});

function toInstant(value: unknown): string {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) throw new GraphQLError('A DateTime is ISO 8601 text.');
  return new Date(time).toISOString();
}
