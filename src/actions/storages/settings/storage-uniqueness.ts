/** Reports names and hosts of storages that are already taken. */
import type { Knex } from 'knex';
import { UniqueViolationError } from 'objection';
import { violated, type Violation } from '../../../contract/errors.js';
import { Storage } from '../../../models/storage.js';

type Unique = { name?: string | undefined; originKey?: string | null | undefined };

/** @param ownId the storage that may keep its values; 0 for a new one */
export async function uniquenessViolations(
  trx: Knex,
  { name, originKey }: Unique,
  ownId = 0,
): Promise<Violation[]> {
  const others = await Storage.query(trx)
    .select('name', 'origin_key')
    .whereNot('id', ownId)
    .where((any) => void any.where('name', name ?? '').orWhere('origin_key', originKey ?? ''));
  return [
    ...(originKey && others.some((other) => other.originKey === originKey)
      ? [{ attribute: 'host', message: 'Host has already been taken.' }]
      : []),
    ...(name !== undefined && others.some((other) => other.name === name)
      ? [{ attribute: 'name', message: 'Name has already been taken.' }]
      : []),
  ];
}

/**
 * Runs a write, and reports a violated unique index like `uniquenessViolations` does.
 * Another request can take the name or host between that check and the write.
 * @throws PropertyConstraintViolation
 */
export async function withUniqueness<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof UniqueViolationError)) throw error;
    const host = error.columns.includes('origin_key');
    throw violated([
      {
        attribute: host ? 'host' : 'name',
        message: `${host ? 'Host' : 'Name'} has already been taken.`,
      },
    ]);
  }
}
