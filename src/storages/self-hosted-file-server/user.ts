import type { Access } from '../adapter.js';
import { at, StorageFailure } from '../failure.js';
import { ocs } from './client.js';

/**
 * The user's id, which the paths of WebDAV need. It is not the subject of a token: with an OpenID provider it may be a hash.
 * @throws StorageFailure never `notFound`: a route that is missing says nothing about the folder that the id is for
 */
export async function user(access: Access): Promise<string> {
  const id = at(await profile(access), 'id');
  // What is not well formed cannot be part of a path.
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
