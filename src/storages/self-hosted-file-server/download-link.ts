import type { Access } from '../adapter.js';
import { at, StorageFailure } from '../failure.js';
import { ocs } from './client.js';
import { segment } from './dav.js';
import { file } from './file.js';

/** The address of the companion app, because that of the server itself does not tell the file's name. */
export async function downloadLink(access: Access, id: string): Promise<string> {
  const [{ name }, data] = await Promise.all([file(access, id), ocs(access, 'v2.php/apps/dav/api/v1/direct', { json: { fileId: /^\d{1,15}$/.test(id) ? Number(id) : id } })]);
  const url = at(data, 'url');
  const token = typeof url === 'string' ? /\/([\w-]{1,200})$/.exec(url)?.[1] : undefined;
  if (token === undefined) throw new StorageFailure('unexpected', 200, 'The storage gave no download address.');
  return `${access.origin}index.php/apps/integration_openproject/direct/${token}/${segment(name)}`;
}
