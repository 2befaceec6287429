/** Shares answers between the fields of one request, and limits their requests to storages. */
import { sharedAnswers } from '../actions/storage-access/shared-answers.js';
import { storageQueues } from '../actions/storage-access/storage-queues.js';
import type { Context } from '../context.js';

type Question = readonly (string | number)[];

/** Asks each question once in a request. All rows with the same question share the answer. */
export const askOnce = <T>(
  context: Context,
  question: Question,
  ask: () => Promise<T>,
): Promise<T> => context.once(sharedAnswers).share(question, ask);

/** Even two lists in one request, at two calls a row, leave half of the connections free. */
const fewAtOnce = () => storageQueues(16);

/** Runs only a few functions for one storage at the same time. The others wait. */
export const inTurn = <T>(context: Context, storageId: number, ask: () => Promise<T>): Promise<T> =>
  context.once(fewAtOnce).run(storageId, ask);

/** Asks each question once, and only a few questions to one storage at the same time. */
export const askInTurn = <T>(
  context: Context,
  storageId: number,
  question: Question,
  ask: () => Promise<T>,
): Promise<T> => askOnce(context, question, () => inTurn(context, storageId, ask));

/**
 * Asks each question once, and one storage only one question at a time. It is for questions with
 * large answers.
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
