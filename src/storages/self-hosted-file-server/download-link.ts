/** Gets a download address from the file server. */
import { FOLDER_TYPE, type Access } from '../adapter.js';
import { isUnauthorized, notFile, StorageFailure } from '../failure.js';
import { at } from '../json.js';
import { jsonId, ocs } from './client.js';
import { segment } from './dav.js';
import { filesFromCompanionApp, fileBySearch } from './files-info.js';

/** How the server refuses an address for a folder. */
const NO_DOWNLOAD = 400;

/**
 * With the companion app, the address is that of the app: it contains the name of the file. Without
 * the app, it is that of the server.
 *
 * For a file that the user may not see, the server answers 404. The app answers 403, so its answer
 * has priority.
 */
export async function downloadLink(access: Access, id: string): Promise<string> {
  const [app, direct] = await Promise.allSettled([
    filesFromCompanionApp(access, [id]),
    ocs(access, 'v2.php/apps/dav/api/v1/direct', { json: { fileId: jsonId(id) } }),
  ]);
  const failures = [app, direct].flatMap((one) =>
    one.status === 'rejected' ? [one.reason as unknown] : [],
  );
  const verdict = app.status === 'fulfilled' ? app.value?.get(id) : undefined;
  // The caller renews a refused token, so that failure comes first.
  const unauthorized = failures.find(isUnauthorized);
  if (unauthorized !== undefined) throw unauthorized;
  if (verdict instanceof StorageFailure) throw verdict;
  const isRefused = failures.some(
    (one) => one instanceof StorageFailure && one.status === NO_DOWNLOAD,
  );
  if (failures.length > 0 && !isRefused) throw failures[0];
  const { mimeType } = verdict ?? (await fileBySearch(access, id));
  if (mimeType === FOLDER_TYPE) throw notFile(NO_DOWNLOAD);
  if (isRefused) throw failures[0];
  const url = direct.status === 'fulfilled' ? at(direct.value, 'url') : undefined;
  const token = typeof url === 'string' ? /\/([\w-]{1,200})$/.exec(url)?.[1] : undefined;
  if (token === undefined)
    throw new StorageFailure('unexpected', 200, 'The storage gave no download address.');
  if (!verdict) return `${access.origin}remote.php/direct/${token}`;
  const path = `index.php/apps/integration_openproject/direct/${token}/${segment(verdict.name)}`;
  return access.origin + path;
}
