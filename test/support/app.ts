/** Starts the real server on a free port with a real database, and has clients for its protocols. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../src/config.js';
import type { Profile } from '../../src/contract/profiles.js';
import { startServer, type Running } from '../../src/server.js';
import { Client, type Answer } from './client.js';
import { migratedDatabase } from './database.js';
import { factories, type Given } from './factories.js';

export type { Answer, GraphqlAnswer, RequestOptions, UploadOptions } from './client.js';

const NOTES_USE = /^update [`"]api_keys[`"] set [`"]last_used_at[`"]/;

export class App extends Client {
  /** Lines that the server logged. */
  readonly logLines: string[] = [];
  readonly given: Given;

  /** The settings of the server, by their documented names. */
  readonly environment: { [name: string]: string } = {};

  constructor(
    readonly running: Running,
    readonly folder: string,
    readonly profile: Profile,
  ) {
    super(running.address, (method, path, answer) => onAnswer?.(method, path, answer, profile));
    this.given = factories(running.services);
  }

  /**
   * The SQL statements that a function sends to the database, reads and writes. The minute in which an API key is
   * used is noted beside some request, and not for it.
   */
  async statements(work: () => Promise<unknown>): Promise<string[]> {
    const { read, write } = this.running.services.db;
    const seen: string[] = [];
    const note = ({ sql }: { sql: string }) => {
      if (!NOTES_USE.test(sql)) seen.push(sql);
    };
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

/** Called with every answer of every app. The OpenAPI check sets it. */
let onAnswer:
  ((method: string, path: string, answer: Answer, profile: Profile) => void) | undefined;
export const watchAnswers = (watch: typeof onAnswer) => {
  onAnswer = watch;
};

export const TEST_SECRET_KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';

/** Starts a server. The environment overrides settings, by their documented names. */
export async function startApp(environment: { [name: string]: string } = {}): Promise<App> {
  const { url, folder } = await migratedDatabase();
  return startIn(folder, {
    DATABASE_URL: url,
    BLOB_STORE: `disk:${join(folder, 'blobs')}`,
    PORT: '0',
    SHUTDOWN_SECONDS: '2',
    BACKGROUND_WORK: 'false',
    SECRET_KEY: TEST_SECRET_KEY,
    BUSY_REQUESTS: '100000',
    TRASH_DAYS: '0',
    ATTACHMENT_MAX_SIZE: '5MiB',
    ...environment,
  });
}

/** Starts a second server on the database and files of a running one. Stop it before the first one. */
export async function startBeside(
  { folder, environment }: App,
  changes: { [name: string]: string } = {},
): Promise<App> {
  const app = await startIn(folder, { ...environment, ...changes });
  app.stop = () => app.running.stop();
  return app;
}

/** Starts a server with exactly these settings. @param folder is removed with the server */
export async function startIn(
  folder: string,
  environment: { [name: string]: string },
): Promise<App> {
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
