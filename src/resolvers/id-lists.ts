/** Reads lists of ids in arguments, and ids that can be left out. */
import { idOf } from '../contract/ids.js';

/** Invalid ids stay in the list as undefined: the action that needs them refuses them. */
export const idsOf = (
  type: string,
  values: readonly string[] | null | undefined,
): (number | undefined)[] | undefined => values?.map((value) => idOf(type, value));

/** @returns null if none is given, and undefined for a text that is the id of no row */
export const optionalId = (
  type: string,
  value: string | null | undefined,
): number | null | undefined => (value === null || value === undefined ? null : idOf(type, value));
