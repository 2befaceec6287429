/** Validates the subject or title of a container. */
import { containerKinds, type NamedContainer } from '../../../contract/container-kinds.js';
import type { Violation } from '../../../contract/errors.js';
import { isLonger, isStorableText } from '../../../contract/text-rules.js';
import { capitalised } from '../../../contract/words.js';

const MAX_LENGTH = 255;

/** @returns the column with the valid name, or the violation */
export function validateName(
  type: NamedContainer,
  value: unknown,
): { columns: { subject?: string; title?: string }; violations: Violation[] } {
  const column = containerKinds[type].nameColumn;
  const reject = (problem: string) => {
    const message = `${capitalised(column)} ${problem}`;
    return { columns: {}, violations: [{ attribute: column, message }] };
  };
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === ''))
    return reject("can't be blank.");
  if (typeof value !== 'string') return reject('must be a string.');
  if (isLonger(value, MAX_LENGTH))
    return reject(`is too long (maximum is ${MAX_LENGTH} characters).`);
  if (!isStorableText(value)) return reject('must not contain NUL or broken characters.');
  return { columns: { [column]: value }, violations: [] };
}
