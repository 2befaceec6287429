import type { HttpAnswer } from '../../outbound/client.js';
import { FOLDER_TYPE, type Access, type Destination, type FileInfo } from '../adapter.js';
import { at, failureOf, jsonObject, StorageFailure } from '../failure.js';
import { propfind, userOf } from './dav.js';
import { file } from './file.js';
import { pathOf } from './files.js';

const NOT_FOUND = 404;

/** A one-time token of the companion app; the client names the file itself. */
export async function uploadLink(access: Access, parent: string): Promise<Destination> {
  const folderId = parent.startsWith('/')
    ? demandFolder(
        (await propfind(access, await userOf(access), await pathOf(access, parent), 0))[0]!,
      ).id
    : parent;
  const answer = await access.send({
    method: 'POST',
    url: `${access.origin}index.php/apps/integration_openproject/direct-upload-token`,
    maxBytes: 64 * 1024,
    headers: {
      authorization: access.authorization,
      accept: 'application/json',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ folder_id: /^\d{1,15}$/.test(folderId) ? Number(folderId) : folderId }),
  });
  // Also said of a file, and of a folder that the user may not change.
  if (answer.status === NOT_FOUND && !parent.startsWith('/'))
    demandFolder(await file(access, parent));
  // The folder is there: it was looked at.
  if (answer.status === NOT_FOUND) throw refusalOf(answer);
  if (answer.status !== 200) throw failureOf(answer.status);
  const token = at(jsonObject(answer), 'token');
  if (typeof token !== 'string' || !/^[\w-]{1,200}$/.test(token))
    throw new StorageFailure('unexpected', answer.status, 'The storage gave no upload token.');
  return {
    href: `${access.origin}index.php/apps/integration_openproject/direct-upload/${token}`,
    method: 'post',
  };
}

/** Where the app is missing or switched off the server answers with a page, whatever is accepted. */
const refusalOf = ({ headers }: HttpAnswer): StorageFailure =>
  /json/i.test(headers['content-type'] ?? '')
    ? new StorageFailure('forbidden', NOT_FOUND, 'The storage takes no upload there.')
    : new StorageFailure('unexpected', NOT_FOUND, 'The storage has no companion app.');

function demandFolder(found: FileInfo): FileInfo {
  if (found.mimeType !== FOLDER_TYPE)
    throw new StorageFailure('notDirectory', 400, 'The parent is not a directory.');
  return found;
}
