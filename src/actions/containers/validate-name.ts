/** The subject or title of a container. */
import type { Violation } from '../../contract/errors.js';
import { containerKinds, type NamedContainer } from '../../contract/container-kinds.js';
import { isLonger, storable } from '../../contract/text-rules.js';
import { capitalised } from '../../contract/words.js';

export type { NamedContainer };

const MAX_LENGTH = 255;

/** The column, and what is wrong with it. */
export function validateName(
  type: NamedContainer,
  value: unknown,
): { columns: { subject?: string; title?: string }; violations: Violation[] } {
  const column = containerKinds[type].nameColumn;
  const problem = problemOf(value);
  if (problem === undefined) return { columns: { [column]: value }, violations: [] };
  return {
    columns: {},
    violations: [{ attribute: column, message: `${capitalised(column)} ${problem}` }],
  };
}

function problemOf(value: unknown): string | undefined {
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === ''))
    return "can't be blank.";
  if (typeof value !== 'string') return 'must be a string.';
  if (isLonger(value, MAX_LENGTH)) return `is too long (maximum is ${MAX_LENGTH} characters).`;
  return storable(value) ? undefined : 'must not contain NUL or broken characters.';
}
