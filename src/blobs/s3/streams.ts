/** Streams to and from the store. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/**
 * Passes the body on and counts its bytes. It records a failure of the body. A failure of the store
 * is not recorded.
 */
export function countBytes(body: AsyncIterable<Uint8Array>) {
  const observed = { size: 0, failed: false, failure: undefined as unknown, chunks: pass() };
  async function* pass() {
    let yielding = false;
    try {
      for await (const chunk of body) {
        observed.size += chunk.byteLength;
        yielding = true;
        yield chunk;
        yielding = false;
      }
    } catch (error) {
      // An error that is thrown at the `yield` comes from the store, not from the body.
      if (!yielding) Object.assign(observed, { failed: true, failure: error });
      throw error;
    }
  }
  return observed;
}

/**
 * Destroys a body when the store sends nothing any more. With a slow reader the body has unread
 * bytes, and there is no time-out.
 */
export function failOnSilence(body: IncomingMessage, silence: number): Readable {
  const { socket } = body;
  let silentSince: number | undefined;
  const onTimeout = () => {
    const received = socket.bytesRead;
    // Twice in a row: a slow reader may have read the last bytes just now.
    if (body.readableLength === 0 && received === silentSince)
      return void body.destroy(new Error(`The store sent nothing for ${silence} ms.`));
    silentSince = body.readableLength === 0 ? received : undefined;
    socket.setTimeout(silence / 2);
  };
  socket.setTimeout(silence / 2).on('timeout', onTimeout);
  body.once('close', () => socket.setTimeout(0).off('timeout', onTimeout));
  return body;
}
