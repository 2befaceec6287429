/** One request over HTTP, and its complete response. */
import { Agent, request as send, type IncomingMessage } from 'node:http';

export interface Wanted {
  /** Its operation, e.g. `GET /attachments/{id}` or `Query.viewer`. */
  operation: string;
  method: string;
  path: string;
  headers: { [name: string]: string };
  body?: Buffer;
  /** It changes nothing, so it may be repeated. */
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

/** Without a response for this time, the server counts as hanging. */
const PATIENCE_MS = 20_000;
/** A stream without data for this time counts as waiting for events. */
const QUIET_MS = 120;

export class Wire {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(readonly address: string) {}

  /** @throws Error if the response is incomplete */
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
      // The server may refuse a request before it reads the body. Then the rest of the body does not matter.
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
