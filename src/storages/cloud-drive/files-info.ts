import type { Access, FileInfo } from '../adapter.js';
import { failureOf, isRefusal, StorageFailure } from '../failure.js';
import { isAddressable, itemAt } from './address.js';
import { getAll, type Answer } from './batch.js';
import { fileInfo, FIELDS, isAbout } from './item.js';

type Outcome = FileInfo | StorageFailure;

/** To a user the drive says the same of what is hidden and what is gone; to the application only of what is gone. */
export async function filesInfo(
  access: Access,
  ids: readonly string[],
  application: () => Promise<Access>,
): Promise<Map<string, Outcome>> {
  // One for all: an error records where it was made, which takes longer than everything else that is done for a file.
  const unaddressable = failureOf(404);
  const outcomes = new Map<string, Outcome>(ids.map((id) => [id, unaddressable]));
  const asked = [...outcomes.keys()].filter(isAddressable);
  const answers = await getAll(
    access,
    asked.map((id) => `${itemAt(access, id)}?$select=${FIELDS}`),
  );
  if (answers.some(({ status }) => status === 401)) throw failureOf(401);
  for (const [index, id] of asked.entries()) outcomes.set(id, outcome(id, answers[index]!));
  const missing = asked.filter((id) => isNotFound(outcomes.get(id)));
  if (missing.length === 0) return outcomes;
  const known = await knownTo(application, missing);
  for (const [index, id] of missing.entries()) outcomes.set(id, verdict(known[index]));
  return outcomes;
}

function outcome(id: string, answer: Answer): Outcome {
  if (answer instanceof StorageFailure) return answer;
  const { status, body } = answer;
  if (status === 403 || status === 404) return failureOf(status);
  try {
    if (status === 200 && isAbout(id, body)) return fileInfo(body);
  } catch (error) {
    if (!(error instanceof StorageFailure)) throw error;
  }
  return new StorageFailure(
    'unexpected',
    status,
    `The storage answered for a file with status ${status}${status === 200 ? ', but not about this one' : ''}.`,
  );
}

const isNotFound = (one: Outcome | undefined): boolean =>
  one instanceof StorageFailure && one.kind === 'notFound';

/** What the application is told; undefined where it has no access or gets no answer. */
async function knownTo(
  application: () => Promise<Access>,
  ids: readonly string[],
): Promise<(Answer | undefined)[]> {
  const ask = async () => {
    const access = await application();
    const answers = await getAll(
      access,
      ids.map((id) => `${itemAt(access, id)}?$select=id`),
    );
    if (answers.some(({ status }) => isRefusal(status))) await access.refused?.();
    return answers;
  };
  try {
    // A token that was refused is not given out again.
    const answers = await ask().catch((error: unknown) =>
      error instanceof StorageFailure && error.kind === 'unauthorized'
        ? undefined
        : Promise.reject(error),
    );
    return (answers?.some(({ status }) => status === 401) ?? true) ? await ask() : answers!;
  } catch {
    // Why is not the user's business: what they see does not depend on it.
    return ids.map(() => undefined);
  }
}

function verdict(answer: Answer | undefined): StorageFailure {
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
