/** Calls a storage as the caller, and turns its refusals into API errors. */
import type { Context } from '../../context.js';
import { InvalidQuery, NotFound, PropertyConstraintViolation } from '../../contract/errors.js';
import { fieldWeights } from '../../contract/field-weights.js';
import type { Storage } from '../../models/storage.js';
import type { Access, Adapter } from '../../storages/adapter.js';
import { NOT_DIRECTORY, StorageFailure } from '../../storages/failure.js';
import { adapterFor } from '../../storages/index.js';
import { outboundError } from './outbound-error.js';
import { reachStorage } from './reach-storage.js';
import { demandTypeEnabled } from './switched-off.js';

/**
 * A GraphQL document may do this 125 times.
 * @param toError the error for a failure with a special meaning; undefined for any other failure
 * @throws MissingEnterpriseToken, OutboundRequestFailed, InvalidQuery, the errors of `toError`
 */
export async function askStorage<T>(
  context: Context,
  storage: Storage,
  ask: (adapter: Adapter, access: Access) => Promise<T>,
  toError: (failure: StorageFailure) => unknown = () => undefined,
): Promise<T> {
  demandTypeEnabled(context, storage.type);
  try {
    return await reachStorage(context, storage, (access, userId) => {
      context.budget?.takeFields(fieldWeights.request);
      context.budget?.demand();
      return ask(adapterFor(storage.type), { ...access, userId });
    });
  } catch (error) {
    throw (error instanceof StorageFailure ? toError(error) : undefined) ?? outboundError(error);
  }
}

/** The error for a parent that is a file. */
const refusesFile = ({ kind }: StorageFailure): unknown =>
  kind === 'notDirectory' ? new InvalidQuery(NOT_DIRECTORY, 'parent') : undefined;

/** Whether a path is the document root. It may repeat the slash. */
export const isRoot = (folder: string): boolean => /^\/+$/.test(folder);

/** The error for a parent that is a file, or for a missing document root. */
export const refusesFolder =
  (folder: string) =>
  (failure: StorageFailure): unknown =>
    failure.kind === 'notFound' && isRoot(folder) ? new NotFound() : refusesFile(failure);

/**
 * As `refusesFolder`, and the error for a name that the storage does not accept.
 * @param attribute member that holds the name
 */
export const refusesNew =
  (folder: string, attribute: string) =>
  (failure: StorageFailure): unknown =>
    failure.kind === 'nameRefused'
      ? new PropertyConstraintViolation(failure.message, attribute)
      : refusesFolder(folder)(failure);
