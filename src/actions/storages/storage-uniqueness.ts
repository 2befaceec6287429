/** Rows of storages under their unique names and hosts. */
import type { Knex } from 'knex';
import { UniqueViolationError } from 'objection';
import { violated, type Violation } from '../../contract/errors.js';
import { Storage } from '../../models/storage.js';

type Unique = { name?: string | undefined; originKey?: string | null | undefined };

/** What another storage has already. */
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

/** Runs a write; a name or host that somebody took in between is reported like one that was taken before. */
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
