/** The end of a new API key. */
import type { Context } from '../../../context.js';
import { PropertyConstraintViolation } from '../../../contract/errors.js';

const DAY_MS = 24 * 3600 * 1000;
const SHORTEST_MS = 60 * 1000;

/**
 * @param wanted undefined: the default of the service; null: no end
 * @returns ISO time in UTC, or null for no end
 * @throws PropertyConstraintViolation
 */
export function endOfKey(
  { clock, settings: { apiKeyDays, apiKeyMaxDays } }: Pick<Context, 'clock' | 'settings'>,
  wanted: string | null | undefined,
): string | null {
  const now = clock().getTime();
  const after = (days: number) => new Date(now + days * DAY_MS).toISOString();
  const usual = apiKeyDays === undefined ? null : after(apiKeyDays);
  const end = wanted === undefined ? usual : wanted;
  if (apiKeyMaxDays !== undefined && (end === null || end > after(apiKeyMaxDays)))
    throw new PropertyConstraintViolation(
      `The key must end within ${apiKeyMaxDays} days.`,
      'expiresAt',
    );
  if (end !== null && Date.parse(end) < now + SHORTEST_MS)
    throw new PropertyConstraintViolation('The key must work for at least a minute.', 'expiresAt');
  return end;
}
