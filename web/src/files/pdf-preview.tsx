/** Draws the pages of a PDF, and marks what is searched for. Scripts inside of the file never run. */
import * as pdf from 'pdfjs-dist';
import worker from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { memo, startTransition, useEffect, useRef, useState } from 'react';
import { Loading } from '../shell/failure';
import { say } from '../words';
import { rangesOf, SearchField, Texts, useSearch } from './pdf-search';
import { breather, hitsIn } from './pdf-text';

pdf.GlobalWorkerOptions.workerSrc = worker;

/** How much larger than on paper a page is, where there is room. */
const SCALE = 1.5;
/** More marks than this on one page slow the browser down. */
const MARKED = 1_000;

interface Size {
  width: number;
  height: number;
}
interface File {
  texts: Texts;
  /** The size of the first page. Most pages of a file have one size. */
  size: Size;
}

export default function PdfPreview({ address, fail }: { address: string; fail: () => void }) {
  const [file, setFile] = useState<File>();
  const [words, setWords] = useState('');
  const pages = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const task = pdf.getDocument({ url: address, isEvalSupported: false, useWasm: false });
    let left = false;
    open(task)
      // Thousands of pages are prepared between two frames.
      .then((opened) => startTransition(() => setFile(opened)))
      .catch(() => {
        if (!left) fail();
      });
    return () => {
      left = true;
      void task.destroy();
    };
  }, [address]);
  const search = useSearch(file?.texts, words, () => pageInView(pages.current));
  if (!file) return <Loading />;
  const { shown, pattern } = search;
  return (
    <>
      <div className="pages" ref={pages} tabIndex={0}>
        {Array.from({ length: file.texts.file.numPages }, (_, index) => (
          <PdfPage
            key={index}
            file={file}
            number={index + 1}
            pattern={pattern}
            shown={shown?.page === index + 1 ? shown.index : undefined}
          />
        ))}
      </div>
      <SearchField
        words={words}
        onWords={setWords}
        search={search}
        onLeave={() => pages.current?.focus({ preventScroll: true })}
      />
    </>
  );
}

async function open(task: pdf.PDFDocumentLoadingTask): Promise<File> {
  const file = await task.promise;
  return { texts: new Texts(file), size: sizeOf(await file.getPage(1)) };
}

function sizeOf(page: pdf.PDFPageProxy): Size {
  const { width, height } = page.getViewport({ scale: SCALE });
  return { width, height };
}

/** The first page of which something is in the window. */
function pageInView(pages: HTMLElement | null): number {
  if (!pages) return 1;
  const top = pages.getBoundingClientRect().top;
  const index = [...pages.children].findIndex((one) => one.getBoundingClientRect().bottom > top);
  return Math.max(0, index) + 1;
}

interface PageProps {
  file: File;
  number: number;
  pattern: RegExp | undefined;
  /** Which of its hits is shown. */
  shown: number | undefined;
}

/** One page. It is drawn when it comes near the window, and given up when it has left. */
const PdfPage = memo(({ file: { texts, size }, number, pattern, shown }: PageProps) => {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const [own, setOwn] = useState(size);
  const [pieces, setPieces] = useState<readonly HTMLElement[]>();
  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => setNear(entries.at(-1)?.isIntersecting ?? false),
      { root: box.current.parentElement, rootMargin: '800px' },
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const [place, layer] = [canvas.current, text.current];
    if (!isNear || !place || !layer) return undefined;
    const control = new AbortController();
    draw(texts.file, number, place, layer, control.signal)
      .then((drawn) => {
        if (control.signal.aborted) return;
        setOwn(drawn.size);
        setPieces(drawn.pieces);
      })
      // A file that is closed meanwhile draws no more pages.
      .catch(() => undefined);
    return () => {
      control.abort();
      setPieces(undefined);
      layer.replaceChildren();
      // The memory of a drawing is that of its points.
      place.width = 1;
      place.height = 1;
    };
  }, [texts, number, isNear]);
  useEffect(() => {
    if (shown !== undefined && !pieces) box.current?.scrollIntoView({ block: 'start' });
    if (!pattern || !pieces) return undefined;
    let unmark: (() => void) | undefined;
    const mark = async (): Promise<void> => {
      const hits = await hitsIn(await texts.of(number), pattern, breather());
      if (unmark) return;
      const all = hits.slice(0, MARKED).flatMap((hit) => rangesOf(hit, pieces));
      const now = shown === undefined ? [] : rangesOf(hits[shown] ?? [], pieces);
      unmark = highlight(all, now);
      const [first] = now;
      first?.startContainer.parentElement?.scrollIntoView({ block: 'center', inline: 'nearest' });
    };
    mark().catch(() => undefined);
    return () => {
      unmark?.();
      unmark = () => undefined;
    };
  }, [texts, number, pattern, pieces, shown]);
  const label = say('preview.page', { page: number, pages: texts.file.numPages });
  return (
    <div
      className="page"
      ref={box}
      style={{ width: own.width, aspectRatio: `${own.width} / ${own.height}` }}
    >
      <canvas ref={canvas} role="img" aria-label={label} width={1} height={1} />
      {/* Above the drawing, so that it can be selected, searched by the browser and read aloud. */}
      <div className="page-text" ref={text} />
    </div>
  );
});

async function draw(
  file: pdf.PDFDocumentProxy,
  number: number,
  canvas: HTMLCanvasElement,
  text: HTMLElement,
  signal: AbortSignal,
) {
  const page = await file.getPage(number);
  signal.throwIfAborted();
  const viewport = page.getViewport({ scale: SCALE * Math.min(2, devicePixelRatio) });
  canvas.width = viewport.width;
  canvas.height = viewport.height;
  const drawing = page.render({ canvas, viewport });
  signal.addEventListener('abort', () => {
    drawing.cancel();
    page.cleanup();
  });
  await drawing.promise;
  const layer = new pdf.TextLayer({
    textContentSource: page.streamTextContent(),
    container: text,
    viewport: page.getViewport({ scale: SCALE }),
  });
  signal.addEventListener('abort', () => layer.cancel());
  // The drawing is made narrower where it has no room, and the text with it.
  const natural = page.getViewport({ scale: 1 }).width;
  const resized = new ResizeObserver(() =>
    text.style.setProperty('--total-scale-factor', String(canvas.clientWidth / natural)),
  );
  resized.observe(canvas);
  signal.addEventListener('abort', () => resized.disconnect());
  await layer.render();
  return { size: sizeOf(page), pieces: layer.textDivs };
}

/** Marks places of the document without changing it. Browsers without such marks only scroll. */
function highlight(all: Range[], now: Range[]): () => void {
  if (!('highlights' in CSS)) return () => undefined;
  const [found, current] = ['pdf-hit', 'pdf-hit-now'].map((name) => {
    const one = CSS.highlights.get(name) ?? new Highlight();
    CSS.highlights.set(name, one);
    return one;
  }) as [Highlight, Highlight];
  current.priority = 1;
  for (const range of all) found.add(range);
  for (const range of now) current.add(range);
  return () => {
    for (const range of all) found.delete(range);
    for (const range of now) current.delete(range);
  };
}
