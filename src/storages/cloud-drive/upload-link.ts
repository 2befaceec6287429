import type { Access, Destination } from '../adapter.js';
import { failureOf, jsonObject } from '../failure.js';
import { withoutDots } from '../parent.js';
import { childAt, driveRefuses } from './address.js';
import { ask, handedOut } from './client.js';
import { demandFolder } from './parent.js';

/** A session that gives the file another name where its own is taken. The name is in the address only: two spellings of it are refused. */
export async function uploadLink(access: Access, parent: string, name: string): Promise<Destination> {
  const answer = await ask(access, { path: childAt(access, withoutDots(parent), name, 'createUploadSession'), body: { item: { '@microsoft.graph.conflictBehavior': 'rename' } } });
  if (answer.status === 200) return { href: handedOut(access, jsonObject(answer)['uploadUrl'], 200), method: 'put' };
  if (answer.status !== 400) throw failureOf(answer.status);
  await demandFolder(access, parent);
  throw driveRefuses(name);
}
