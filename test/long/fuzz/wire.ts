/** Sends responses over real connections: raw bytes on a socket, valid or not, which our HTTP client reads. */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { HttpAnswer } from '../../../src/outbound/http.js';
import type { Random } from '../crash/random.js';
import { oneOf } from './hostile-values.js';

/** How a response is sent. */
type Manner = (answer: HttpAnswer) => Buffer;

const head = ({ status, headers }: HttpAnswer, more: string): string =>
  `HTTP/1.1 ${status} Status\r\n${Object.entries(headers)
    .filter(([name]) => !FRAMING.has(name))
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}${more}connection: close\r\n\r\n`;
const FRAMING = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);
const whole: Manner = (answer) =>
  Buffer.concat([
    Buffer.from(head(answer, `content-length: ${answer.body.length}\r\n`), 'latin1'),
    answer.body,
  ]);

/** Half of them are valid. */
const manners: readonly Manner[] = [
  whole,
  whole,
  whole,
  whole,
  whole,
  whole,
  (answer) => whole(answer).subarray(0, -Math.ceil(answer.body.length / 2) || undefined),
  (answer) => Buffer.concat([Buffer.from(head(answer, ''), 'latin1'), answer.body]),
  (answer) =>
    Buffer.concat([
      Buffer.from(head(answer, `content-length: ${answer.body.length * 2 + 10}\r\n`), 'latin1'),
      answer.body,
    ]),
  (answer) =>
    Buffer.concat([
      Buffer.from(head(answer, 'transfer-encoding: chunked\r\n'), 'latin1'),
      Buffer.from(`${answer.body.length.toString(16)}\r\n`),
      answer.body,
      Buffer.from('\r\n0\r\n\r\n'),
    ]),
  (answer) =>
    Buffer.concat([
      Buffer.from(head(answer, 'transfer-encoding: chunked\r\n'), 'latin1'),
      Buffer.from('zz\r\n'),
      answer.body,
    ]),
  (answer) =>
    Buffer.concat([Buffer.from(`HTTP/1.1 ${answer.status}\r\nno header\r\n\r\n`), answer.body]),
  () => Buffer.from('SSH-2.0-server\r\n'),
  () => Buffer.alloc(0),
];

/** The largest number of responses, so that a request can be repeated. */
const KEPT = 2_000;

export interface Wire {
  /** An address that sends this response for a while. @param random chooses how. Without it the response is valid. */
  address(answer: HttpAnswer, random?: Random): string;
  close(): Promise<void>;
}

export async function openWire(): Promise<Wire> {
  const waiting = new Map<string, Buffer>();
  const sockets = new Set<Socket>();
  let last = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = '';
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const id = /^\w+ \/(\d+) HTTP[^]*?\r\n\r\n/.exec(received)?.[1];
      const bytes = id === undefined ? undefined : waiting.get(id);
      if (bytes === undefined) return;
      socket.end(bytes);
    });
  });
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(0, '127.0.0.1', resolve),
  );
  const { port } = server.address() as AddressInfo;
  return {
    address(answer, random) {
      const id = String((last += 1));
      waiting.set(id, (random ? oneOf(random, manners) : whole)(answer));
      waiting.delete(String(last - KEPT));
      return `http://127.0.0.1:${port}/${id}`;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
