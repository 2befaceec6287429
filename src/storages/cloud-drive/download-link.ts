import type { Access } from '../adapter.js';
import { failureOf } from '../failure.js';
import { itemAt } from './address.js';
import { ask, handedOut } from './client.js';

/** The content is a redirect to an address that needs no token. */
export async function downloadLink(access: Access, id: string): Promise<string> {
  const { status, headers } = await ask(access, { path: itemAt(access, id, 'content') });
  if (status !== 302) throw failureOf(status);
  return handedOut(access, headers['location'], status);
}
