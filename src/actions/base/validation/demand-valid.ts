/** Throws the input errors of a request as one 400 or 422. */
import type { Context } from '../../../context.js';
import { isUnread, refusalOf, type Violation } from '../../../contract/errors.js';

/**
 * Throws if the request body could not be parsed.
 * Call it before the action's own checks: violations of an unreadable body would be wrong.
 * @throws InvalidRequestBody, BlankFile
 */
export function demandReadableBody({ inputErrors }: Context): void {
  const unreadable = inputErrors.find(isUnread);
  if (unreadable) throw unreadable;
}

/**
 * Throws 400 or 422 if the request has input errors or the action found violations.
 * Call it after the 404 and 403 checks, so outsiders learn nothing about validation.
 * Call it before the action writes anything or sends a request to a storage.
 * @param found violations that the action found itself
 * @param ignored attributes whose input errors do not apply to this action
 * @throws isUnread, PropertyConstraintViolation with every violation
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
