/** The types of the load tool, as far as they are used. It has none of its own. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  export interface Sent {
    method?: string;
    path?: string;
    headers?: { [name: string]: string };
    body?: string;
  }

  export interface Request<Context> extends Sent {
    /** Called before the request is sent. Without a request the list starts again. */
    setupRequest?: (request: Sent, context: Context) => Sent | undefined;
    /** Called with the complete response, just before its event `response`. */
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
    /** Failed connections, including those with a time-out. */
    errors: number;
    timeouts: number;
    /** Seconds. */
    duration: number;
  }

  /** Reports each response: the client, its status, its bytes, and its milliseconds. */
  export interface Instance extends EventEmitter, PromiseLike<Result> {
    on(
      event: 'response',
      listener: (client: object, status: number, bytes: number, ms: number) => void,
    ): this;
  }

  export default function autocannon<Context>(options: Options<Context>): Instance;
}
