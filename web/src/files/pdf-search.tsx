/** Searches all pages of a PDF, and tells which hit is shown. */
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../shell/icon';
import { useKeys } from '../shell/keys';
import { say } from '../words';
import { breather, hitsIn, patternOf, type Hit, type Piece } from './pdf-text';

/** Somebody who types is not asked to wait for each letter, in milliseconds. */
const TYPING = 150;
/** The texts of read pages are kept up to so many characters. */
const KEPT = 20e6;

/** The hit that is shown: a page from 1 on, and its place among the hits of the page. */
interface Shown {
  page: number;
  index: number;
}

/** The pages of a file as text, each read once. */
export class Texts {
  readonly #known = new Map<number, Piece[]>();
  #kept = 0;

  constructor(readonly file: PDFDocumentProxy) {}

  async of(number: number): Promise<Piece[]> {
    const known = this.#known.get(number);
    if (known) return known;
    const page = await this.file.getPage(number);
    const { items } = await page.getTextContent();
    const pieces = items.flatMap((item) =>
      'str' in item
        ? [
            {
              str: item.str,
              hasEOL: item.hasEOL,
              isRightToLeft: item.dir === 'rtl',
              x: Number(item.transform[4]),
            },
          ]
        : [],
    );
    this.#kept += pieces.reduce((sum, { str }) => sum + str.length, 0);
    if (this.#kept < KEPT) this.#known.set(number, pieces);
    return pieces;
  }
}

interface Found {
  /** How many hits each page has. A page that is not searched yet has no number. */
  counts: readonly (number | undefined)[];
  total: number;
  /** Absent until all pages are searched. */
  end?: 'words' | 'noWords';
}
const NOTHING: Found = { counts: [], total: 0 };

interface Search {
  pattern: RegExp | undefined;
  found: Found;
  shown: Shown | undefined;
  step: (by: 1 | -1) => void;
}

/** `from` tells which page one looks at: the search begins there. */
export function useSearch(texts: Texts | undefined, words: string, from: () => number): Search {
  const [found, setFound] = useState(NOTHING);
  const [shown, setShown] = useState<Shown>();
  const [pattern, setPattern] = useState<RegExp>();
  useEffect(() => {
    setFound(NOTHING);
    setShown(undefined);
    setPattern(undefined);
    const wanted = patternOf(words);
    if (!texts || !wanted) return undefined;
    const control = new AbortController();
    const { signal } = control;
    const wait = setTimeout(() => {
      setPattern(wanted);
      const hear = (now: Found, first: Shown | undefined): void => {
        if (signal.aborted) return;
        setFound(now);
        setShown((before) => before ?? first);
      };
      // A file that is closed meanwhile ends the search.
      searchAll(texts, wanted, from(), signal, hear).catch(() => undefined);
    }, TYPING);
    return () => {
      clearTimeout(wait);
      control.abort();
    };
  }, [texts, words]);
  const step = (by: 1 | -1): void => setShown(shown && next(found.counts, shown, by));
  return { pattern, found, shown, step };
}

async function searchAll(
  texts: Texts,
  pattern: RegExp,
  from: number,
  signal: AbortSignal,
  hear: (found: Found, first: Shown | undefined) => void,
): Promise<void> {
  const pages = texts.file.numPages;
  const counts = Array.from<number | undefined>({ length: pages });
  let total = 0;
  let first: Shown | undefined;
  let hasWords = false;
  const rest = breather();
  const pause = async (): Promise<void> => {
    await rest();
    signal.throwIfAborted();
  };
  const tell = breather(100);
  for (let number = 0; number < pages; number += 1) {
    const page = ((from - 1 + number) % pages) + 1;
    const pieces = await texts.of(page);
    hasWords ||= pieces.some(({ str }) => str.trim() !== '');
    const { length } = await hitsIn(pieces, pattern, pause);
    await pause();
    counts[page - 1] = length;
    total += length;
    if (length > 0 && !first) {
      first = { page, index: 0 };
      hear({ counts: [...counts], total }, first);
    }
    if (number % 50 === 49) {
      hear({ counts: [...counts], total }, first);
      await tell();
    }
  }
  hear({ counts, total, end: hasWords ? 'words' : 'noWords' }, first);
}

function next(counts: Found['counts'], { page, index }: Shown, by: 1 | -1): Shown {
  const inPage = index + by;
  if (inPage >= 0 && inPage < (counts[page - 1] ?? 0)) return { page, index: inPage };
  for (let away = 1; away <= counts.length; away += 1) {
    const at = (page - 1 + by * away + counts.length * away) % counts.length;
    const count = counts[at] ?? 0;
    if (count > 0) return { page: at + 1, index: by === 1 ? 0 : count - 1 };
  }
  return { page, index };
}

const positionOf = ({ counts }: Found, { page, index }: Shown): number =>
  counts.slice(0, page - 1).reduce<number>((sum, count = 0) => sum + count, index + 1);

export function SearchField({
  words,
  onWords,
  search: { found, shown, step },
  onLeave,
}: {
  words: string;
  onWords: (words: string) => void;
  search: Search;
  onLeave: () => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const enter = (): void => field.current?.select();
  useKeys('viewer', { '/': enter, 'Ctrl+f': enter });
  const isEmpty = found.end && found.total === 0;
  const told = shown
    ? say('viewer.position', { position: positionOf(found, shown), total: found.total })
    : isEmpty && say(found.end === 'words' ? 'preview.noHits' : 'preview.noWords');
  return (
    <div role="search" className="pdf-search" aria-label={say('preview.find')}>
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        aria-label={say('preview.find')}
        placeholder={say('preview.find')}
        aria-keyshortcuts="Control+F /"
        value={words}
        maxLength={200}
        dir="auto"
        onChange={(event) => onWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') onLeave();
          else return;
          // Escape would close the viewer too.
          event.preventDefault();
        }}
      />
      {/* While pages are read the number grows. It is read aloud when it is known. */}
      <output aria-live="polite" aria-busy={Boolean(shown) && !found.end}>
        {told}
        {shown && !found.end && '…'}
      </output>
      <button
        type="button"
        className="round"
        aria-label={say('preview.previousHit')}
        disabled={!shown}
        onClick={() => step(-1)}
      >
        <Icon name="up" />
      </button>
      <button
        type="button"
        className="round"
        aria-label={say('preview.nextHit')}
        disabled={!shown}
        onClick={() => step(1)}
      >
        <Icon name="shut" />
      </button>
    </div>
  );
}

/** A hit in the text layer of its page: `pieces` are the elements of its pieces of text. */
export function rangesOf(hit: Hit, pieces: readonly HTMLElement[]): Range[] {
  return hit.flatMap(({ piece, from, to }) => {
    const text = pieces[piece]?.firstChild;
    if (!text || to === 0) return [];
    const range = new Range();
    range.setStart(text, from);
    range.setEnd(text, to);
    return [range];
  });
}
