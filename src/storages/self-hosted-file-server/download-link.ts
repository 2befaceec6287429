import type { Access } from '../adapter.js';
import { at, StorageFailure } from '../failure.js';
import { ocs } from './client.js';
import { segment } from './dav.js';
import { byApp, bySearch } from './files-info.js';

/** The address of the companion app, because that of the server itself does not tell the file's name; that one where there is no app. */
export async function downloadLink(access: Access, id: string): Promise<string> {
  const [told, data] = await Promise.all([byApp(access, [id]), ocs(access, 'v2.php/apps/dav/api/v1/direct', { json: { fileId: /^\d{1,15}$/.test(id) ? Number(id) : id } })]);
  const found = (told ?? await bySearch(access, [id])).get(id)!;
  if (found instanceof StorageFailure) throw found;
  const url = at(data, 'url');
  const token = typeof url === 'string' ? /\/([\w-]{1,200})$/.exec(url)?.[1] : undefined;
  if (token === undefined) throw new StorageFailure('unexpected', 200, 'The storage gave no download address.');
  return told ? `${access.origin}index.php/apps/integration_openproject/direct/${token}/${segment(found.name)}` : `${access.origin}remote.php/direct/${token}`;
}
