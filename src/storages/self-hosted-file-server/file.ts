/** Reads one file. */
import type { Access, FileInfo } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { filesFromCompanionApp, fileBySearch, verdictWithLocation } from './files-info.js';

export async function file(access: Access, id: string): Promise<FileInfo> {
  const found = (await filesFromCompanionApp(access, [id], verdictWithLocation))?.get(id);
  if (found instanceof StorageFailure) throw found;
  return found ?? fileBySearch(access, id);
}
