/** Texts about errors that several descriptions of the schema share. */

export const ADMINS = 'MISSING_PERMISSION unless the caller is an administrator';

export const NO_TOKEN =
  'in the profile openproject UNAUTHENTICATED for a caller without a token of the storage; ';
