/** Texts that several descriptions of the schema share. */

export const ADMINS = 'MISSING_PERMISSION unless the caller is an administrator';

export const NO_TOKEN =
  'in the profile openproject UNAUTHENTICATED for a caller without a token of the storage; ';

/** For fields of a user that only the same user may read. */
export const OWN = 'Error: MISSING_PERMISSION for another user and for anonymous callers.';

export const CONTAINER_ID =
  'Global id of the container. An integer does not say which kind of container it is.';
