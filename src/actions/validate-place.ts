/** Where a file or folder is to be made in a storage, and its name. */
import type { Violation } from '../errors.js';
import { storable } from './validate-details.js';

const MAX = 255;

export interface NewPlace {
  name: string | null | undefined;
  /** An id, or a path that begins with a slash. */
  parent: string | null | undefined;
}

/** Both as they are to be asked for, and what is wrong with them. */
export function validatePlace({ name, parent }: NewPlace, attribute: string, label: string): { name: string; parent: string; violations: Violation[] } {
  const problem = nameProblem(name);
  return {
    name: name ?? '', parent: parent ?? '',
    violations: [
      ...(problem === undefined ? [] : [{ attribute, message: `${label} ${problem}` }]),
      ...(parent === null || parent === undefined || parent === '' ? [{ attribute: 'parent', message: "Parent can't be blank." }] : []),
    ],
  };
}

function nameProblem(value: string | null | undefined): string | undefined {
  if (value === null || value === undefined || value.trim() === '') return "can't be blank.";
  if ([...value].length > MAX) return `is too long (maximum is ${MAX} characters).`;
  if (!storable(value) || /[/\\\p{Cc}]/u.test(value) || value === '.' || value === '..') return 'must not contain path separators or control characters.';
  return undefined;
}
