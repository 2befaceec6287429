/** Reads many files of a drive, and finds out which of them are hidden and which are gone. */
import type { Access, FileInfo } from '../adapter.js';
import { failureOf, isRefusal, isUnauthorized, StorageFailure } from '../failure.js';
import { isAddressable, itemAt } from './address.js';
import { getAll, type PartialAnswer } from './batch.js';
import { fileInfo, FIELDS, isAbout } from './item.js';

type Outcome = FileInfo | StorageFailure;

/**
 * To a user, the drive answers 404 for hidden and for missing files. To the application, it answers
 * 404 only for missing ones. So the application asks again about what the user did not find.
 */
export async function filesInfo(
  access: Access,
  ids: readonly string[],
  application: () => Promise<Access>,
): Promise<Map<string, Outcome>> {
  // One failure for all: creating an error is slow, because it records the stack.
  const unaddressable = failureOf(404);
  const outcomes = new Map<string, Outcome>(ids.map((id) => [id, unaddressable]));
  const answers = await getAll(
    access,
    [...outcomes.keys()].filter(isAddressable),
    (id) => `${itemAt(access, id)}?$select=${FIELDS}`,
  );
  if (answers.some(isUnauthorizedAnswer)) throw failureOf(401);
  const missing: string[] = [];
  for (const [id, answer] of answers) {
    const outcome = outcomeOf(id, answer);
    outcomes.set(id, outcome);
    if (outcome instanceof StorageFailure && outcome.kind === 'notFound') missing.push(id);
  }
  if (missing.length === 0) return outcomes;
  const known = await answersToApplication(application, missing);
  for (const id of missing) outcomes.set(id, hiddenOrGone(known.get(id)));
  return outcomes;
}

const isUnauthorizedAnswer = ([, { status }]: [unknown, PartialAnswer]): boolean => status === 401;

function outcomeOf(id: string, answer: PartialAnswer): Outcome {
  if (answer instanceof StorageFailure) return answer;
  const { status, body } = answer;
  if (status === 403 || status === 404) return failureOf(status);
  try {
    if (status === 200 && isAbout(id, body)) return fileInfo(body);
  } catch (error) {
    if (!(error instanceof StorageFailure)) throw error;
  }
  const problem = status === 200 ? ', but not about this one' : '';
  return new StorageFailure(
    'unexpected',
    status,
    `The storage answered for a file with status ${status}${problem}.`,
  );
}

/** Empty if the application has no access or gets no answer. */
async function answersToApplication(
  application: () => Promise<Access>,
  ids: readonly string[],
): Promise<Map<string, PartialAnswer>> {
  const ask = async () => {
    const access = await application();
    const answers = await getAll(access, ids, (id) => `${itemAt(access, id)}?$select=id`);
    if (answers.some(([, { status }]) => isRefusal(status))) await access.refused?.();
    return answers;
  };
  try {
    const answers = await ask().catch((error: unknown) =>
      isUnauthorized(error) ? undefined : Promise.reject(error),
    );
    // After a refusal, `application` gets a new token.
    const isRefused = !answers || answers.some(isUnauthorizedAnswer);
    return new Map(isRefused ? await ask() : answers);
  } catch {
    // The user's own answers do not depend on the application's failure.
    return new Map();
  }
}

function hiddenOrGone(answer: PartialAnswer | undefined): StorageFailure {
  if (answer?.status === 404) return failureOf(404);
  const exists =
    answer !== undefined && !(answer instanceof StorageFailure) && answer.status === 200;
  return exists
    ? new StorageFailure('forbidden', 404, 'The user may not see the file.')
    : new StorageFailure(
        'unexpected',
        answer?.status ?? 404,
        'Whether the file is hidden or gone could not be found out.',
      );
}
