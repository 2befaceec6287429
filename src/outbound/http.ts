/** Requests to other servers, and their answers. */
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
