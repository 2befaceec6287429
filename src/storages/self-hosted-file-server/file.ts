import type { Access, FileInfo } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { byApp, bySearch, placedVerdictOf } from './files-info.js';

export async function file(access: Access, id: string): Promise<FileInfo> {
  const found = (
    (await byApp(access, [id], placedVerdictOf)) ?? (await bySearch(access, [id]))
  ).get(id)!;
  if (found instanceof StorageFailure) throw found;
  return found;
}
