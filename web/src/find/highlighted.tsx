/** Marks the words of a search in what was found. The document stays as it is. */
import { useEffect, useRef, type ReactNode } from 'react';

const NAME = 'found';

/** One letter as the search compares it, without case and accents. It can become several. */
const folded = (letter: string): string =>
  letter.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');

/** Where the words are in a text. */
function placesOf(text: string, words: readonly string[]): [from: number, to: number][] {
  let plain = '';
  let index = 0;
  /** For each place of the folded text, the place in the text. */
  const at: number[] = [];
  for (const letter of text) {
    for (const one of folded(letter)) {
      plain += one;
      at.push(index);
    }
    index += letter.length;
  }
  at.push(text.length);
  const found: [number, number][] = [];
  for (const word of words)
    for (let from = plain.indexOf(word); from >= 0; from = plain.indexOf(word, from + word.length))
      found.push([at[from] ?? 0, at[from + word.length] ?? text.length]);
  return found;
}

function rangesIn(place: Node, words: readonly string[]): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    for (const [from, to] of placesOf(text.textContent ?? '', words)) {
      const range = new Range();
      range.setStart(text, from);
      range.setEnd(text, to);
      ranges.push(range);
    }
  }
  return ranges;
}

export function Highlighted({ search, children }: { search: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const words = search.split(/\s+/).map(folded).filter(Boolean);
    const root = place.current;
    // Older browsers show the same without marks.
    if (!root || words.length === 0 || !('highlights' in CSS)) return undefined;
    const mark = (): void => {
      CSS.highlights.set(NAME, new Highlight(...rangesIn(root, words)));
    };
    mark();
    const changes = new MutationObserver(mark);
    changes.observe(root, { subtree: true, childList: true, characterData: true });
    return () => {
      changes.disconnect();
      CSS.highlights.delete(NAME);
    };
  }, [search]);
  return <div ref={place}>{children}</div>;
}
