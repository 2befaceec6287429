/** Checks the host and the application password of a storage before they are stored. */
import type { Context } from '../../../context.js';
import type { Violation } from '../../../contract/errors.js';
import { OutboundFailure } from '../../../outbound/failure.js';
import type { Storage } from '../../../models/storage.js';
import type { OwnMemberName } from '../../../storages/types.js';
import { StorageFailure } from '../../../storages/failure.js';
import { adapterFor } from '../../../storages/index.js';
import { probeTarget } from '../access/storage-target.js';

type ProbedStorage = Pick<Storage, 'type' | 'origin' | OwnMemberName> & { id?: number };

/** What to check. */
interface ProbeOptions {
  origin: boolean;
  /** Sent only after the origin has passed its check, so that no secret reaches a wrong host. */
  password: string | null | undefined;
}

export async function probeStorage(
  context: Context,
  storage: ProbedStorage,
  { origin, password }: ProbeOptions,
): Promise<Violation[]> {
  const { probe, checkPassword } = adapterFor(storage.type);
  if (!origin && !password) return [];
  // One target, so both checks share one deadline.
  const target = probeTarget(context, storage);
  const originViolations = origin ? await violationsOf('host', 'Host', () => probe?.(target)) : [];
  return originViolations.length === 0 && password
    ? violationsOf('applicationPassword', 'Application password', () =>
        checkPassword?.(target, password),
      )
    : originViolations;
}

async function violationsOf(
  attribute: string,
  label: string,
  probe: () => Promise<void> | undefined,
): Promise<Violation[]> {
  try {
    await probe();
    return [];
  } catch (error) {
    if (
      error instanceof StorageFailure &&
      error.kind === 'unauthorized' &&
      attribute === 'applicationPassword'
    )
      return [{ attribute, message: 'Password is not valid.' }];
    if (error instanceof StorageFailure || error instanceof OutboundFailure)
      return [{ attribute, message: `${label} could not be checked: ${error.message}` }];
    throw error;
  }
}
