/** Names as they are shown. They are stored as their owners wrote them. */
export { visible } from '../../../src/contract/visible.js';

/** Scripts whose letters change when the one beside them goes. */
const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}]/u;
const clusters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Letters before the extension that stay when a name is shortened. */
const KEPT = 5;
/** A shorter name stays whole. */
const SHORT = 12;
/** Fewer letters than these leave no room for the sign that a name is shortened. */
const LEAST = 3;

/**
 * A visible name in two pieces: one that can be shortened, and the end with the extension. The cut
 * is between letters as people see them. Where it would part joined letters, there is none.
 * Short names have nothing to shorten.
 */
export function piecesOf(name: string): [stem: string, end: string] {
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= 8 ? name.slice(dot) : '';
  const stem = name.slice(0, name.length - extension.length);
  const letters = Array.from(clusters.segment(stem), ({ segment }) => segment);
  const at = Math.max(0, letters.length - KEPT);
  const parts = JOINED.test(`${letters[at - 1] ?? ''}${letters[at] ?? ''}`);
  if (name.length < SHORT || letters.length < KEPT + LEAST) return ['', name];
  if (parts) return [stem, extension];
  return [letters.slice(0, at).join(''), letters.slice(at).join('') + extension];
}
