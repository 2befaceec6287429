/** Reads one file of a drive. */
import type { Access, FileInfo } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { itemAt } from './address.js';
import { get } from './client.js';
import { FIELDS, fileInfo, isAbout } from './item.js';

export async function file(access: Access, id: string): Promise<FileInfo> {
  const item = await get(access, `${itemAt(access, id)}?$select=${FIELDS}`);
  if (!isAbout(id, item))
    throw new StorageFailure('unexpected', 200, 'The storage answered about another file.');
  return fileInfo(item);
}
