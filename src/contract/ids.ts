/** Converts keys of rows: integers in HAL, opaque global ids (Relay's `Node`) in GraphQL. */

/** The largest key: columns of keys are 32-bit integers. */
export const MAX_ID = 2_147_483_647;

/**
 * Parses a key from a path or an `ID` argument: decimal digits without sign or leading zero.
 * @returns undefined for anything else
 */
export function parseDatabaseId(value: string): number | undefined {
  const id = /^[1-9]\d{0,9}$/.test(value) ? Number(value) : 0;
  return id >= 1 && id <= MAX_ID ? id : undefined;
}

/** @returns the global id of a row, e.g. of attachment 52 */
export const globalId = (type: string, id: number | string): string =>
  Buffer.from(`${type}:${id}`).toString('base64url');

/**
 * Each row has one global id: another spelling of it, such as with padding, names nothing.
 * @returns the type and the key that a global id names, or undefined for anything else
 */
export function parseGlobalId(value: string): { type: string; id: number } | undefined {
  const [, type, digits] =
    /^([A-Z][A-Za-z]{0,63}):(\d{1,10})$/.exec(
      Buffer.from(value.slice(0, 200), 'base64url').toString('latin1'),
    ) ?? [];
  const id = digits && parseDatabaseId(digits);
  return type && id && globalId(type, id) === value ? { type, id } : undefined;
}

/** @returns the key in an `ID` argument of a known type; accepts the integer and the global id */
export function idOf(type: string, value: string): number | undefined {
  const direct = parseDatabaseId(value);
  if (direct !== undefined) return direct;
  const parsed = parseGlobalId(value);
  return parsed?.type === type ? parsed.id : undefined;
}
