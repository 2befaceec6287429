import type { Access, Destination } from '../adapter.js';
import { failureOf, jsonObject } from '../failure.js';
import { withoutDots } from '../parent.js';
import { childAt, driveRefuses } from './address.js';
import { ask, handedOut } from './client.js';
import { demandFolder } from './parent.js';

/** A session that gives the file another name where its own is taken. The name is in the address only: two spellings of it are refused. */
export async function uploadLink(
  access: Access,
  parent: string,
  name: string,
): Promise<Destination> {
  const path = childAt(access, withoutDots(parent), name, 'createUploadSession');
  await demandFolder(access, parent);
  const answer = await ask(access, {
    path,
    body: { item: { '@microsoft.graph.conflictBehavior': 'rename' } },
  });
  if (answer.status === 200)
    return { href: handedOut(access, jsonObject(answer)['uploadUrl'], 200), method: 'put' };
  throw answer.status === 400 ? driveRefuses(name) : failureOf(answer.status);
}
