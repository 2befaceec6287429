/** Who administers the service. */
import type { User } from '../models/user.js';

/** Neither an application acts for the user, nor an API key that may do less. */
export const actsForAll = ({ byApplication, keyAccess }: User): boolean =>
  !byApplication && (keyAccess ?? 'full') === 'full';

/** Administrators do so with a session, or an API key for everything. */
export const administers = (user: User): boolean => user.admin && actsForAll(user);
