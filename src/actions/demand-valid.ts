/** Refuses a wrong request once its sender is known to be allowed to act (facts 5.1, 5). */
import type { Context } from '../context.js';
import { InvalidRequestBody, violated, violationsOf, type ApiError, type Violation } from '../errors.js';

/**
 * Every action with an input calls this after the checks of sight and permission, and before it changes anything or asks anybody.
 * @param found what the action has against the input, besides members that could not be read at all
 * @param ignored members that do not belong to what is made
 * @throws InvalidRequestBody, PropertyConstraintViolation with every violation
 */
export function demandValid(context: Context, found: readonly Violation[] = [], ignored: readonly string[] = []): void {
  const error = invalid(context, found, ignored);
  if (error) throw error;
}

/** What `demandValid` throws, if anything. */
export function invalid({ misread }: Context, found: readonly Violation[], ignored: readonly string[] = []): ApiError | undefined {
  const unread = misread.filter(({ attribute }) => !ignored.includes(attribute ?? ''));
  // Nothing can be said about what would have been in there.
  const broken = unread.find((error) => error instanceof InvalidRequestBody || error.attribute === '_links');
  if (broken) return broken;
  // A member that could not be read has one violation, whatever stands for it.
  const others = found.filter(({ attribute }) => attribute === 'base' || unread.every((error) => error.attribute !== attribute));
  if (others.length === 0 && unread.length < 2) return unread[0];
  return violated([...unread.flatMap(violationsOf), ...others]);
}
