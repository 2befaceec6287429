import { useEffect, useState } from 'react';
import { Loading } from '../shell/failure';
import { say } from '../words';

/** More than a person reads in a preview, in bytes. */
const SHOWN = 200_000;

/** The beginning of a text. The rest is not even fetched. */
export function TextPreview({ address, fail }: { address: string; fail: () => void }) {
  const [text, setText] = useState<{ words: string; cut: boolean }>();
  useEffect(() => {
    const control = new AbortController();
    beginning(address, control.signal)
      .then(setText)
      .catch(() => {
        if (!control.signal.aborted) fail();
      });
    return () => control.abort();
  }, [address]);
  if (!text) return <Loading />;
  return (
    <pre tabIndex={0}>
      {text.words}
      {text.cut && `\n\n${say('preview.cut')}`}
    </pre>
  );
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
