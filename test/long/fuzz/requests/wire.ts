/** One request over HTTP, and its whole answer. */
import { Agent, request as send, type IncomingMessage } from 'node:http';

export interface Wanted {
  /** The operation that it is for, e.g. `GET /attachments/{id}` or `Query.viewer`. */
  operation: string;
  method: string;
  path: string;
  headers: { [name: string]: string };
  body?: Buffer;
  /** It changes nothing, so that it may be repeated. */
  reads: boolean;
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  bytes: Buffer;
  /** The parsed JSON body, or undefined. */
  body: unknown;
}

/** Without an answer for so long, the server counts as hanging. */
const PATIENCE_MS = 20_000;
/** A stream that told nothing more for so long is taken to wait for events. */
const QUIET_MS = 120;

export class Wire {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(readonly address: string) {}

  /** @throws Error where there is no whole answer */
  ask({ method, path, headers, body }: Wanted): Promise<Reply> {
    const { hostname, port } = new URL(this.address);
    return new Promise((resolve, reject) => {
      const request = send({
        agent: this.#agent,
        hostname,
        port,
        method,
        path,
        headers: { ...headers, ...(body && { 'content-length': String(body.byteLength) }) },
        timeout: PATIENCE_MS,
      });
      // A refusal may come before the body is read; what happens to the rest of it does not matter then.
      let answered = false;
      request.on('response', (response) => {
        answered = true;
        whole(response).then(resolve, reject);
      });
      request.on('timeout', () => request.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
      request.on('error', (error) => {
        if (!answered) reject(error);
      });
      request.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function whole(response: IncomingMessage): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const finish = () => {
      const bytes = Buffer.concat(chunks);
      const text = bytes.toString('utf8');
      const headers = new Headers(
        Object.entries(response.headersDistinct).flatMap(([name, values]) =>
          values!.map((value): [string, string] => [name, value]),
        ),
      );
      resolve({ status: response.statusCode!, headers, text, bytes, body: parsed(headers, text) });
    };
    const endless = /event-stream/.test(response.headers['content-type'] ?? '');
    const enough = () => {
      response
        .off('error', reject)
        .on('error', () => undefined)
        .destroy();
      finish();
    };
    let quiet = endless ? setTimeout(enough, QUIET_MS) : undefined;
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (endless) quiet = (clearTimeout(quiet), setTimeout(enough, QUIET_MS));
    });
    response.on('end', () => (clearTimeout(quiet), finish()));
    response.on('error', reject);
  });
}

function parsed(headers: Headers, text: string): unknown {
  if (!/json/.test(headers.get('content-type') ?? '') || text === '') return undefined;
  return JSON.parse(text) as unknown;
}
