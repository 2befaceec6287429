/**
 * An HTTP server for an Express application that answers every request, also the malformed ones.
 */
import {
  createServer,
  IncomingMessage,
  ServerResponse,
  STATUS_CODES,
  type Server,
  type ServerOptions,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Express, Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { ArrivingBody } from './arriving-body.js';
import { OpenAnswers } from './open-answers.js';
import { WaitingAnswers } from './waiting-answers.js';
import { Slots } from '../concurrency/slots.js';
import { clientNetwork } from '../contract/client-network.js';
import { retryHeaders } from '../contract/error-answers.js';
import {
  ApiError,
  HeaderTooLarge,
  InvalidRequestBody,
  RequestTimeout,
} from '../contract/errors.js';

/**
 * How long the connection stays open after an answer to invalid HTTP, so the client can read it.
 */
const LINGER_MS = 1_000;

/** How long a client may take to send a body without a file. */
const BODY_MS = 30_000;

/** The same for 64 KiB of a request that is already answered. */
const DRAIN_MS = 10_000;

/** Memory of the bodies that have arrived and are not answered, in bytes: in total, and of one network. */
const BODY_MEMORY = { total: 128 * 1024 * 1024, perUser: 32 * 1024 * 1024 };

type ArrivingRequest = ExpressRequest & { arriving?: ArrivingBody | undefined };

/** Makes the body of an error response. Without an address, the request could not be parsed. */
type ErrorBody = (error: ApiError, address?: string) => object;

export interface HttpServerOptions extends ServerOptions {
  bodyMs?: number;
  drainMs?: number;
  /** How long a client may take to send 64 KiB of a file. */
  fileSeconds: number;
  /** How long a client may take for an answer. */
  answerSeconds: number;
}

/**
 * A path with single slashes. Clients put `/api/v3/…` behind an address that ends with a slash. The
 * query stays, and so does an address with a scheme.
 */
function withSingleSlashes(url: string): string {
  if (!url.includes('//') || !url.startsWith('/')) return url;
  const query = url.indexOf('?');
  const end = query < 0 ? url.length : query;
  return url.slice(0, end).replace(/\/{2,}/g, '/') + url.slice(end);
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/**
 * Call it when the application is complete.
 * @param isStopping while true, responses announce that their connection closes
 */
export function createHttpServer(
  app: Express,
  bodyOf: ErrorBody,
  isStopping: () => boolean,
  {
    bodyMs = BODY_MS,
    drainMs = DRAIN_MS,
    fileSeconds,
    answerSeconds,
    ...options
  }: HttpServerOptions,
): Server {
  announceClose(app, isStopping);
  const memory = new Slots(
    BODY_MEMORY,
    'Too much is being sent to the service at the same time. Try again shortly.',
  );
  const answers = new OpenAnswers((res) => {
    const req = res.req as ArrivingRequest;
    req.arriving?.begin();
    // It may have been refused while it waited.
    if (res.headersSent) return;
    if (req.headers.host === undefined && req.httpVersion === '1.1')
      refuse(res, new InvalidRequestBody('The request has no Host header.'), bodyOf);
    // Cast: the class has the members of Express.
    else app(req, res as ExpressResponse);
  });
  const serve = (message: IncomingMessage, res: ServerResponse) => {
    // Cast: see `classesOf`.
    const req = message as ArrivingRequest;
    req.url = withSingleSlashes(req.url);
    if (hasBody(req)) {
      // Routers shorten `req.url` later.
      const { url } = req;
      req.arriving = new ArrivingBody(req, res, clientNetwork(req.ip ?? ''), {
        memory,
        bodyMs,
        drainMs,
        fileMs: fileSeconds * 1000,
        refuse: (error) => refuse(res, error, () => bodyOf(error, url)),
      });
    }
    answers.add(res);
  };
  // Node's own answer to a missing Host header has no body.
  const server = createServer(
    { ...options, ...classesOf(app, answerSeconds), requireHostHeader: false },
    serve,
  );
  // Expectations other than 100-continue may be ignored (RFC 9110 section 10.1.1).
  server.on('checkExpectation', serve);
  server.on('clientError', (fault: NodeJS.ErrnoException, socket: Socket) =>
    refuseConnection(fault, socket, answers.latest(socket), bodyOf),
  );
  return server;
}

/**
 * Express changes the prototype of each request and response, which makes later accesses to them
 * slow in V8. Objects of these classes have Express's prototype from the start.
 */
function classesOf(app: Express, answerSeconds: number) {
  const waiting = new WaitingAnswers(answerSeconds);
  class Request extends IncomingMessage {
    arriving?: ArrivingBody | undefined;

    override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
      if (chunk) this.arriving?.add(chunk.length);
      return super.push(chunk, encoding);
    }
  }
  class Response extends ServerResponse {
    override end(...args: unknown[]): this {
      super.end(...(args as []));
      // Cast: the methods of Express come from the prototype.
      waiting.watch(this as unknown as ExpressResponse);
      return this;
    }
  }
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  // Cast: the methods of Express come from the prototypes, which TypeScript does not follow.
  app.request = Request.prototype as unknown as Express['request'];
  app.response = Response.prototype as Express['response'];
  return { IncomingMessage: Request, ServerResponse: Response };
}

/**
 * A stopping Node.js server closes a connection as soon as it is idle, but does not announce it. A
 * client would lose its next request, so each response says `Connection: close`. The method belongs
 * to Express's prototype of this application's responses, which `writeHead` of every response uses.
 */
function announceClose(app: Express, isStopping: () => boolean) {
  const writeHead = app.response.writeHead as (
    this: ExpressResponse,
    ...args: never[]
  ) => ExpressResponse;
  app.response.writeHead = function (this: ExpressResponse, ...args: never[]) {
    if (isStopping()) this.shouldKeepAlive = false;
    return writeHead.apply(this, args);
  };
}

const headersOf = (body: string, error: ApiError, isHal = true) => ({
  ...retryHeaders(error),
  'Content-Type': `application/${isHal ? 'hal+json' : 'json'}; charset=utf-8`,
  'Content-Length': Buffer.byteLength(body),
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'private, no-cache',
  Connection: 'close',
});

function refuse(res: ServerResponse, error: ApiError, bodyOf: ErrorBody) {
  const content = bodyOf(error);
  const body = JSON.stringify(content);
  res.writeHead(error.status, headersOf(body, error, '_type' in content)).end(body);
}

const refused = new WeakSet<Socket>();

/**
 * Invalid HTTP never reaches a handler. It gets a HAL error too, unless a response on the same
 * connection has begun.
 */
function refuseConnection(
  fault: NodeJS.ErrnoException,
  socket: Socket,
  latest: ServerResponse | undefined,
  bodyOf: ErrorBody,
) {
  // Every further packet reports another fault, which is dropped.
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
    // The fault follows a valid request, whose answer comes first.
    latest.once('close', () => answerAndClose(fault, socket, bodyOf));
  } else {
    answerAndClose(fault, socket, bodyOf);
  }
}

function answerAndClose(fault: NodeJS.ErrnoException, socket: Socket, bodyOf: ErrorBody) {
  const error =
    fault.code === 'HPE_HEADER_OVERFLOW'
      ? new HeaderTooLarge()
      : fault.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? new RequestTimeout()
        : new InvalidRequestBody('The request is not valid HTTP.');
  const body = JSON.stringify(bodyOf(error));
  const headers = Object.entries(headersOf(body, error))
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  if (socket.writable)
    socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${headers}\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
