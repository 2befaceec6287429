/** A client that speaks both APIs over HTTP. */
import { Readable } from 'node:stream';
import type { Person } from './factories.js';

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed JSON body, or undefined. */
  body: any;
  text: string;
  bytes: Buffer;
}

export interface RequestOptions {
  as?: Caller | undefined;
  headers?: { [name: string]: string };
  /** Sent as JSON with its content type. */
  json?: unknown;
  body?: string | Uint8Array | FormData | Readable;
  redirect?: 'follow' | 'manual';
}

export interface UploadOptions {
  as?: Caller | undefined;
  fileName?: unknown;
  description?: unknown;
  content?: string | Uint8Array;
  /** Sends the file part before the metadata part. */
  fileFirst?: boolean;
  /** The filename of the file part. */
  partName?: string;
  partType?: string;
  /** The whole metadata part. It replaces the one made from `fileName` and `description`. */
  metadata?: string;
}

export interface GraphqlAnswer {
  status: number;
  headers: Headers;
  data: any;
  errors:
    | {
        message: string;
        path?: (string | number)[];
        extensions: { code: string; errorIdentifier: string; status: number; attribute?: string };
      }[]
    | undefined;
}

/** The owner of the API key in the request. Absent: the request is anonymous. */
type Caller = Pick<Person, 'key'>;

/** Checks an answer. @throws if the answer is wrong */
export type Watch = (method: string, path: string, answer: Answer) => void;

export class Client {
  constructor(
    readonly url: string,
    private readonly watch: Watch,
  ) {}

  async request(
    method: string,
    path: string,
    { as, headers = {}, json, body, redirect = 'manual' }: RequestOptions = {},
  ): Promise<Answer> {
    const sent = json === undefined ? body : JSON.stringify(json);
    const response = await fetch(this.url + path, {
      method,
      redirect,
      headers: {
        ...(as && { authorization: `Bearer ${as.key}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent as never }),
      ...(sent instanceof Readable && { duplex: 'half' }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = bytes.toString('utf8');
    const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '') && text !== '';
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      text,
      bytes,
      body: isJson ? JSON.parse(text) : undefined,
    };
    this.watch(method, path, answer);
    return answer;
  }

  get = (path: string, as?: Caller, options: RequestOptions = {}) =>
    this.request('GET', path, { as, ...options });
  delete = (path: string, as?: Caller, options: RequestOptions = {}) =>
    this.request('DELETE', path, { as, ...options });
  post = (path: string, as: Caller | undefined, json: unknown, options: RequestOptions = {}) =>
    this.request('POST', path, { as, json, ...options });
  patch = (path: string, as: Caller | undefined, json: unknown, options: RequestOptions = {}) =>
    this.request('PATCH', path, { as, json, ...options });

  /** A regular upload with two parts. */
  upload(
    path: string,
    {
      as,
      fileName = 'notes.txt',
      description,
      content = 'some text',
      fileFirst,
      partName = 'ignored.txt',
      partType = 'application/octet-stream',
      metadata,
    }: UploadOptions = {},
  ): Promise<Answer> {
    const form = new FormData();
    const addMetadata = () =>
      form.append(
        'metadata',
        new Blob(
          [
            metadata ??
              JSON.stringify({ fileName, ...(description !== undefined && { description }) }),
          ],
          { type: 'application/json' },
        ),
      );
    if (!fileFirst) addMetadata();
    form.append('file', new Blob([content], { type: partType }), partName);
    if (fileFirst) addMetadata();
    return this.request('POST', path, { as, body: form });
  }

  async graphql(query: string, variables: object = {}, as?: Caller): Promise<GraphqlAnswer> {
    const { status, headers, body } = await this.request('POST', '/graphql', {
      as,
      json: { query, variables },
    });
    return { status, headers, data: body?.data, errors: body?.errors };
  }

  /** A GraphQL multipart request with one file for the variable `$file`. */
  async graphqlUpload(
    query: string,
    variables: object,
    content: string | Uint8Array,
    as?: Caller,
    partName = 'ignored.txt',
  ): Promise<GraphqlAnswer> {
    const form = new FormData();
    form.append('operations', JSON.stringify({ query, variables: { ...variables, file: null } }));
    form.append('map', JSON.stringify({ 0: ['variables.file'] }));
    form.append('0', new Blob([content]), partName);
    const { status, headers, body } = await this.request('POST', '/graphql', {
      as,
      body: form,
      headers: { 'apollo-require-preflight': '1' },
    });
    return { status, headers, data: body?.data, errors: body?.errors };
  }
}
