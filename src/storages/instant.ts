/** Formats times of storages as ISO 8601. */
const LAST_YEAR = 9999;

/**
 * @param ms milliseconds since 1970
 * @returns ISO 8601 in UTC; null for an invalid time, and for a year without four digits
 */
export function instant(ms: number): string | null {
  const date = new Date(ms);
  const year = date.getUTCFullYear();
  return year >= 0 && year <= LAST_YEAR ? date.toISOString() : null;
}
