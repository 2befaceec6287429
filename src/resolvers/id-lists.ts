/** Reads lists of ids in arguments. */
import { idOf } from '../contract/ids.js';

/** Invalid ids stay in the list as undefined: the action that needs them refuses them. */
export const idsOf = (
  type: string,
  values: readonly string[] | null | undefined,
): (number | undefined)[] | undefined => values?.map((value) => idOf(type, value));
