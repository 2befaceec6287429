/** A form with one file as a stream that counts its bytes. `FormData` gives no progress to `fetch`. */
import type { FileSource } from './file.js';

export interface FileForm {
  /** The parts before the file, in this order. */
  fields: readonly (readonly [name: string, value: string])[];
  /** Name of the part with the file. */
  name: string;
  file: FileSource;
  fileName: string;
}

/** As browsers do (WHATWG HTML, multipart form data). */
const quoted = (name: string): string =>
  name.replace(/[\r\n"]/g, (character) => encodeURIComponent(character));

/** @returns the body, with the headers that the receiver needs: stores want a length */
export function formStream(
  { fields, name, file, fileName }: FileForm,
  onProgress: (sent: number) => void,
): { stream: ReadableStream<Uint8Array>; headers: { [name: string]: string } } {
  const boundary = `moorage-${Math.random().toString(36).slice(2)}${Date.now().toString(36)}`;
  const part = (field: string, more: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(field)}"${more}\r\n\r\n`;
  const type = file.type || 'application/octet-stream';
  const encoder = new TextEncoder();
  const before = encoder.encode(
    fields.map(([field, value]) => `${part(field, '')}${value}\r\n`).join('') +
      part(name, `; filename="${quoted(fileName)}"\r\ncontent-type: ${type}`),
  );
  const after = encoder.encode(`\r\n--${boundary}--\r\n`);
  async function* bytes() {
    let sent = 0;
    yield before;
    const reader = file.stream().getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        yield value;
        onProgress((sent += value.length));
      }
    } finally {
      await reader.cancel();
    }
    yield after;
  }
  return {
    stream: streamOf(bytes()),
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(before.length + file.size + after.length),
    },
  };
}

const streamOf = (pieces: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return();
    },
  });
