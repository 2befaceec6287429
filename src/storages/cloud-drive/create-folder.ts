import type { Access, FileInfo } from '../adapter.js';
import { failureOf, jsonObject } from '../failure.js';
import { withoutDots } from '../parent.js';
import { itemAt, nameRefused } from './address.js';
import { ask } from './client.js';
import { fileInfo } from './item.js';
import { demandFolder } from './parent.js';

export async function createFolder(access: Access, parent: string, name: string): Promise<FileInfo> {
  const answer = await ask(access, { path: itemAt(access, withoutDots(parent), 'children'), body: { name, folder: {}, '@microsoft.graph.conflictBehavior': 'fail' } });
  if (answer.status === 201) return fileInfo(jsonObject(answer));
  if (answer.status !== 400) throw failureOf(answer.status);
  await demandFolder(access, parent);
  throw nameRefused(name);
}
