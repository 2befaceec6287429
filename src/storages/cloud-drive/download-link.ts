/** Gets a download address from the drive. */
import type { Access } from '../adapter.js';
import { failureOf } from '../failure.js';
import { itemAt } from './address.js';
import { ask, checkedAddress } from './client.js';

/** The API redirects a request for the content to an address that needs no token. */
export async function downloadLink(access: Access, id: string): Promise<string> {
  const { status, headers } = await ask(access, { path: itemAt(access, id, 'content') });
  if (status !== 302) throw failureOf(status);
  return checkedAddress(access, headers['location'], status);
}
