import type { Access } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { itemAt, namesIn } from './address.js';
import { get } from './client.js';
import { isFolder } from './item.js';

/**
 * Asked before something is put there: the API calls a request invalid for a parent that is a file as for a bad name, and may take
 * what is put into a notebook.
 * @throws StorageFailure `notFound`, `notDirectory`
 */
export async function demandFolder(access: Access, parent: string): Promise<void> {
  if (parent.startsWith('/') && namesIn(parent).length === 0) return;
  const item = await get(access, `${itemAt(access, parent)}?$select=id,folder,package,remoteItem`);
  if (!isFolder(item)) throw new StorageFailure('notDirectory', 400, 'It is not a folder.');
}
