import type { Access, FileInfo } from '../adapter.js';
import { failureOf, jsonObject } from '../failure.js';
import { withoutDots } from '../parent.js';
import { driveRefuses, itemAt } from './address.js';
import { ask, type Json } from './client.js';
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
  if (answer.status === 201) return made(access, parent, jsonObject(answer));
  throw answer.status === 400 ? driveRefuses(name) : failureOf(answer.status);
}

/** Asked again where the answer leaves open what the path of the folder is. */
async function made(access: Access, parent: string, item: Json): Promise<FileInfo> {
  if (parent.startsWith('/')) return fileInfo(item, { location: folderPath(item, parent) });
  const described = fileInfo(item);
  return isAmbiguous(item) ? file(access, described.id) : described;
}
