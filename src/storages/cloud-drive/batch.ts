/** Many reads in few calls: the batches of the drive's API. */
import { setTimeout as sleep } from 'node:timers/promises';
import { OutboundFailure, retryAfterMs } from '../../outbound/client.js';
import type { Access } from '../adapter.js';
import { failureOf, jsonObject, statusIn, StorageFailure } from '../failure.js';
import { ask, at } from './client.js';

/** What the API says to one of them; a failure where it says nothing that can be understood. */
export type Answer =
  { status: number; retryAfter: string | undefined; body: unknown } | StorageFailure;

/** The API takes no more in one call. */
const LARGEST = 20;
const MAX_BYTES = 4 * 1024 * 1024;
/** Waits are rounded up to it, so that what is throttled together is asked again together. Without a `Retry-After` the first one. */
const WAIT_MS = 250;
/** As for a whole request. */
const MAX_RETRIES = 5;

/**
 * The answers to GET requests, in their order. The batches go out at the same time.
 * @throws StorageFailure, OutboundFailure where all batches failed, or where the token is refused
 */
export async function getAll(access: Access, paths: readonly string[]): Promise<Answer[]> {
  const batches = Array.from({ length: Math.ceil(paths.length / LARGEST) }, (_, index) =>
    paths.slice(index * LARGEST, (index + 1) * LARGEST),
  );
  const settled = await Promise.allSettled(batches.map((batch) => patiently(access, batch)));
  const failures = settled.flatMap((one) =>
    one.status === 'rejected' ? [one.reason as unknown] : [],
  );
  const decisive =
    failures.find((error) => !passes(error)) ??
    (failures.length === batches.length ? failures[0] : undefined);
  if (decisive !== undefined) throw decisive;
  return settled.flatMap((one, index) =>
    one.status === 'fulfilled'
      ? one.value
      : batches[index]!.map(
          () => new StorageFailure('unexpected', 0, (one.reason as Error).message),
        ),
  );
}

/** Asks those that are throttled again, each after its own wait where that fits into the deadline. */
async function patiently(access: Access, paths: readonly string[], attempt = 0): Promise<Answer[]> {
  const answers = await once(access, paths);
  const jitter = 1 + Math.random() / 2;
  const rounds = new Map<number, number[]>();
  for (const [index, answer] of answers.entries()) {
    const wait = waitOf(answer, attempt, jitter);
    if (wait !== undefined && wait < access.leftMs())
      rounds.set(wait, [...(rounds.get(wait) ?? []), index]);
  }
  await Promise.all(
    [...rounds].map(async ([wait, indices]) => {
      await sleep(wait);
      try {
        const later = await patiently(
          access,
          indices.map((index) => paths[index]!),
          attempt + 1,
        );
        for (const [position, index] of indices.entries()) answers[index] = later[position]!;
      } catch (error) {
        // They stay throttled; the others have their answers.
        if (!passes(error)) throw error;
      }
    }),
  );
  return answers;
}

async function once(access: Access, paths: readonly string[]): Promise<Answer[]> {
  const answer = await ask(access, {
    path: '/$batch',
    maxBytes: MAX_BYTES,
    body: { requests: paths.map((url, index) => ({ id: String(index), method: 'GET', url })) },
  });
  if (answer.status === 401) throw failureOf(401);
  // 424 is described for batches with throttled members, and not seen.
  if (answer.status !== 200 && answer.status !== 424)
    throw unexpected(
      answer.status,
      `The storage answered to a batch with status ${answer.status}.`,
    );
  const { responses } = jsonObject(answer);
  if (!Array.isArray(responses))
    throw unexpected(answer.status, 'The storage answered to a batch without answers.');
  const byId = new Map(responses.map((response: unknown) => [at(response, 'id'), response]));
  return paths.map((_, index) => read(byId.get(String(index))));
}

function read(response: unknown): Answer {
  const status = statusIn(at(response, 'status'));
  if (status === undefined)
    return unexpected(200, 'The storage did not answer to one part of a batch.');
  const given = at(response, 'headers');
  const headers = Object.entries(typeof given === 'object' && given !== null ? given : {});
  const retryAfter = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1] as unknown;
  return {
    status,
    retryAfter:
      typeof retryAfter === 'string' || typeof retryAfter === 'number'
        ? String(retryAfter)
        : undefined,
    body: at(response, 'body'),
  };
}

/** Milliseconds, as long as it wants but longer each time; undefined for what is not throttled, or was asked often enough. */
function waitOf(answer: Answer, attempt: number, jitter: number): number | undefined {
  if (answer instanceof StorageFailure || attempt === MAX_RETRIES) return undefined;
  const { status, retryAfter } = answer;
  if (status !== 429 && !(status === 503 && retryAfter !== undefined)) return undefined;
  const asked = retryAfterMs(retryAfter);
  const least = WAIT_MS * 2 ** attempt;
  const wait = asked === undefined ? least * jitter : Math.max(asked, attempt === 0 ? 0 : least);
  return Math.max(1, Math.ceil(wait / WAIT_MS)) * WAIT_MS;
}

/** Whether a failure says nothing about the other batches. */
const passes = (error: unknown): boolean =>
  error instanceof OutboundFailure ||
  (error instanceof StorageFailure && error.kind !== 'unauthorized');

const unexpected = (status: number, message: string) =>
  new StorageFailure('unexpected', status, message);
