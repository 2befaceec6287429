/** Calls a storage as the caller, and turns its refusals into API errors. */
import type { Context } from '../../../context.js';
import {
  InvalidQuery,
  NotFound,
  PropertyConstraintViolation,
  StorageUnauthenticated,
} from '../../../contract/errors.js';
import { fieldWeights } from '../../../contract/field-weights.js';
import type { Storage } from '../../../models/storage.js';
import type { Access, Adapter } from '../../../storages/adapter.js';
import { NOT_DIRECTORY, StorageFailure } from '../../../storages/failure.js';
import { adapterFor } from '../../../storages/index.js';
import { NotConnected, outboundError } from './outbound-error.js';
import { reachStorage } from './reach-storage.js';
import { demandTypeEnabled } from './switched-off.js';

type Ask<T> = (adapter: Adapter, access: Access) => Promise<T>;
/** The error for a failure with a special meaning; undefined for any other failure. */
type ToError = (failure: StorageFailure) => unknown;

/**
 * A GraphQL document may do this 125 times.
 * @throws MissingEnterpriseToken, OutboundRequestFailed, InvalidQuery, the errors of `toError`
 */
export const askStorage = <T>(
  context: Context,
  storage: Storage,
  ask: Ask<T>,
  toError: ToError = () => undefined,
): Promise<T> => asked(context, storage, ask, toError, outboundError);

/**
 * As `askStorage`, for the files of the storage itself, not for those of links.
 * @throws StorageUnauthenticated in some profiles, for a caller without a token of the storage
 */
export const askForFiles = <T>(
  context: Context,
  storage: Storage,
  ask: Ask<T>,
  toError: ToError = () => undefined,
): Promise<T> =>
  asked(context, storage, ask, toError, (error) =>
    error instanceof NotConnected && context.settings.profile.unauthenticatedWithoutToken
      ? new StorageUnauthenticated(error.message)
      : outboundError(error),
  );

async function asked<T>(
  context: Context,
  storage: Storage,
  ask: Ask<T>,
  toError: ToError,
  otherError: (error: unknown) => unknown,
): Promise<T> {
  demandTypeEnabled(context, storage.type);
  try {
    return await reachStorage(context, storage, (access, userId) => {
      context.budget?.takeFields(fieldWeights.request);
      context.budget?.demand();
      return ask(adapterFor(storage.type), { ...access, userId });
    });
  } catch (error) {
    throw (error instanceof StorageFailure ? toError(error) : undefined) ?? otherError(error);
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
