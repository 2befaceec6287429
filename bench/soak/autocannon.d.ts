/** What is used of the load tool, which has no types of its own. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  export interface Sent {
    method?: string;
    path?: string;
    headers?: { [name: string]: string };
    body?: string;
  }

  export interface Request<Context> extends Sent {
    /** Called before the request is sent; nothing instead of a request starts the list over. */
    setupRequest?: (request: Sent, context: Context) => Sent | undefined;
    /** Called with the whole answer, right before the event `response` of the same answer. */
    onResponse?: (
      status: number,
      body: string,
      context: Context,
      headers: { [name: string]: string },
    ) => void;
  }

  export interface Options<Context> {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    /** Requests per second of all connections. */
    overallRate?: number;
    ignoreCoordinatedOmission?: boolean;
    /** Seconds. */
    timeout?: number;
    requests: Request<Context>[];
  }

  export interface Result {
    /** Connections that failed, with those whose answer did not come in time. */
    errors: number;
    timeouts: number;
    /** Seconds. */
    duration: number;
  }

  /** Tells of each answer: the client, its status, its bytes, and the milliseconds it took. */
  export interface Instance extends EventEmitter, PromiseLike<Result> {
    on(
      event: 'response',
      listener: (client: object, status: number, bytes: number, ms: number) => void,
    ): this;
  }

  export default function autocannon<Context>(options: Options<Context>): Instance;
}
