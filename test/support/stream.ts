/** A subscriber of `/graphql/stream`: the client of graphql-sse, with one connection per subscription. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-sse';
import type { App } from './app.js';
import type { Person } from './factories.js';

export const ATTACHMENT_CHANGED = `subscription ($containerId: ID, $attachmentId: ID) { attachmentChanged(containerId: $containerId, attachmentId: $attachmentId) {
  event deliveryId attachmentId attachmentDatabaseId containerId reason createdAt attachment { databaseId fileName status }
} }`;

export const FILE_LINK_CHANGED = `subscription ($workPackageId: ID, $fileLinkId: ID) { fileLinkChanged(workPackageId: $workPackageId, fileLinkId: $fileLinkId) {
  event deliveryId fileLinkId fileLinkDatabaseId workPackageId reason createdAt fileLink { databaseId originData(refresh: false) { name } }
} }`;

export interface Listener {
  /** The results so far: data and errors. */
  results: any[];
  /** Whether the server has ended the stream, with the error if there was one. */
  over: boolean;
  failure: unknown;
  /** Waits until there are so many results in total, and returns them. */
  next(count: number): Promise<any[]>;
  /** Waits until the server ends the stream. */
  end(ms?: number): Promise<void>;
  leave(): void;
}

export interface Subscription {
  query?: string;
  variables?: { [name: string]: unknown };
  operationName?: string;
  headers?: { [name: string]: string };
}

/** Resolves when the server has answered. After that no event is missed. */
export async function listen(
  app: App,
  as: Person | undefined,
  { query = ATTACHMENT_CHANGED, variables = {}, operationName, headers }: Subscription,
): Promise<Listener> {
  const client = createClient({
    url: `${app.url}/graphql/stream`,
    headers: { ...(as && { authorization: `Bearer ${as.key}` }), ...headers },
    retryAttempts: 0,
  });
  return new Promise((resolve, reject) => {
    const wait = async (what: string, done: () => boolean, ms = 30_000) => {
      for (const deadline = Date.now() + ms; !done(); await sleep(10)) {
        if (Date.now() > deadline)
          throw new Error(
            `No ${what} within ${ms} ms; so far: ${JSON.stringify(listener.results)}, ${String(listener.failure)}`,
          );
      }
    };
    const listener: Listener = {
      results: [],
      over: false,
      failure: undefined,
      async next(count) {
        await wait(`${count} results`, () => listener.results.length >= count);
        return [...listener.results];
      },
      end: (ms) => wait('end', () => listener.over, ms),
      leave: () => client.dispose(),
    };
    client.subscribe(
      { query, variables, ...(operationName !== undefined && { operationName }) },
      {
        next: (result) => void listener.results.push(result),
        error: (error) => {
          Object.assign(listener, { over: true, failure: error });
          reject(error instanceof Error ? error : new Error(String(error)));
        },
        complete: () => void (listener.over = true),
      },
      { connected: () => resolve(listener) },
    );
  });
}
