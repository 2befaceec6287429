/**
 * Shares results between the fields of one request, and limits their requests to storages. A
 * `question` is a key: functions with the same question have the same result.
 */
import { sharedAnswers } from '../actions/storages/access/shared-answers.js';
import { storageQueues } from '../actions/storages/access/storage-queues.js';
import type { Context } from '../context.js';

type Question = readonly (string | number)[];

/** Calls `ask` once for each question of a request. All rows that ask it share the result. */
export const askOnce = <T>(
  context: Context,
  question: Question,
  ask: () => Promise<T>,
): Promise<T> => context.once(sharedAnswers).share(question, ask);

/**
 * 16 functions for one storage at a time. At least half of the 64 connections to the storage stay
 * free, even if each function makes two calls at the same time.
 */
const fewAtOnce = () => storageQueues(16);

/** Runs only a few functions for one storage at the same time. The others wait. */
export const inTurn = <T>(context: Context, storageId: number, ask: () => Promise<T>): Promise<T> =>
  context.once(fewAtOnce).run(storageId, ask);

/** As `askOnce`, but it runs only a few functions for one storage at the same time. */
export const askInTurn = <T>(
  context: Context,
  storageId: number,
  question: Question,
  ask: () => Promise<T>,
): Promise<T> => askOnce(context, question, () => inTurn(context, storageId, ask));

/**
 * As `askOnce`, but it runs only one function for one storage at a time. It is for large results.
 * @throws InvalidQuery if earlier answers have exceeded the budget of the document
 */
export const askAlone = <T>(
  context: Context,
  storageId: number,
  question: Question,
  ask: () => Promise<T>,
): Promise<T> =>
  askOnce(context, question, () =>
    context.once(oneByOne).run(storageId, async () => {
      context.budget?.demand();
      return ask();
    }),
  );

const oneByOne = () => storageQueues(1);
