import type { Access } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { itemAt } from './address.js';
import { get } from './client.js';
import { isFolder } from './item.js';

/**
 * The API calls a request invalid for a parent that is missing or a file as for a bad name; only the parent tells them apart.
 * @throws StorageFailure `notFound`, `notDirectory`
 */
export async function demandFolder(access: Access, parent: string): Promise<void> {
  const item = await get(access, `${itemAt(access, parent)}?$select=id,folder,package,remoteItem`);
  if (!isFolder(item)) throw new StorageFailure('notDirectory', 400, 'It is not a folder.');
}
