/** Subscriptions over server-sent events, one connection each, which reconnect by themselves. */
import { sleep, waitMs } from './back-off.js';
import { answered, dataOf, type Connection, type RequestOptions } from './connection.js';
import type { Document } from './document.js';
import { errorOf, MoorageError, noAnswer, type GraphqlBody } from './errors.js';
import { eventsOf } from './event-stream.js';

/**
 * - `connecting`: a connection is being opened.
 * - `open`: events arrive from now on. What happened before is not sent: read it again.
 * - `waiting`: the connection is lost. The client tries again after a while.
 */
export type StreamState = 'connecting' | 'open' | 'waiting';

export interface SubscribeOptions extends RequestOptions {
  onState?: ((state: StreamState) => void) | undefined;
}

/** The service sends something every 12 seconds. */
const SILENCE_MS = 40_000;

/**
 * Yields the data of each event, until the signal is aborted.
 * @throws MoorageError if the service refuses the subscription
 */
export async function* subscribe<Result, Variables>(
  connection: Connection,
  document: Document<Result, Variables>,
  variables: Variables | undefined,
  { signal, onState }: SubscribeOptions,
): AsyncGenerator<Result, void> {
  const body = JSON.stringify({ query: String(document), variables });
  let failures = 0;
  while (!signal?.aborted) {
    let retryAfter: number | undefined;
    try {
      onState?.('connecting');
      for await (const result of connect(connection, body, signal)) {
        failures = 0;
        // The document says what the service answers.
        if (result) yield result as Result;
        else onState?.('open');
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!(error instanceof MoorageError && error.isTemporary)) throw error;
      ({ retryAfter } = error);
    }
    onState?.('waiting');
    failures += 1;
    await sleep(waitMs(failures, retryAfter), signal).catch(() => undefined);
  }
}

/**
 * One connection, until it ends.
 * @returns the data of each result; before them one undefined when the connection is open
 */
async function* connect(
  connection: Connection,
  body: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown, void> {
  // Also ends the connection when the caller stops to read.
  const ending = new AbortController();
  const end = () => ending.abort(signal?.reason);
  if (signal?.aborted) end();
  signal?.addEventListener('abort', end);
  let silence: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(() => ending.abort(noAnswer()), SILENCE_MS);
  };
  try {
    heard();
    const response = await connection.send({
      path: '/graphql/stream',
      accept: 'text/event-stream',
      body,
      signal: ending.signal,
    });
    if (!response.ok || !response.body) await refused(response, ending.signal);
    else {
      yield undefined;
      yield* results(eventsOf(response.body, heard), ending.signal);
    }
  } finally {
    clearTimeout(silence);
    signal?.removeEventListener('abort', end);
    ending.abort();
  }
}

/**
 * The data of a stream. The service sends an error before it ends the stream. An error without an
 * end is that of one event: the stream goes on without it.
 */
async function* results(
  events: ReturnType<typeof eventsOf>,
  signal: AbortSignal,
): AsyncGenerator<unknown, void> {
  let failure: MoorageError | undefined;
  for (;;) {
    const { done, value } = await answered(events.next(), signal);
    if (done) return;
    if (value.event === 'next') {
      const { errors, data } = JSON.parse(value.data) as GraphqlBody;
      failure = errors && errorOf({ errors, data }, { status: 200 });
      if (!failure) yield data;
    } else if (value.event === 'complete') {
      // The credentials have ended: the next connection asks for new ones, or is refused.
      if (failure && failure.status !== 401) throw failure;
      return;
    }
  }
}

async function refused(response: Response, signal: AbortSignal): Promise<never> {
  dataOf(await answered(response.text(), signal), response);
  throw errorOf({}, response);
}
