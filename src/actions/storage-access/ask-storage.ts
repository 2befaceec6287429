/** Asks a storage as the caller; what it says no to becomes an error of the interface. */
import type { Context } from '../../context.js';
import { InvalidQuery, NotFound, PropertyConstraintViolation } from '../../contract/errors.js';
import type { Storage } from '../../models/storage.js';
import type { Access, Adapter } from '../../storages/adapter.js';
import { StorageFailure } from '../../storages/failure.js';
import { adapterFor } from '../../storages/index.js';
import { outboundError } from './outbound-error.js';
import { reachStorage } from './reach-storage.js';
import { demandType } from './switched-off.js';

/**
 * @param known failures that mean something here; the others are those of an outbound request
 * @throws MissingEnterpriseToken, OutboundRequestFailed, what `known` makes
 */
export async function askStorage<T>(
  context: Context,
  storage: Storage,
  ask: (adapter: Adapter, access: Access) => Promise<T>,
  known: (failure: StorageFailure) => unknown = () => undefined,
): Promise<T> {
  demandType(context, storage.type);
  try {
    return await reachStorage(context, storage, (access, userId) =>
      ask(adapterFor(storage.type), { ...access, userId }),
    );
  } catch (error) {
    throw (error instanceof StorageFailure ? known(error) : undefined) ?? outboundError(error);
  }
}

/** A parent that is a file (interface 4.5 rule 6). */
export const refusesFile = ({ kind }: StorageFailure): unknown =>
  kind === 'notDirectory'
    ? new InvalidQuery('The parent is not a directory.', 'parent')
    : undefined;

/** The document root of a storage: `/`, however often. */
export const isRoot = (folder: string): boolean => /^\/+$/.test(folder);

/** A parent that is a file, and a document root that is missing (interface 7 rule 9). */
export const refusesFolder =
  (folder: string) =>
  (failure: StorageFailure): unknown =>
    failure.kind === 'notFound' && isRoot(folder) ? new NotFound() : refusesFile(failure);

/** The same, and a name that the storage does not take for what is to be made. @param attribute that holds the name */
export const refusesNew =
  (folder: string, attribute: string) =>
  (failure: StorageFailure): unknown =>
    failure.kind === 'nameRefused'
      ? new PropertyConstraintViolation(failure.message, attribute)
      : refusesFolder(folder)(failure);
