/** Names as people see them. They are stored as their owners wrote them. */

/**
 * Characters without a picture of their own: controls of the direction of writing, with which
 * `fdp.exe` looks like `exe.pdf` (Unicode Technical Report 36), and other invisible ones.
 * The two joiners are left: emoji and Persian words need them. So are the tags of flags.
 */
const INVISIBLE =
  /(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])\p{Cf}|[\u034f\u115f\u1160\u2028\u2029\u3164\uffa0]/gu;

/** The text with a mark in the place of each invisible character, which browsers then do not obey. */
export const visible = (text: string): string => text.replace(INVISIBLE, '\u{fffd}');
