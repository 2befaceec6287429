/** Reads the user's id from the cloud service. */
import type { Access } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { get } from './client.js';

export async function user(access: Access): Promise<string> {
  const { id } = await get(access, '/me');
  if (typeof id !== 'string' || id === '')
    throw new StorageFailure('unexpected', 200, 'The storage did not say who the user is.');
  return id;
}
