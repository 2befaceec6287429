/** Validates the name of an API key, a role or an application. */
import { PropertyConstraintViolation } from '../../../contract/errors.js';
import { isLonger, isStorableText } from '../../../contract/text-rules.js';

const MAX_LENGTH = 255;

/** @throws PropertyConstraintViolation */
export function validateName(name: string): void {
  if (name.trim() === '') throw new PropertyConstraintViolation("Name can't be blank.", 'name');
  if (isLonger(name, MAX_LENGTH) || !isStorableText(name))
    throw new PropertyConstraintViolation(
      `Name must be text of at most ${MAX_LENGTH} characters.`,
      'name',
    );
}

export const nameTaken = () =>
  new PropertyConstraintViolation('Name has already been taken.', 'name');
