/** The real server on a free port, with a real database, and clients that speak its protocols. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { readConfig } from '../../src/config.js';
import type { Profile } from '../../src/contract/profiles.js';
import { startServer, type Running } from '../../src/server.js';
import { freshDatabase } from './database.js';
import { factories, type Given, type Person } from './factories.js';

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed JSON body, or undefined. */
  body: any;
  text: string;
  bytes: Buffer;
}

export interface RequestOptions {
  as?: Person | undefined;
  headers?: { [name: string]: string };
  /** Sent as JSON with its content type. */
  json?: unknown;
  body?: string | Uint8Array | FormData | Readable;
  redirect?: 'follow' | 'manual';
}

export interface UploadOptions {
  as?: Person | undefined;
  fileName?: unknown;
  description?: unknown;
  content?: string | Uint8Array;
  /** The file part before the metadata part. */
  fileFirst?: boolean;
  /** The filename of the file part. */
  partName?: string;
  partType?: string;
  /** The whole metadata part instead of one made from `fileName` and `description`. */
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

export class App {
  /** Lines that the server logged. */
  readonly logLines: string[] = [];
  readonly given: Given;

  /** The settings that it was started with, by their documented names. */
  readonly environment: { [name: string]: string } = {};

  constructor(
    readonly running: Running,
    readonly folder: string,
    readonly profile: Profile,
  ) {
    this.given = factories(running.services);
  }

  get url(): string {
    return this.running.address;
  }

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
    const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      text,
      bytes,
      body: isJson ? JSON.parse(text) : undefined,
    };
    onAnswer?.(method, path, answer, this.profile);
    return answer;
  }

  get = (path: string, as?: Person, options: RequestOptions = {}) =>
    this.request('GET', path, { as, ...options });
  delete = (path: string, as?: Person, options: RequestOptions = {}) =>
    this.request('DELETE', path, { as, ...options });
  post = (path: string, as: Person | undefined, json: unknown, options: RequestOptions = {}) =>
    this.request('POST', path, { as, json, ...options });
  patch = (path: string, as: Person | undefined, json: unknown, options: RequestOptions = {}) =>
    this.request('PATCH', path, { as, json, ...options });

  /** A regular two-part upload (interface 4.2). */
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
    form.append('file', new Blob([content as never], { type: partType }), partName);
    if (fileFirst) addMetadata();
    return this.request('POST', path, { as, body: form });
  }

  async graphql(query: string, variables: object = {}, as?: Person): Promise<GraphqlAnswer> {
    const { status, headers, body } = await this.request('POST', '/graphql', {
      as,
      json: { query, variables },
    });
    return { status, headers, data: body?.data, errors: body?.errors };
  }

  /** A GraphQL multipart request with one file, which becomes `$file`. */
  async graphqlUpload(
    query: string,
    variables: object,
    content: string | Uint8Array,
    as?: Person,
    partName = 'ignored.txt',
  ): Promise<GraphqlAnswer> {
    const form = new FormData();
    form.append('operations', JSON.stringify({ query, variables: { ...variables, file: null } }));
    form.append('map', JSON.stringify({ 0: ['variables.file'] }));
    form.append('0', new Blob([content as never]), partName);
    const { status, headers, body } = await this.request('POST', '/graphql', {
      as,
      body: form,
      headers: { 'apollo-require-preflight': '1' },
    });
    return { status, headers, data: body?.data, errors: body?.errors };
  }

  /** The statements that a piece of work sends to the database, reads and writes. */
  async statements(work: () => Promise<unknown>): Promise<string[]> {
    const { read, write } = this.running.services.db;
    const seen: string[] = [];
    const note = ({ sql }: { sql: string }) => void seen.push(sql);
    for (const knex of new Set([read, write])) knex.on('query', note);
    try {
      await work();
    } finally {
      for (const knex of new Set([read, write])) knex.off('query', note);
    }
    return seen;
  }

  async stop(): Promise<void> {
    await this.running.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Called with every answer that any app of this file gives; set by the OpenAPI check. */
let onAnswer:
  ((method: string, path: string, answer: Answer, profile: Profile) => void) | undefined;
export const watchAnswers = (watch: typeof onAnswer) => {
  onAnswer = watch;
};

export const TEST_SECRET_KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';

/** Starts a server; the environment overrides settings by their documented names. */
export async function startApp(environment: { [name: string]: string } = {}): Promise<App> {
  const { url, folder } = await freshDatabase();
  return start(folder, {
    DATABASE_URL: url,
    BLOB_STORE: `disk:${join(folder, 'blobs')}`,
    PORT: '0',
    SHUTDOWN_SECONDS: '2',
    BACKGROUND_WORK: 'false',
    SECRET_KEY: TEST_SECRET_KEY,
    BUSY_REQUESTS: '100000',
    ...environment,
  });
}

/** One more server on the database and the files of a running one, like a second process; it is to be stopped before that one. */
export async function startBeside(
  { folder, environment }: App,
  changes: { [name: string]: string } = {},
): Promise<App> {
  const app = await start(folder, { ...environment, ...changes });
  app.stop = () => app.running.stop();
  return app;
}

async function start(folder: string, environment: { [name: string]: string }): Promise<App> {
  const config = readConfig(environment);
  const lines: string[] = [];
  const running = await startServer(
    config,
    pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
  );
  const app = new App(running, folder, config.profile);
  Object.assign(app, { logLines: lines, environment });
  return app;
}
