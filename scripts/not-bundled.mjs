/** Packages that are installed beside the program. All others are in `dist/packages`. */

/** It has native code. */
export const NOT_BUNDLED = ['sqlite3'];
