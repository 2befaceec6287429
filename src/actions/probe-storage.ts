/** Asks an origin whether it is what an administrator says, before anything secret is sent there. */
import type { Context } from '../context.js';
import type { Violation } from '../errors.js';
import { OutboundFailure } from '../http.js';
import type { Storage } from '../models/storage.js';
import { StorageFailure } from '../storages/failure.js';
import { adapterFor } from '../storages/index.js';
import { probeTarget } from './storage-target.js';

type Probed = Pick<Storage, 'type' | 'origin' | 'tenantId' | 'driveId'>;

/** @returns what is wrong, or nothing */
export async function probeOrigin(context: Context, storage: Probed): Promise<Violation[]> {
  return violated('host', 'Host', () => adapterFor(storage.type).probe?.(probeTarget(context, storage)));
}

/** @returns what is wrong, or nothing */
export async function probePassword(context: Context, storage: Probed, password: string): Promise<Violation[]> {
  const found = await violated('applicationPassword', 'Application password', () => adapterFor(storage.type).checkPassword?.(probeTarget(context, storage), password));
  return found;
}

async function violated(attribute: string, label: string, probe: () => Promise<void> | undefined): Promise<Violation[]> {
  try {
    await probe();
    return [];
  } catch (error) {
    if (error instanceof StorageFailure && error.kind === 'unauthorized' && attribute === 'applicationPassword') return [{ attribute, message: 'Password is not valid.' }];
    if (error instanceof StorageFailure || error instanceof OutboundFailure) return [{ attribute, message: `${label} could not be checked: ${error.message}` }];
    throw error;
  }
}
