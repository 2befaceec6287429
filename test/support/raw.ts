/** Raw HTTP: bytes on a socket, without a client that corrects them. */
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from './app.js';
import type { Person } from './factories.js';
import { expect } from './jest.js';

export interface RawAnswer {
  status: number;
  headers: { [name: string]: string };
  text: string;
  /** The parsed JSON body, or undefined. */
  body: any;
}

type Bytes = string | Buffer;

export interface ExchangeOptions {
  /** Number of answers to wait for. If there are fewer, the connection must end. */
  answers?: number;
  /** Closes the client's side after the last byte. */
  halfClose?: boolean;
  /** Reads nothing before all bytes are written, like a simple client. */
  writeFirst?: boolean;
}

/** Writes bytes to the server. Reads until it has enough answers or the connection ends. */
export function exchange(
  app: App,
  bytes: Bytes | AsyncIterable<Bytes> | Iterable<Bytes>,
  { answers = 1, halfClose = false, writeFirst = false }: ExchangeOptions = {},
): Promise<RawAnswer[]> {
  return new Promise((resolve) => {
    const socket = open(app);
    let received = Buffer.alloc(0);
    const finish = () => {
      socket.destroy();
      resolve(parseAnswers(received));
    };
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (parseAnswers(received).length >= answers) finish();
    });
    socket.on('error', () => undefined).on('close', finish);
    if (writeFirst) socket.pause();
    void writeAll(socket, bytes).then(
      () => {
        socket.resume();
        if (halfClose) socket.end();
      },
      () => undefined,
    );
  });
}

/** Sends one request and reads one answer. */
export async function ask(
  app: App,
  bytes: Bytes | AsyncIterable<Bytes> | Iterable<Bytes>,
  options?: ExchangeOptions,
): Promise<RawAnswer> {
  const [answer] = await exchange(app, bytes, options);
  if (!answer) throw new Error('The connection was closed without an answer.');
  return answer;
}

/** Sends bytes and closes the connection. */
export async function hangUp(
  app: App,
  bytes: Bytes | AsyncIterable<Bytes> | Iterable<Bytes>,
): Promise<void> {
  const socket = open(app).on('error', () => undefined);
  await writeAll(socket, bytes);
  socket.destroy();
}

function open(app: App): Socket {
  const { hostname, port } = new URL(app.url);
  return connect({ host: hostname, port: Number(port), noDelay: true });
}

async function writeAll(
  socket: Socket,
  bytes: Bytes | AsyncIterable<Bytes> | Iterable<Bytes>,
): Promise<void> {
  const pieces = typeof bytes === 'string' || Buffer.isBuffer(bytes) ? [bytes] : bytes;
  for await (const piece of pieces) {
    await new Promise<void>((resolve, reject) => {
      socket.write(piece, (error) => (error ? reject(error) : resolve()));
    });
  }
}

/** Parses the complete answers at the beginning of the bytes. `100 Continue` counts as one. */
function parseAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = bytes; rest.byteLength > 0;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const length = Number(headers['content-length'] ?? 0);
    if (rest.byteLength < end + 4 + length) break;
    const text = rest.subarray(end + 4, end + 4 + length).toString('utf8');
    answers.push({
      status: Number(first.split(' ')[1]),
      headers,
      text,
      body: /json/.test(headers['content-type'] ?? '') ? JSON.parse(text) : undefined,
    });
    rest = rest.subarray(end + 4 + length);
  }
  return answers;
}

export interface Head {
  as?: Person | undefined;
  version?: string;
  headers?: { [name: string]: string };
}

