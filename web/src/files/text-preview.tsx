/** Texts: as they are, as a table, or as what their Markdown means. */
import { useEffect, useState } from 'react';
import { Loading } from '../shell/failure';
import { say } from '../words';
import { coloured } from './code';
import { kindOf } from './kinds';
import { tableOf } from './separated';

/** More than a person reads in a preview, in bytes. */
const SHOWN = 200_000;
/** More code than a browser lays out in colours without a pause, in characters. */
const COLOURED = 100_000;
/** More rows than a browser lays out at once without a pause. */
const ROWS = 1_000;

interface Beginning {
  words: string;
  cut: boolean;
}

interface Text {
  address: string;
  name: string;
  fail: () => void;
}

export function TextPreview(text: Text) {
  const shown = useBeginning(text);
  const isCode = kindOf({ name: text.name, type: undefined }) === 'code';
  const [html, setHtml] = useState<string>();
  useEffect(() => {
    if (!shown || !isCode || shown.words.length > COLOURED) return undefined;
    const control = new AbortController();
    void coloured(shown.words, text.name, control.signal).then(setHtml);
    return () => control.abort();
  }, [shown]);
  return shown ? <Plain {...shown} isCode={isCode} html={html} /> : <Loading />;
}

function Plain({
  words,
  cut,
  isCode = false,
  html,
}: Beginning & { isCode?: boolean; html?: string | undefined }) {
  return (
    // Code runs from left to right in every language.
    <pre tabIndex={0} dir={isCode ? 'ltr' : 'auto'}>
      {html === undefined ? words : <code dangerouslySetInnerHTML={{ __html: html }} />}
      {cut && `\n\n${say('preview.cut')}`}
    </pre>
  );
}

export function TablePreview(text: Text) {
  const shown = useBeginning(text);
  if (!shown) return <Loading />;
  const [head, ...rows] = tableOf(shown.words);
  if (!head) return <Plain {...shown} />;
  return (
    <div className="paper table" role="region" aria-label={text.name} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {/* A header without words is none. */}
            {head.map((cell, column) =>
              cell ? (
                <th key={column} scope="col">
                  {cell}
                </th>
              ) : (
                <td key={column} />
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, ROWS).map((row, number) => (
            <tr key={number}>
              {head.map((_, column) => (
                <td key={column}>{row[column]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {(shown.cut || rows.length > ROWS) && <p>{say('preview.cut')}</p>}
    </div>
  );
}

/** The service makes the HTML, and lets nothing through that acts. */
export function MarkdownPreview(text: Text) {
  const shown = useBeginning(text);
  const [html, setHtml] = useState<string>();
  const [refused, setRefused] = useState(false);
  useEffect(() => {
    if (!shown) return undefined;
    const control = new AbortController();
    htmlOf(shown.words, control.signal)
      .then(setHtml)
      .catch(() => {
        if (!control.signal.aborted) setRefused(true);
      });
    return () => control.abort();
  }, [shown]);
  if (shown && refused) return <Plain {...shown} />;
  if (!shown || html === undefined) return <Loading />;
  return (
    <div className="paper" role="region" aria-label={text.name} tabIndex={0}>
      <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
      {shown.cut && <p>{say('preview.cut')}</p>}
    </div>
  );
}

async function htmlOf(markdown: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch('/api/v3/render/markdown', {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'x-requested-with': 'XMLHttpRequest' },
    body: markdown,
    signal,
  });
  if (!answer.ok) throw new Error(`The service answered ${answer.status}.`);
  return answer.text();
}

/** The rest is not even fetched. */
function useBeginning({ address, fail }: Text): Beginning | undefined {
  const [text, setText] = useState<Beginning>();
  useEffect(() => {
    const control = new AbortController();
    beginning(address, control.signal)
      .then(setText)
      .catch(() => {
        if (!control.signal.aborted) fail();
      });
    return () => control.abort();
  }, [address]);
  return text;
}

async function beginning(address: string, signal: AbortSignal) {
  const answer = await fetch(address, { signal });
  if (!answer.ok || !answer.body) throw new Error(`The file answered ${answer.status}.`);
  const decoder = decoderOf(answer.headers.get('content-type') ?? '');
  let words = '';
  let bytes = 0;
  for await (const part of answer.body) {
    bytes += part.length;
    words += decoder.decode(part, { stream: true });
    if (bytes > SHOWN) return { words: words.slice(0, SHOWN), cut: true };
  }
  return { words, cut: false };
}

/** The service knows the encoding of the text. A store can answer another label. */
function decoderOf(contentType: string): TextDecoder {
  try {
    return new TextDecoder(/charset=([^;]+)/i.exec(contentType)?.[1]?.trim());
  } catch {
    return new TextDecoder();
  }
}
