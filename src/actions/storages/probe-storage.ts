/** Asks an origin whether it is what an administrator says, before anything secret is sent there. */
import type { Context } from '../../context.js';
import type { Violation } from '../../contract/errors.js';
import { OutboundFailure } from '../../outbound/client.js';
import type { Storage } from '../../models/storage.js';
import type { OwnMemberName } from '../../storages/types.js';
import { StorageFailure } from '../../storages/failure.js';
import { adapterFor } from '../../storages/index.js';
import { probeTarget } from '../storage-access/storage-target.js';

type Probed = Pick<Storage, 'type' | 'origin' | OwnMemberName> & { id?: number };

/** What is to be asked about. */
interface Questions {
  origin: boolean;
  /** Sent only where nothing is wrong with the origin. */
  password: string | null | undefined;
}

/** @returns what is wrong, or nothing */
export async function probeStorage(
  context: Context,
  storage: Probed,
  { origin, password }: Questions,
): Promise<Violation[]> {
  const { probe, checkPassword } = adapterFor(storage.type);
  if (!origin && !password) return [];
  // Both have one deadline.
  const target = probeTarget(context, storage);
  const refused = origin ? await violated('host', 'Host', () => probe?.(target)) : [];
  return refused.length === 0 && password
    ? violated('applicationPassword', 'Application password', () =>
        checkPassword?.(target, password),
      )
    : refused;
}

async function violated(
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
