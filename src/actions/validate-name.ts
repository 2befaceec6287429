/** The subject or title of a container. */
import { PropertyConstraintViolation } from '../errors.js';
import type { ContainerType } from '../models/container.js';
import { storable } from './validate-details.js';

export type NamedContainer = Exclude<ContainerType, 'Activity'>;

/** How each kind calls its name. */
export const nameColumns = { WorkPackage: 'subject', Post: 'subject', Meeting: 'title', WikiPage: 'title' } as const;

const MAX_LENGTH = 255;

/** @throws PropertyConstraintViolation */
export function validateName(type: NamedContainer, value: unknown): { subject?: string; title?: string } {
  const column = nameColumns[type];
  const label = `${column[0]!.toUpperCase()}${column.slice(1)}`;
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) throw new PropertyConstraintViolation(`${label} can't be blank.`, column);
  if (typeof value !== 'string') throw new PropertyConstraintViolation(`${label} must be a string.`, column);
  if ([...value].length > MAX_LENGTH) throw new PropertyConstraintViolation(`${label} is too long (maximum is ${MAX_LENGTH} characters).`, column);
  if (!storable(value)) throw new PropertyConstraintViolation(`${label} must not contain NUL or broken characters.`, column);
  return { [column]: value };
}
