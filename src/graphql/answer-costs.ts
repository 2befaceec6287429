/** What the parts of an answer cost: fields, and bytes of its JSON text. */
import type { GraphQLField } from 'graphql';

/** Quotation marks, colon and comma. A number or a Boolean value is about as long. */
export const PUNCTUATION = 4;

export const nameLength = (name: string | number): number => String(name).length + PUNCTUATION;

/** Characters that JSON writes as escapes of up to six bytes. */
// oxlint-disable-next-line no-control-regex
const ESCAPED = /[\u0000-\u001f"\\\ud800-\udfff]/;

/** The bytes of a value without fields. */
export function byteLength(value: unknown): number {
  if (typeof value === 'string')
    return Buffer.byteLength(ESCAPED.test(value) ? JSON.stringify(value) : value);
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + byteLength(one), 0);
  return PUNCTUATION;
}

/** The weight of a field is its `complexity`, or 1. */
export function weightOfField(field: GraphQLField<unknown, unknown> | undefined): number {
  const complexity = field?.extensions['complexity'];
  return typeof complexity === 'number' ? complexity : 1;
}
