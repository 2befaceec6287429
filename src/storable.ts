/** PostgreSQL stores neither NUL nor lone surrogates; SQLite would. */
export const storable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
