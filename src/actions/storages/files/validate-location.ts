/** Validates the name and parent folder of a new file or folder in a storage. */
import { InvalidQuery, type Violation } from '../../../contract/errors.js';
import { isLonger, isStorableText } from '../../../contract/text-rules.js';

const MAX_NAME = 255;

export interface NewLocation {
  name: string | null | undefined;
  /** An id, or a path that begins with a slash. */
  parent: string | null | undefined;
}

/**
 * @param attribute name of the member with the name
 * @param label the word for the name in messages
 * @returns name and parent (empty if absent), and the violations
 */
export function validateLocation(
  { name, parent }: NewLocation,
  attribute: string,
  label: string,
): { name: string; parent: string; violations: Violation[] } {
  const problem = nameProblem(name);
  return {
    name: name ?? '',
    parent: parent ?? '',
    violations: [
      ...(problem === undefined ? [] : [{ attribute, message: `${label} ${problem}` }]),
      ...(parent === null || parent === undefined || parent === ''
        ? [{ attribute: 'parent', message: "Parent can't be blank." }]
        : []),
      ...(isTooLong(parent) ? [{ attribute: 'parent', message: TOO_LONG }] : []),
    ],
  };
}

/** The longest path on Linux (`PATH_MAX`). No storage has longer paths or ids. */
const MAX_PATH = 4096;
const TOO_LONG = `Parent is too long (maximum is ${MAX_PATH} characters).`;
export const isTooLong = (path: string | null | undefined): boolean =>
  (path?.length ?? 0) > MAX_PATH;

/** @throws InvalidQuery for an id or path that is too long */
export function demandShort(parent: string | null | undefined): void {
  if (isTooLong(parent)) throw new InvalidQuery(TOO_LONG, 'parent');
}

function nameProblem(value: string | null | undefined): string | undefined {
  if (value === null || value === undefined || value.trim() === '') return "can't be blank.";
  if (isLonger(value, MAX_NAME)) return `is too long (maximum is ${MAX_NAME} characters).`;
  if (!isStorableText(value) || /[/\\\p{Cc}]/u.test(value) || value === '.' || value === '..')
    return 'must not contain path separators or control characters.';
  return undefined;
}
