/** Leaves out members without a value, in profiles that do so. */
import type { Profile } from '../../contract/profiles.js';

export const known = <T extends object>({ omitsUnknown }: Profile, members: T): T =>
  omitsUnknown
    ? // Cast: `Object.fromEntries` loses the names.
      (Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as T)
    : members;
