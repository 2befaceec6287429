/** Draws the pages of a PDF. Scripts inside of the file never run. */
import * as pdf from 'pdfjs-dist';
import worker from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { useEffect, useRef, useState } from 'react';
import { Loading } from '../shell/failure';
import { say } from '../words';

pdf.GlobalWorkerOptions.workerSrc = worker;

export default function PdfPreview({ address, fail }: { address: string; fail: () => void }) {
  const [file, setFile] = useState<pdf.PDFDocumentProxy>();
  useEffect(() => {
    const task = pdf.getDocument({ url: address, isEvalSupported: false, useWasm: false });
    let left = false;
    task.promise.then(setFile).catch(() => {
      if (!left) fail();
    });
    return () => {
      left = true;
      void task.destroy();
    };
  }, [address]);
  if (!file) return <Loading />;
  return (
    <div className="pages" tabIndex={0}>
      {Array.from({ length: file.numPages }, (_, index) => (
        <PdfPage key={index} file={file} number={index + 1} />
      ))}
    </div>
  );
}

/** One page. It is drawn when it comes near the window. */
function PdfPage({ file, number }: { file: pdf.PDFDocumentProxy; number: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const place = canvas.current;
    if (!place) return undefined;
    const near = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        near.disconnect();
        void draw(file, number, place);
      },
      { rootMargin: '800px' },
    );
    near.observe(place);
    return () => near.disconnect();
  }, [file, number]);
  const label = say('preview.page', { page: number, pages: file.numPages });
  return <canvas ref={canvas} role="img" aria-label={label} width={600} height={800} />;
}

async function draw(file: pdf.PDFDocumentProxy, number: number, canvas: HTMLCanvasElement) {
  const page = await file.getPage(number);
  const viewport = page.getViewport({ scale: 1.5 * Math.min(2, devicePixelRatio) });
  canvas.width = viewport.width;
  canvas.height = viewport.height;
  await page.render({ canvas, viewport }).promise;
}
