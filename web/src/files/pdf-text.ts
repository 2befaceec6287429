/** Finds words on a page of a PDF, whatever their case, accents, ligatures and line breaks. */

/** A piece of text as the PDF draws it: often a line, sometimes a letter. */
export interface Piece {
  str: string;
  hasEOL: boolean;
  isRightToLeft: boolean;
  /** Where it is drawn, from the left. */
  x: number;
}

/** The parts of pieces that are one hit. */
export type Hit = { piece: number; from: number; to: number }[];

/** Marks beside letters: accents, vowel signs, and the stroke that makes an Arabic word longer. */
const MARKS = /[\p{M}\u0640\u00AD]/gu;
const LETTER_AT_END = /\p{L}-$/u;
/** After so many characters the browser may answer somebody. */
const AT_ONCE = 5_000;

const folded = new Map<string, string>();
/** What two ways to write one character have in common: "Ü" and "u", "ß" and "ss", "ﻼ" and "لا". */
function foldCharacter(character: string): string {
  let known = folded.get(character);
  if (known === undefined) {
    known = character.normalize('NFKD').replace(MARKS, '').toUpperCase().toLowerCase();
    if (/^\s+$/.test(known)) known = ' ';
    folded.set(character, known);
  }
  return known;
}

/** A word with a hyphen is also found where a line ends at the hyphen. */
export function patternOf(words: string): RegExp | undefined {
  const text = Array.from(words, foldCharacter).join('').replace(/ +/g, ' ').trim();
  if (text === '') return undefined;
  const exact = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(exact.replace(/(?<=\p{L})-(?=\p{L})/gu, '-?'), 'gu');
}

/** `pause` is called often, and decides itself whether it waits. */
export async function hitsIn(
  pieces: readonly Piece[],
  pattern: RegExp,
  pause: () => Promise<void>,
): Promise<Hit[]> {
  let text = '';
  // For each character of the text: where it comes from.
  const sources: Hit = [];
  let before = 0;
  const add = (character: string, piece: number, from: number, to: number): void => {
    if (character === ' ' && text.endsWith(' ')) return;
    text += character;
    for (let unit = 0; unit < character.length; unit += 1) sources.push({ piece, from, to });
  };
  for (const line of linesOf(pieces)) {
    for (const piece of line) {
      let from = 0;
      for (const character of pieces[piece]!.str) {
        const to = from + character.length;
        add(foldCharacter(character), piece, from, to);
        from = to;
        if (text.length - before < AT_ONCE) continue;
        before = text.length;
        await pause();
      }
    }
    if (LETTER_AT_END.test(text.slice(-3))) {
      text = text.slice(0, -1);
      sources.pop();
    } else add(' ', line.at(-1)!, 0, 0);
  }
  return Array.from(text.matchAll(pattern), ({ index, 0: { length } }) =>
    joined(sources.slice(index, index + length)),
  );
}

function joined(parts: Hit): Hit {
  const hit: Hit = [];
  for (const part of parts) {
    const last = hit.at(-1);
    if (last?.piece === part.piece) last.to = part.to;
    else hit.push({ ...part });
  }
  return hit;
}

/** The pieces of each line as they are read. */
function linesOf(pieces: readonly Piece[]): number[][] {
  const lines: number[][] = [];
  let line: number[] = [];
  for (const [index, { hasEOL }] of pieces.entries()) {
    line.push(index);
    if (!hasEOL && index + 1 < pieces.length) continue;
    lines.push(inReadingOrder(pieces, line));
    line = [];
  }
  return lines;
}

/** Some programs draw words that are read from right to left as they look: the last letter first. */
function inReadingOrder(pieces: readonly Piece[], line: number[]): number[] {
  const ordered: number[] = [];
  let run: number[] = [];
  const endRun = (): void => {
    const isDrawnBackwards = run.length > 1 && pieces[run[0]!]!.x < pieces[run.at(-1)!]!.x;
    ordered.push(...(isDrawnBackwards ? run.toReversed() : run));
    run = [];
  };
  for (const index of line) {
    const { isRightToLeft, str } = pieces[index]!;
    const isBetween = run.length > 0 && str.trim() === '';
    if (isRightToLeft || isBetween) run.push(index);
    else {
      endRun();
      ordered.push(index);
    }
  }
  endRun();
  return ordered;
}

/** Lets the browser answer whenever work has lasted this long, in milliseconds. */
export function breather(after = 30): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < after) return;
    await new Promise((resolve) => void setTimeout(resolve));
    since = performance.now();
  };
}
