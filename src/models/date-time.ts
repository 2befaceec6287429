/** Times are stored as the text that is printed, so the scalar passes it through. */
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

export const DateTime = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description:
    'A moment as ISO 8601 text in UTC with milliseconds, e.g. `2026-01-02T03:04:05.678Z`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: (value) => value as string,
  parseValue: (value) => instant(value),
  parseLiteral: (node) => instant(node.kind === Kind.STRING ? node.value : undefined),
});

function instant(value: unknown): string {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) throw new GraphQLError('A DateTime is ISO 8601 text.');
  return new Date(time).toISOString();
}
