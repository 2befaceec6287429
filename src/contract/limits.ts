/** Limits of requests that several layers state. */

/** File links that one request creates. */
export const MAX_NEW_FILE_LINKS = 20;
