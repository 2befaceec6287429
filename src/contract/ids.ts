/** Keys of rows: integers in the HAL document, opaque global ids (Relay's `Node`) in GraphQL. */

/** Keys are 32-bit integers; nothing larger can exist. */
const MAX_ID = 2_147_483_647;

/** A key as it stands in a path or an `ID` argument: decimal digits without sign or leading zero, else undefined. */
export function parseDatabaseId(value: string): number | undefined {
  const id = /^[1-9]\d{0,9}$/.test(value) ? Number(value) : 0;
  return id >= 1 && id <= MAX_ID ? id : undefined;
}

/** @returns the global id of a row, e.g. of attachment 52 */
export const globalId = (type: string, id: number | string): string =>
  Buffer.from(`${type}:${id}`).toString('base64url');

/** The type and the integer that a global id names, or undefined for anything else. */
export function parseGlobalId(value: string): { type: string; id: number } | undefined {
  const [, type, digits] =
    /^([A-Z][A-Za-z]{0,63}):(\d{1,10})$/.exec(
      Buffer.from(value.slice(0, 200), 'base64url').toString('latin1'),
    ) ?? [];
  const id = digits && parseDatabaseId(digits);
  return type && id ? { type, id } : undefined;
}

/** The row of a known type that an `ID` argument names: either form is accepted. */
export function idOf(type: string, value: string): number | undefined {
  const direct = parseDatabaseId(value);
  if (direct !== undefined) return direct;
  const parsed = parseGlobalId(value);
  return parsed?.type === type ? parsed.id : undefined;
}
