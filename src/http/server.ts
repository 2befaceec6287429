/** An HTTP server for an Express application: without the cost of re-prototyping every request, and with an answer to everything. */
import {
  createServer,
  IncomingMessage,
  ServerResponse,
  STATUS_CODES,
  type Server,
  type ServerOptions,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { FILE_BEGINS } from './multipart.js';
import {
  ApiError,
  HeaderTooLarge,
  InvalidRequestBody,
  RequestTimeout,
} from '../contract/errors.js';

/** How long a client whose request is already answered may go on sending it. */
const DRAIN_MS = 10_000;
/** How long the connection of a client that does not speak HTTP stays open for it to read the answer. */
const LINGER_MS = 1_000;

/** How long a client may take to send a body without a file. */
const BODY_MS = 30_000;

/** The body of an answer to a request for the address; without one nobody knows what was asked for. */
type Body = (error: ApiError, address?: string) => object;

export interface HttpServerOptions extends ServerOptions {
  bodyMs?: number;
}

/**
 * Express sets the prototypes of each request and response (expressjs/express#5998); requests that are born with them
 * save 55 µs each on Node 20. To be called once the application is built.
 * @param stopping whether answers say that their connection closes
 */
export function createHttpServer(
  app: Express,
  bodyOf: Body,
  stopping: () => boolean,
  { bodyMs = BODY_MS, ...options }: HttpServerOptions = {},
): Server {
  class Request extends IncomingMessage {}
  class Reply extends ServerResponse {
    override writeHead(...args: [never]): this {
      // Node closes the connection of a server that stops as soon as it is idle, but does not announce it: the next request would be lost.
      if (stopping()) this.shouldKeepAlive = false;
      return super.writeHead(...args);
    }

    /** Its connection closed before its turn came: Node 20 tells only the answer whose turn it is, and what waits for the end of the others would for ever. */
    abandon(): void {
      if (this.closed) return;
      this.destroyed = true;
      (this as unknown as { _closed: boolean })._closed = true;
      this.emit('close');
    }
  }
  graft(Request.prototype, app.request);
  graft(Reply.prototype, app.response);
  app.request = Request.prototype as never;
  app.response = Reply.prototype as never;

  const latest = new WeakMap<Socket, ServerResponse>();
  const open = new WeakMap<Socket, Set<Reply>>();
  const note = (socket: Socket, res: Reply) => {
    let replies = open.get(socket);
    if (!replies) {
      const all = (replies = new Set<Reply>());
      open.set(socket, all);
      socket.once('close', () => {
        for (const reply of all) reply.abandon();
      });
    }
    replies.add(res);
    res.once('close', () => replies.delete(res));
  };
  const serve = (req: IncomingMessage, res: ServerResponse) => {
    latest.set(req.socket, res);
    note(req.socket, res as Reply);
    if (
      req.headers['content-length'] !== undefined ||
      req.headers['transfer-encoding'] !== undefined
    ) {
      drainAfterwards(req, res);
      expectBody(req, res, bodyMs, bodyOf);
    }
    if (req.headers.host === undefined && req.httpVersion === '1.1')
      refuse(res, new InvalidRequestBody('The request has no Host header.'), bodyOf);
    else app(req as never, res as never);
  };
  // Node's own answer to a missing Host has no body.
  const server = createServer(
    {
      ...options,
      requireHostHeader: false,
      IncomingMessage: Request as never,
      ServerResponse: Reply as never,
    },
    serve,
  );
  // Expectations other than 100-continue may be ignored (RFC 9110 10.1.1).
  server.on('checkExpectation', serve);
  server.on('clientError', (fault: NodeJS.ErrnoException, socket: Socket) =>
    refuseConnection(fault, socket, latest.get(socket), bodyOf),
  );
  return server;
}

function graft(prototype: object, from: object) {
  for (const source of [Object.getPrototypeOf(from) as object, from])
    Object.defineProperties(prototype, Object.getOwnPropertyDescriptors(source));
}

/** An answer before the end of the request reaches the client only if its bytes are still taken off the wire. */
function drainAfterwards(req: IncomingMessage, res: ServerResponse) {
  // Before Node's own listener, which may close the connection.
  res.prependOnceListener('finish', () => {
    if (req.complete) return;
    const { socket } = req;
    req.unpipe();
    req.resume();
    // `Connection: close` would cut the client off in the middle of its request; it is told, and closes when it has read.
    socket.destroySoon = () => socket.end();
    const timer = setTimeout(() => socket.destroy(), DRAIN_MS).unref();
    req.once('close', () => clearTimeout(timer));
  });
}

/** A file takes as long as it takes; anything else that trickles in keeps memory for nothing. */
function expectBody(req: IncomingMessage, res: ServerResponse, ms: number, bodyOf: Body) {
  // Express shortens it on the way.
  const { url } = req;
  const timer = setTimeout(() => {
    if (req.complete || res.headersSent || !req.socket.readable) return;
    // Whoever reads is to give up: what was told to have come too late is not done if the rest arrives after all.
    req.emit('aborted');
    // Some answer that at once.
    if (!res.headersSent) refuse(res, new RequestTimeout(), (error) => bodyOf(error, url));
  }, ms).unref();
  req.once(FILE_BEGINS, () => clearTimeout(timer));
  res.once('close', () => clearTimeout(timer));
}

const headersOf = (body: string, isHal = true) => ({
  'Content-Type': `application/${isHal ? 'hal+json' : 'json'}; charset=utf-8`,
  'Content-Length': Buffer.byteLength(body),
  Connection: 'close',
});

function refuse(res: ServerResponse, error: ApiError, bodyOf: Body) {
  const content = bodyOf(error);
  const body = JSON.stringify(content);
  res.writeHead(error.status, headersOf(body, '_type' in content)).end(body);
}

const refused = new WeakSet<Socket>();

/** What HTTP itself refuses never reaches a handler; it too gets a HAL error, unless an answer is already on its way. */
function refuseConnection(
  fault: NodeJS.ErrnoException,
  socket: Socket,
  latest: ServerResponse | undefined,
  bodyOf: Body,
) {
  // Every further packet is another fault; it is read and dropped.
  if (refused.has(socket)) return;
  refused.add(socket);
  const isOpen = latest !== undefined && !latest.writableFinished;
  if (
    fault.code === 'ECONNRESET' ||
    !socket.writable ||
    (isOpen && latest.headersSent && !latest.req.complete)
  ) {
    socket.destroy();
  } else if (isOpen && latest.req.complete) {
    // The fault is behind a good request, whose answer comes first.
    latest.once('close', () => sayGoodbye(fault, socket, bodyOf));
  } else {
    sayGoodbye(fault, socket, bodyOf);
  }
}

function sayGoodbye(fault: NodeJS.ErrnoException, socket: Socket, bodyOf: Body) {
  const error =
    fault.code === 'HPE_HEADER_OVERFLOW'
      ? new HeaderTooLarge()
      : fault.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? new RequestTimeout()
        : new InvalidRequestBody('The request is not valid HTTP.');
  const body = JSON.stringify(bodyOf(error));
  const headers = Object.entries(headersOf(body))
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  if (socket.writable)
    socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${headers}\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
