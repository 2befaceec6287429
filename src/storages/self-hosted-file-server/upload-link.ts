/** Gets an upload address from the companion app. */
import type { HttpAnswer } from '../../outbound/http.js';
import { FOLDER_TYPE, type Access, type Destination, type FileInfo } from '../adapter.js';
import { explained, failureOf, notDirectory, StorageFailure } from '../failure.js';
import { at, hasJson, jsonObject } from '../json.js';
import { jsonId } from './client.js';
import { propfind, userOf } from './dav.js';
import { file } from './file.js';
import { pathOf } from './files.js';

const NOT_FOUND = 404;

/** The address contains a one-time token. The client sends the name of the file with the file. */
export async function uploadLink(access: Access, parent: string): Promise<Destination> {
  const isPath = parent.startsWith('/');
  const folderId = isPath ? await folderIdAt(access, parent) : parent;
  const answer = await access.send({
    method: 'POST',
    url: `${access.origin}index.php/apps/integration_openproject/direct-upload-token`,
    maxBytes: 64 * 1024,
    headers: {
      authorization: access.authorization,
      accept: 'application/json',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ folder_id: jsonId(folderId) }),
  });
  if (answer.status === NOT_FOUND) {
    // 404 may mean: no such folder, a file, or a folder that the user may not change.
    if (!isPath) demandFolder(await file(access, parent));
    throw refusalOf(answer);
  }
  if (answer.status !== 200) throw failureOf(answer.status);
  const token = at(await jsonObject(answer), 'token');
  if (typeof token !== 'string' || !/^[\w-]{1,200}$/.test(token))
    throw new StorageFailure('unexpected', answer.status, 'The storage gave no upload token.');
  return {
    href: `${access.origin}index.php/apps/integration_openproject/direct-upload/${token}`,
    method: 'post',
  };
}

async function folderIdAt(access: Access, path: string): Promise<string> {
  const userId = await userOf(access);
  const folder = await propfind(access, userId, await pathOf(access, path));
  demandFolder(folder);
  return folder.id;
}

/** The folder exists. Without the app, the server answers with HTML, even if JSON is requested. */
const refusalOf = ({ headers }: HttpAnswer): StorageFailure =>
  hasJson(headers)
    ? explained('forbidden', NOT_FOUND, 'You may not add files to this folder. Choose another one.')
    : explained(
        'unexpected',
        NOT_FOUND,
        'The integration app of the storage is missing or switched off. ' +
          'Its administrator must install and enable it.',
      );

function demandFolder(found: FileInfo): void {
  if (found.mimeType !== FOLDER_TYPE) throw notDirectory();
}
