/** The subject or title of a container. */
import type { Violation } from '../../contract/errors.js';
import type { ContainerType } from '../../models/container.js';
import { isLonger, storable } from '../../contract/text-rules.js';

export type NamedContainer = Exclude<ContainerType, 'Activity'>;

/** How each kind calls its name. */
export const nameColumns = { WorkPackage: 'subject', Post: 'subject', Meeting: 'title', WikiPage: 'title' } as const;

const MAX_LENGTH = 255;

/** The column, and what is wrong with it. */
export function validateName(type: NamedContainer, value: unknown): { columns: { subject?: string; title?: string }; violations: Violation[] } {
  const column = nameColumns[type];
  const problem = problemOf(value);
  if (problem === undefined) return { columns: { [column]: value }, violations: [] };
  return { columns: {}, violations: [{ attribute: column, message: `${column[0]!.toUpperCase()}${column.slice(1)} ${problem}` }] };
}

function problemOf(value: unknown): string | undefined {
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) return "can't be blank.";
  if (typeof value !== 'string') return 'must be a string.';
  if (isLonger(value, MAX_LENGTH)) return `is too long (maximum is ${MAX_LENGTH} characters).`;
  return storable(value) ? undefined : 'must not contain NUL or broken characters.';
}
