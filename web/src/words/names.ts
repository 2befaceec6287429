/** Names as they are shown. They are stored as their owners wrote them. */

/**
 * Characters without a picture of their own: controls of the direction of writing, with which
 * `fdp.exe` looks like `exe.pdf` (Unicode Technical Report 36), and other invisible ones.
 * The two joiners are left: emoji and Persian words need them. So are the tags of flags.
 */
const INVISIBLE =
  /(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])\p{Cf}|[\u034f\u115f\u1160\u2028\u2029\u3164\uffa0]/gu;

/** The name with a mark in the place of each invisible character, which browsers then do not obey. */
export const visible = (name: string): string => name.replace(INVISIBLE, '\u{fffd}');

/** Scripts whose letters change when the one beside them goes. */
const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}]/u;
const clusters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Letters before the extension that stay when a name is shortened. */
const KEPT = 5;
/** A shorter name is not cut. */
const SHORT = 12;

/**
 * A visible name in two pieces: one that can be shortened, and the end with the extension. The cut
 * is between letters as people see them. Where it would part joined letters, there is none.
 */
export function piecesOf(name: string): [stem: string, end: string] {
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= 8 ? name.slice(dot) : '';
  const stem = name.slice(0, name.length - extension.length);
  const letters = Array.from(clusters.segment(stem), ({ segment }) => segment);
  const at = Math.max(0, letters.length - KEPT);
  const parts = JOINED.test(`${letters[at - 1] ?? ''}${letters[at] ?? ''}`);
  if (name.length < SHORT || parts) return [stem, extension];
  return [letters.slice(0, at).join(''), letters.slice(at).join('') + extension];
}
