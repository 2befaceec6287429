/** Gets a download address from the drive. */
import { FOLDER_TYPE, type Access } from '../adapter.js';
import { failureOf, isRefusal, notFile, StorageFailure } from '../failure.js';
import { itemAt } from './address.js';
import { ask, checkedAddress } from './client.js';
import { file } from './file.js';

/** The API redirects a request for the content to an address that needs no token. */
export async function downloadLink(access: Access, id: string): Promise<string> {
  const { status, headers } = await ask(access, { path: itemAt(access, id, 'content') });
  if (status !== 302) throw await whyNot(access, id, status);
  return checkedAddress(access, headers['location'], status);
}

/** Drives answer for a folder as for a file that is missing. */
async function whyNot(access: Access, id: string, status: number): Promise<StorageFailure> {
  const failure = failureOf(status);
  if (isRefusal(status) || status === 429 || status >= 500) return failure;
  try {
    return (await file(access, id)).mimeType === FOLDER_TYPE ? notFile(status) : failure;
  } catch (error) {
    if (error instanceof StorageFailure) return failure;
    throw error;
  }
}
