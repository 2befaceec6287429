/** The name of a file or folder to be made in a storage. */
import { PropertyConstraintViolation } from '../errors.js';
import { storable } from './validate-details.js';

const MAX = 255;

/** @throws PropertyConstraintViolation */
export function validateFileName(value: string | null | undefined, attribute: string, label: string): string {
  const reject = (problem: string) => new PropertyConstraintViolation(`${label} ${problem}`, attribute);
  if (value === null || value === undefined || value.trim() === '') throw reject("can't be blank.");
  if ([...value].length > MAX) throw reject(`is too long (maximum is ${MAX} characters).`);
  if (!storable(value) || /[/\\\p{Cc}]/u.test(value) || value === '.' || value === '..') throw reject('must not contain path separators or control characters.');
  return value;
}

/** An id, or a path that begins with a slash. @throws PropertyConstraintViolation */
export function requiredParent(parent: string | null | undefined): string {
  if (parent === null || parent === undefined || parent === '') throw new PropertyConstraintViolation("Parent can't be blank.", 'parent');
  return parent;
}
