/** Refuses a wrong request once its sender is known to be allowed to act (facts 5.1, 5). */
import type { Context } from '../../context.js';
import { InvalidRequestBody, refusalOf, type Violation } from '../../contract/errors.js';

/** Refuses a body that could not be read, before anything is said about what it might have asked for. @throws InvalidRequestBody */
export function demandRead({ inputErrors }: Context): void {
  const unread = inputErrors.find((error) => error instanceof InvalidRequestBody);
  if (unread) throw unread;
}

/**
 * Every action with an input calls this after the checks of sight and permission, and before it changes anything or asks anybody.
 * @param found what the action has against the input, besides members that could not be read at all
 * @param ignored members that do not belong to what is made
 * @throws InvalidRequestBody, PropertyConstraintViolation with every violation
 */
export function demandValid(
  { inputErrors }: Context,
  found: readonly Violation[] = [],
  ignored: readonly string[] = [],
): void {
  const error = refusalOf(
    inputErrors.filter(({ attribute }) => !ignored.includes(attribute ?? '')),
    found,
  );
  if (error) throw error;
}
