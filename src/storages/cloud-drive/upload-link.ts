/** Opens an upload session in a drive. */
import type { Access, Destination } from '../adapter.js';
import { failureOf } from '../failure.js';
import { jsonObject } from '../json.js';
import { withoutDots } from '../parent.js';
import { childAt, driveRefuses } from './address.js';
import { ask, checkedAddress } from './client.js';
import { demandFolder } from './parent.js';

/**
 * The drive renames the file if its name is taken. The name is in the path only: the API refuses a
 * body that spells it in another way.
 */
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
    return {
      href: checkedAddress(access, (await jsonObject(answer))['uploadUrl'], 200),
      method: 'put',
    };
  throw answer.status === 400 ? driveRefuses(name) : failureOf(answer.status);
}
