/** Texts about errors that several descriptions of the schema share. */

export const ADMINS = 'MISSING_PERMISSION unless the caller is an administrator';
