/** Creates a folder in a drive. */
import type { Access, FileInfo } from '../adapter.js';
import { failureOf } from '../failure.js';
import { jsonObject, type Json } from '../json.js';
import { withoutDots } from '../parent.js';
import { driveRefuses, itemAt } from './address.js';
import { ask } from './client.js';
import { file } from './file.js';
import { fileInfo, folderPath, isAmbiguous } from './item.js';
import { demandFolder } from './parent.js';

export async function createFolder(
  access: Access,
  parent: string,
  name: string,
): Promise<FileInfo> {
  await demandFolder(access, withoutDots(parent));
  const answer = await ask(access, {
    path: itemAt(access, parent, 'children'),
    body: { name, folder: {}, '@microsoft.graph.conflictBehavior': 'fail' },
  });
  if (answer.status === 201) return createdFolder(access, parent, await jsonObject(answer));
  throw answer.status === 400 ? driveRefuses(name) : failureOf(answer.status);
}

/** Reads the folder again if its path in the answer is ambiguous. */
async function createdFolder(access: Access, parent: string, item: Json): Promise<FileInfo> {
  if (parent.startsWith('/')) return fileInfo(item, { location: folderPath(item, parent) });
  const created = fileInfo(item);
  return isAmbiguous(item) ? file(access, created.id) : created;
}
