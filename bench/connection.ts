/** One connection of the load generator, and the bytes of its requests. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  json?: object;
  /** Size of the file of a two-part form. */
  file?: number;
  /** With these headers the file is the whole body. */
  headers?: { [name: string]: string };
}

/** The server and the API key of its caller. */
export interface Target {
  address: string;
  key: string;
}

const PIECE = 1024 * 1024;
const BOUNDARY = 'bench-3f1c8a90d2';
const piece = randomBytes(PIECE);

export interface Prepared {
  head: Buffer;
  /** Bytes of the file still to follow the head, then the tail. */
  file: number;
  tail: Buffer;
}

export function prepare(
  { method, path, json, file, headers }: Request,
  { address, key }: Target,
): Prepared {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${new URL(address).host}`,
    `Authorization: Bearer ${key}`,
  ];
  let first = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  if (json) {
    first = Buffer.from(JSON.stringify(json));
    lines.push('Content-Type: application/json');
  } else if (headers) {
    lines.push(...Object.entries(headers).map(([name, value]) => `${name}: ${value}`));
  } else if (file !== undefined) {
    first = Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="metadata"\r\nContent-Type: application/json\r\n\r\n{"fileName":"upload.bin"}\r\n` +
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="upload.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    );
    tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
    lines.push(`Content-Type: multipart/form-data; boundary=${BOUNDARY}`);
  }
  const length = first.byteLength + (file ?? 0) + tail.byteLength;
  if (length > 0) lines.push(`Content-Length: ${length}`);
  const head = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), first]);
  // Small files are sent together with their head.
  if (file !== undefined && file <= PIECE)
    return {
      head: Buffer.concat([head, piece.subarray(0, file), tail]),
      file: 0,
      tail: Buffer.alloc(0),
    };
  return { head, file: file ?? 0, tail };
}

/** One keep-alive connection with one request at a time. */
export class Connection {
  readonly #socket: Socket;
  #head = '';
  #remaining = -1;
  #body: Buffer[] = [];
  #done: ((body: string) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  constructor(address: string) {
    const { hostname, port } = new URL(address);
    const buffer = Buffer.allocUnsafeSlow(256 * 1024);
    this.#socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: {
        buffer,
        callback: (size) => {
          this.#receive(buffer.subarray(0, size));
          return true;
        },
      },
    });
    this.#socket.on('error', (error) => this.#failed?.(error));
    this.#socket.on('close', () =>
      this.#failed?.(new Error('The connection was closed before the answer.')),
    );
  }

  send(request: Prepared, done: (body: string) => void, failed: (error: Error) => void): void {
    this.#done = done;
    this.#failed = failed;
    this.#socket.write(request.head);
    if (request.file > 0) this.#sendFile(request.file, request.tail);
  }

  close(): void {
    this.#failed = undefined;
    this.#socket.destroy();
  }

  #sendFile(left: number, tail: Buffer): void {
    let room = true;
    while (left > 0 && room) {
      const size = Math.min(left, PIECE);
      room = this.#socket.write(size === PIECE ? piece : piece.subarray(0, size));
      left -= size;
    }
    if (left === 0) this.#socket.write(tail);
    else this.#socket.once('drain', () => this.#sendFile(left, tail));
  }

  #receive(chunk: Buffer): void {
    let body = chunk;
    if (this.#remaining < 0) {
      const known = this.#head.length;
      this.#head += chunk.toString('latin1');
      const end = this.#head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = this.#head.slice(0, end);
      this.#head = '';
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      if (!head.startsWith('HTTP/1.1 20') || length === undefined)
        return this.#failed?.(new Error(`Unexpected answer: ${head} ${chunk.toString('latin1')}`));
      this.#remaining = Number(length);
      body = chunk.subarray(end + 4 - known);
    }
    this.#remaining -= body.byteLength;
    // The buffer is reused for the next bytes.
    if (this.keeps) this.#body.push(Buffer.from(body));
    if (this.#remaining > 0) return;
    this.#remaining = -1;
    const text = this.keeps ? Buffer.concat(this.#body).toString() : '';
    this.#body = [];
    this.#done?.(text);
  }

  /** Whether responses are returned as text. */
  keeps = false;
}
