/** Frees the memory of bytes that were read, without waiting for a garbage collection. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { MessageChannel } from 'node:worker_threads';

const { port1: closed, port2: other } = new MessageChannel();
other.close();

/**
 * Frees each chunk after the other listeners of `data` have read it. A chunk has no bytes then.
 * So call it after they are attached. They must copy what they keep, and count what they get.
 *
 * Otherwise Node.js collects garbage each time that 20 MB have come. In a server this takes more
 * processor time than to read and hash them.
 */
export function freeAsRead(source: Readable): void {
  source.on('data', freeBytes);
  // What the socket gave, too: the HTTP parser has copied the body out of it.
  const { socket } = source as Partial<IncomingMessage>;
  socket?.on('data', freeBytes);
  source.once('close', () => socket?.off('data', freeBytes));
}

function freeBytes({ buffer, byteLength }: Uint8Array): void {
  // Otherwise other bytes are in the same memory.
  if (byteLength === buffer.byteLength) freeMemory(buffer);
}

/** A message takes its memory along, and a message to a closed port is dropped. */
export function freeMemory(buffer: ArrayBufferLike): void {
  if (buffer instanceof ArrayBuffer) closed.postMessage(null, [buffer]);
}
