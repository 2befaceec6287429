/** Reads the user's id from the file server. */
import type { Access } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { at } from '../json.js';
import { ocs } from './client.js';

/**
 * WebDAV paths contain this id. It is not the subject of a token: with an OpenID provider, the
 * server may use a hash of that.
 * @throws StorageFailure never `notFound`: callers would take it for a missing file
 */
export async function user(access: Access): Promise<string> {
  const id = at(await profile(access), 'id');
  // Text with lone surrogates cannot be encoded in a path.
  if (typeof id !== 'string' || id === '' || !id.isWellFormed())
    throw new StorageFailure('unexpected', 200, 'The storage did not say who the user is.');
  return id;
}

async function profile(access: Access): Promise<unknown> {
  try {
    return await ocs(access, 'v1.php/cloud/user');
  } catch (error) {
    throw error instanceof StorageFailure && error.kind === 'notFound'
      ? new StorageFailure('unexpected', error.status, error.message)
      : error;
  }
}