/** The head of a request. A header with the value '' is omitted. */
export function head(
  method: string,
  target: string,
  { as, version = '1.1', headers = {} }: Head = {},
): string {
  const all = { Host: 'localhost', ...(as && { Authorization: `Bearer ${as.key}` }), ...headers };
  const lines = Object.entries(all)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/${version}\r\n${lines.join('')}\r\n`;
}

/** A whole request with a body and its length. */
export const request = (
  method: string,
  target: string,
  body: Bytes,
  { headers, ...rest }: Head = {},
): Buffer =>
  Buffer.concat([
    Buffer.from(
      head(method, target, {
        ...rest,
        headers: { 'Content-Length': String(Buffer.byteLength(body)), ...headers },
      }),
    ),
    Buffer.from(body as string),
  ]);

export const BOUNDARY = 'the-boundary';
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

export interface Part {
  name?: string;
  filename?: string;
  type?: string;
  content: Bytes;
  /** The header lines, each with CRLF. They replace those made from the other members. */
  head?: string;
}

export const part = ({ name, filename, type, content, head: given }: Part): Buffer => {
  const made = `Content-Disposition: form-data${name === undefined ? '' : `; name="${name}"`}${filename === undefined ? '' : `; filename="${filename}"`}\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}`;
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\n${given ?? made}\r\n`),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ]);
};

/** A multipart body. `end: false` omits the closing boundary. */
export const form = (parts: Part[], { end = true }: { end?: boolean } = {}): Buffer =>
  Buffer.concat([...parts.map(part), Buffer.from(end ? `--${BOUNDARY}--\r\n` : '')]);

export const metadata = (
  content: Bytes = '{"fileName":"a.txt"}',
  type = 'application/json',
): Part => ({ name: 'metadata', type, content });
export const file = (content: Bytes = 'some text', filename = 'a.txt'): Part => ({
  name: 'file',
  filename,
  type: 'text/plain',
  content,
});

/** The number of rows of attachments in any phase, and of files in the blob folder. */
export async function stored(app: App): Promise<{ rows: number; files: number }> {
  const [row] = await app.running.services.db.write('attachments').count({ count: '*' });
  const files = readdirSync(join(app.folder, 'blobs'), {
    recursive: true,
    withFileTypes: true,
  }).filter((entry) => entry.isFile());
  return { rows: Number(row!['count']), files: files.length };
}

/**
 * Checks the service after a bad request: it has the same rows and files, and answers a good request.
 * The cleanup after a broken connection can take a moment.
 */
export async function expectUnharmed(
  app: App,
  before: { rows: number; files: number },
): Promise<void> {
  const deadline = Date.now() + 5_000;
  let now = await stored(app);
  while ((now.rows !== before.rows || now.files !== before.files) && Date.now() < deadline) {
    await sleep(20);
    now = await stored(app);
  }
  expect(now).toEqual(before);
  expect((await app.get('/api/v3/configuration')).status).toBe(200);
  expect(
    app.logLines
      .splice(0)
      .filter((line) => (JSON.parse(line) as { level: number }).level >= 50)
      .map((line) => line.slice(0, 500)),
  ).toEqual([]);
}

/** Checks that an answer is a HAL error without internal details. */
export function expectRefusal(
  {
    status,
    headers,
    text,
    body,
  }: Pick<RawAnswer, 'status' | 'text' | 'body'> & {
    headers: Headers | { [name: string]: string };
  },
  expected: { status: number; identifier: string; message: RegExp; attribute?: string },
): void {
  const type = headers instanceof Headers ? headers.get('content-type') : headers['content-type'];
  expect({ status, type, body }).toEqual({
    status: expected.status,
    type: 'application/hal+json; charset=utf-8',
    body: {
      _type: 'Error',
      errorIdentifier: `urn:service-org:api:v3:errors:${expected.identifier}`,
      message: expect.stringMatching(expected.message),
      ...(expected.attribute !== undefined && {
        _embedded: expect.objectContaining({ details: { attribute: expected.attribute } }),
      }),
    },
  });
  expect(text).not.toMatch(/node_modules|\n\s+at |\.ts:\d|\.js:\d/);
}

/** The bytes of an upload form. The second half of the file waits. */
export async function* halves(gate: Promise<void>) {
  yield Buffer.concat([
    part(metadata('{"fileName":"slow.txt"}')),
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="slow.txt"\r\n\r\nhalf`,
    ),
  ]);
  await gate;
  yield Buffer.from(` whole\r\n--${BOUNDARY}--\r\n`);
}
