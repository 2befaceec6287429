/** Checks the folder in which something is created. */
import type { Access } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { itemAt, namesIn } from './address.js';
import { get } from './client.js';
import { isFolder } from './item.js';

/**
 * Call it before each creation. If the parent is a file, the API answers 400, as for a bad name.
 * It may even create something inside a notebook.
 * @throws StorageFailure `notFound`, `notDirectory`
 */
export async function demandFolder(access: Access, parent: string): Promise<void> {
  if (parent.startsWith('/') && namesIn(parent).length === 0) return;
  const item = await get(access, `${itemAt(access, parent)}?$select=id,folder,package,remoteItem`);
  if (!isFolder(item)) throw new StorageFailure('notDirectory', 400, 'It is not a folder.');
}
