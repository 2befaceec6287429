const LAST_YEAR = 9999;

/** Milliseconds since 1970 as ISO text in UTC; null for what is no time, or one in a year that has not four digits. */
export function instant(ms: number): string | null {
  const date = new Date(ms);
  const year = date.getUTCFullYear();
  return year >= 0 && year <= LAST_YEAR ? date.toISOString() : null;
}
