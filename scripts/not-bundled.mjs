/** Packages that are installed beside the program. All others are in `dist/packages`. */

/** They have native code. The program runs without `sharp`, too. */
export const NOT_BUNDLED = ['sqlite3', 'sharp'];
