/** Subscribers of the inboxes. Each opens a stream, waits for one event, and leaves. */
import { request, type ClientRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../seed.js';

const SUBSCRIBERS = 4;
/** Uploads arrive many times a second, in one inbox after the other. */
const EVENT_MS = 20_000;
const PAUSE_MS = 100;
const DOCUMENT =
  'subscription ($containerId: ID) { attachmentChanged(containerId: $containerId) { event attachmentDatabaseId } }';
/** An event of graphql-sse in distinct connections mode. Its data ends with an empty line. */
const EVENT = /^event: next\n(?:id: .*\n)?data: (.*)\n\n/m;

interface Streams {
  stop(): Promise<{ opened: number; events: number }>;
}

export function subscribe(address: string, key: string, problem: (text: string) => void): Streams {
  const counts = { opened: 0, events: 0 };
  const ending = new AbortController();
  const { signal } = ending;
  const one = async (first: number) => {
    for (let n = first; !signal.aborted; n += SUBSCRIBERS) {
      const outcome = await listenOnce(
        address,
        key,
        seeded.inboxes[n % seeded.inboxes.length]!,
        signal,
      );
      if (outcome !== 'unanswered') counts.opened += 1;
      if (outcome === 'event') counts.events += 1;
      else if (!signal.aborted) problem(`a subscription: ${outcome}`);
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const work = Array.from({ length: SUBSCRIBERS }, (_, n) => one(n));
  return {
    stop: async () => {
      ending.abort();
      await Promise.all(work);
      return counts;
    },
  };
}

/** `event` if one arrived as expected. `unanswered` and others say what happened instead. */
async function listenOnce(
  address: string,
  key: string,
  workPackage: number,
  over: AbortSignal,
): Promise<string> {
  const containerId = Buffer.from(`WorkPackage:${workPackage}`).toString('base64url');
  const query = new URLSearchParams({
    query: DOCUMENT,
    variables: JSON.stringify({ containerId }),
  });
  const sent = request(`${address}/graphql/stream?${query}`, {
    agent: false,
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
  });
  const timer = setTimeout(() => sent.destroy(), EVENT_MS);
  const leave = () => void sent.destroy();
  over.addEventListener('abort', leave);
  try {
    return await firstEvent(sent);
  } finally {
    over.removeEventListener('abort', leave);
    clearTimeout(timer);
    sent.destroy();
  }
}

function firstEvent(sent: ClientRequest): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    let answered = 'unanswered';
    sent.on('error', () => resolve(answered)).on('close', () => resolve(answered));
    sent.on('response', (response) => {
      answered =
        response.statusCode === 200 ? 'without an event' : `answered with ${response.statusCode}`;
      response
        .setEncoding('utf8')
        .on('error', () => resolve(answered))
        .on('data', (piece: string) => {
          text += piece;
          const data = EVENT.exec(text)?.[1];
          if (data !== undefined)
            resolve(
              /^\{"data":\{"attachmentChanged":\{"event":"\w+/.test(data)
                ? 'event'
                : `received ${data}`,
            );
        });
    });
    sent.end();
  });
}
