/** Requests to other servers, and their answers. */
import type { Readable } from 'node:stream';

export interface HttpRequest {
  method: string;
  url: string;
  headers?: { [name: string]: string };
  body?: string | Buffer;
  /** Largest accepted answer, in bytes. */
  maxBytes?: number;
}

export interface HttpAnswer {
  status: number;
  /** Names are in lower case. */
  headers: { [name: string]: string };
  body: Buffer;
}

/** An answer whose body is read piece by piece. */
export interface OpenedAnswer extends Omit<HttpAnswer, 'body'> {
  body: Readable;
}
