/** Sends many requests to the drive's API in few (JSON batching). */
import { setTimeout as sleep } from 'node:timers/promises';
import { OutboundFailure } from '../../outbound/failure.js';
import { retryAfterMs } from '../../outbound/retry.js';
import type { Access } from '../adapter.js';
import { failureOf, StorageFailure } from '../failure.js';
import { askInHalves } from '../in-halves.js';
import { at, isObject, jsonObject, statusIn } from '../json.js';
import { ask, type ApiRequest } from './client.js';

/** The answer to one part, or a failure if the API gave no usable answer. */
export type PartialAnswer =
  { status: number; retryAfter: string | undefined; body: unknown } | StorageFailure;

/** The API accepts at most 20 requests in a batch. */
export const MOST_IN_BATCH = 20;
const MAX_BYTES = 4 * 1024 * 1024;
/** Waits are rounded up to multiples of this, so that throttled parts are retried in one batch. */
const WAIT_MS = 250;
/** The same limit as for single requests. */
const MAX_RETRIES = 5;

/** It may be sent again. */
export type PartialRequest = Pick<ApiRequest, 'path' | 'method' | 'body'>;

interface Part {
  readonly request: PartialRequest;
  answer: PartialAnswer;
}

/** Sends a GET request for each item, as `askAll` does. @param pathOf the API path of an item */
export const getAll = <T>(
  access: Access,
  items: readonly T[],
  pathOf: (item: T) => string,
): Promise<[T, PartialAnswer][]> => askAll(access, items, (item) => ({ path: pathOf(item) }));

/**
 * Sends a request for each item. The batches are sent at the same time.
 * @returns each item with its answer, in the order of the items
 * @throws StorageFailure, OutboundFailure if all batches failed, or if the token was refused
 */
export async function askAll<T>(
  access: Access,
  items: readonly T[],
  requestOf: (item: T) => PartialRequest,
): Promise<[T, PartialAnswer][]> {
  // One failure for all: creating an error is slow, because it records the stack.
  const unanswered = unexpected(200, 'The storage did not answer to one part of a batch.');
  const parts = items.map((item) => ({
    item,
    request: requestOf(item),
    answer: unanswered as PartialAnswer,
  }));
  const batches = inParts(parts, MOST_IN_BATCH);
  const errors = await Promise.all(batches.map((batch) => errorOf(access, batch)));
  const failures = errors.filter((error) => error !== undefined);
  const decisive =
    failures.find((error) => !concernsOneBatch(error)) ??
    (failures.length === batches.length ? failures[0] : undefined);
  if (decisive !== undefined) throw decisive;
  return parts.map(({ item, answer }) => [item, answer]);
}

export const inParts = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );

/** Answers the parts of one batch. If that fails, the error is returned and is every answer. */
async function errorOf(access: Access, parts: readonly Part[]): Promise<unknown> {
  const fail = (part: Part, error: unknown): void => {
    part.answer = unexpected(0, error instanceof Error ? error.message : String(error));
  };
  try {
    await askInHalves(parts, (some) => answerWithRetries(access, some), fail);
    return undefined;
  } catch (error) {
    for (const part of parts) fail(part, error);
    return error;
  }
}

/** Retries throttled parts. Each waits as long as its answer asks for, within the deadline. */
async function answerWithRetries(
  access: Access,
  parts: readonly Part[],
  attempt = 0,
): Promise<void> {
  await answerOnce(access, parts);
  const jitter = 1 + Math.random() / 2;
  const throttled = new Map<number, Part[]>();
  for (const part of parts) {
    const wait = waitOf(part.answer, attempt, jitter);
    if (wait === undefined) continue;
    if (wait < access.leftMs()) throttled.set(wait, [...(throttled.get(wait) ?? []), part]);
    else access.postpone?.(wait);
  }
  await Promise.all(
    [...throttled].map(async ([wait, some]) => {
      await sleep(wait, undefined, { signal: access.signal });
      try {
        await answerWithRetries(access, some, attempt + 1);
      } catch (error) {
        // These parts keep the answer "throttled". The other parts have their answers.
        if (!concernsOneBatch(error)) throw error;
      }
    }),
  );
}

async function answerOnce(access: Access, parts: readonly Part[]): Promise<void> {
  const answer = await ask(access, {
    path: '/$batch',
    maxBytes: MAX_BYTES,
    body: {
      requests: parts.map(({ request: { path, body, method = body ? 'POST' : 'GET' } }, index) => ({
        id: String(index),
        method,
        url: path,
        ...(body && { headers: { 'content-type': 'application/json' }, body }),
      })),
    },
  });
  if (answer.status === 401) throw failureOf(401);
  // The API reference describes 424 for batches with throttled requests. It was never observed.
  if (answer.status !== 200 && answer.status !== 424)
    throw unexpected(
      answer.status,
      `The storage answered to a batch with status ${answer.status}.`,
    );
  const { responses } = await jsonObject(answer);
  if (!Array.isArray(responses))
    throw unexpected(answer.status, 'The storage answered to a batch without answers.');
  const byId = new Map(responses.map((response: unknown) => [at(response, 'id'), response]));
  for (const [index, part] of parts.entries()) part.answer = answerIn(byId.get(String(index)));
}

function answerIn(response: unknown): PartialAnswer {
  const status = statusIn(at(response, 'status'));
  if (status === undefined)
    return unexpected(200, 'The storage did not answer to one part of a batch.');
  const headers = at(response, 'headers');
  const [, retryAfter] =
    Object.entries(isObject(headers) ? headers : {}).find(
      ([name]) => name.toLowerCase() === 'retry-after',
    ) ?? [];
  return {
    status,
    retryAfter:
      typeof retryAfter === 'string' || typeof retryAfter === 'number'
        ? String(retryAfter)
        : undefined,
    body: at(response, 'body'),
  };
}

/**
 * Milliseconds until the next attempt: at least what the answer asks for, and longer each time.
 * Undefined if the part was not throttled, or has no attempts left.
 */
function waitOf(answer: PartialAnswer, attempt: number, jitter: number): number | undefined {
  if (answer instanceof StorageFailure || attempt === MAX_RETRIES) return undefined;
  const { status, retryAfter } = answer;
  if (status !== 429 && !(status === 503 && retryAfter !== undefined)) return undefined;
  const asked = retryAfterMs(retryAfter);
  const least = WAIT_MS * 2 ** attempt;
  const wait = asked === undefined ? least * jitter : Math.max(asked, attempt === 0 ? 0 : least);
  return Math.max(1, Math.ceil(wait / WAIT_MS)) * WAIT_MS;
}

/** A refused token concerns all batches. Other failures say nothing about the other batches. */
const concernsOneBatch = (error: unknown): boolean =>
  error instanceof OutboundFailure ||
  (error instanceof StorageFailure && error.kind !== 'unauthorized');

const unexpected = (status: number, message: string) =>
  new StorageFailure('unexpected', status, message);
