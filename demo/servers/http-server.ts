/** A real HTTP server on loopback that notes what it was asked and misbehaves on demand: the ground of every fake. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface FakeRequest {
  method: string;
  /** Path without the query, as sent. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A request with the status that it was answered; 0 while it is not, or when the connection was cut. */
export type NotedRequest = FakeRequest & { status: number };

/** What goes wrong instead of the true answer, or with it. */
export type Fault =
  /** An answer of its own. */
  | {
      status: number;
      headers?: { [name: string]: string };
      body?: string | Buffer;
      hold?: () => Promise<void>;
    }
  /** The connection is cut without an answer. */
  | 'reset'
  /** No answer, for as long as the client waits. */
  | 'silence'
  /** The true answer, announced whole, cut after half of its body. Without a body: no answer. */
  | 'half'
  /** A body that never ends. */
  | 'endless'
  /** The first byte of a body, and then nothing. */
  | 'stalled'
  /** One byte of a body each `trickleMs`: so many, or without an end. */
  | { trickleMs: number; count?: number }
  /** A body of so many bytes. */
  | { bytes: number; headers?: { [name: string]: string } }
  /** The true answer, so much later. */
  | { delayMs: number }
  /** The true answer, when the test lets it go. */
  | { hold: () => Promise<void> }
  /** The request is performed, and never answered. */
  | { unanswered: () => void };

type When = (request: FakeRequest) => boolean;

export interface FakeServer {
  /** e.g. `http://127.0.0.1:40123` */
  readonly url: string;
  readonly port: number;
  /** All requests since the start or the last `forget`. */
  readonly requests: readonly NotedRequest[];
  forget(): void;
  /** Answers the requests that fit with a fault, `times` times (without it: until `repair`). Earlier faults come first. */
  fault(fault: Fault, when?: When, times?: number): void;
  repair(): void;
  close(): Promise<void>;
}

const CHUNK = Buffer.alloc(64 * 1024, ' ');

/**
 * Serves on 127.0.0.1; the handler gets whole bodies and writes the true answer.
 * @param at a port; a free one when absent
 */
export async function serveFake(
  handle: (request: FakeRequest, response: ServerResponse) => Promise<void> | void,
  at = 0,
): Promise<FakeServer> {
  const requests: NotedRequest[] = [];
  let faults: { fault: Fault; when: When; left: number }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((req, res) => {
    read(req)
      .then(async (request) => {
        const noted: NotedRequest = { ...request, status: 0 };
        requests.push(noted);
        res.once('finish', () => {
          noted.status = res.statusCode;
        });
        const found = faults.find((one) => one.left > 0 && one.when(request));
        if (found) found.left -= 1;
        if (!found) return handle(request, res);
        await misbehave(found.fault, request, res, handle);
      })
      .catch((error: unknown) => {
        // A mistake of the fake must show in the test that met it.
        if (!res.headersSent) res.writeHead(599, { 'content-type': 'text/plain' });
        res.end(String((error as Error)?.stack ?? error));
      });
  });
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(at, '127.0.0.1', resolve),
  );
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    forget: () => void (requests.length = 0),
    fault: (fault, when = () => true, times = Infinity) =>
      void faults.push({ fault, when, left: times }),
    repair: () => void (faults = []),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function read(req: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const [path = '', query = ''] = (req.url ?? '').split(/\?(.*)/s);
  return {
    method: req.method ?? '',
    path,
    query: new URLSearchParams(query),
    headers: req.headers,
    body: Buffer.concat(chunks),
  };
}

async function misbehave(
  fault: Fault,
  request: FakeRequest,
  res: ServerResponse,
  handle: (request: FakeRequest, response: ServerResponse) => Promise<void> | void,
): Promise<void> {
  if (fault === 'reset') return void res.socket?.destroy();
  if (fault === 'silence') return;
  if (fault === 'half') {
    const { end, writeHead } = res;
    // The length is known only at the end.
    res.writeHead = ((status: number, headers: { [name: string]: string } = {}) => {
      res.statusCode = status;
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
      return res;
    }) as typeof res.writeHead;
    res.end = ((body?: string | Buffer) => {
      const whole = Buffer.from(body ?? '');
      if (whole.length === 0) {
        res.socket?.destroy();
        return res;
      }
      res.setHeader('content-length', whole.length);
      res.writeHead = writeHead;
      res.write(whole.subarray(0, Math.floor(whole.length / 2)), () => res.socket?.destroy());
      return res;
    }) as typeof end;
    return handle(request, res);
  }
  if (fault === 'endless') {
    res.writeHead(200, { 'content-type': 'application/json' });
    const more = (): void =>
      void (res.destroyed || (res.write(CHUNK) ? setImmediate(more) : res.once('drain', more)));
    return more();
  }
  if (fault === 'stalled') {
    res.writeHead(200, { 'content-type': 'application/json' });
    return void res.write(' ');
  }
  if ('trickleMs' in fault) {
    res.writeHead(200, { 'content-type': 'application/json' });
    let { count = Infinity } = fault;
    const timer = setInterval(() => {
      if (count-- > 0) res.write(' ');
      else res.end();
    }, fault.trickleMs);
    return void res.once('close', () => clearInterval(timer));
  }
  if ('bytes' in fault) {
    res.writeHead(200, {
      'content-type': 'application/json',
      'content-length': fault.bytes,
      ...fault.headers,
    });
    let left = fault.bytes;
    const more = (): void => {
      while (left > 0 && !res.destroyed) {
        const piece = CHUNK.subarray(0, Math.min(left, CHUNK.length));
        left -= piece.length;
        if (!res.write(piece)) return void res.once('drain', more);
      }
      res.end();
    };
    return more();
  }
  if ('delayMs' in fault) {
    await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
    return handle(request, res);
  }
  if ('unanswered' in fault) {
    res.writeHead = () => res;
    res.end = (() => {
      fault.unanswered();
      return res;
    }) as typeof res.end;
    return handle(request, res);
  }
  if ('hold' in fault) await fault.hold?.();
  if (!('status' in fault)) return handle(request, res);
  res.writeHead(fault.status, { ...fault.headers });
  res.end(fault.body);
}
