import type { Access, FileInfo } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { filesInfo } from './files-info.js';

export async function file(access: Access, id: string): Promise<FileInfo> {
  const found = (await filesInfo(access, [id])).get(id)!;
  if (found instanceof StorageFailure) throw found;
  return found;
}
