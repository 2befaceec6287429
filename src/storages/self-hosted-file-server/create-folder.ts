import { FOLDER_TYPE, type Access, type FileInfo } from '../adapter.js';
import { failureOf, nameRefused, StorageFailure } from '../failure.js';
import { encoded, propfind, request, userOf } from './dav.js';
import { pathOf } from './files.js';

const CREATED = 201;
const INVALID_NAME = 400;
/** The server has no method to make what is there already. */
const EXISTS = 405;
/** WebDAV says 409 when the parent is missing, not 404, and when it is a file. */
const PARENT_MISSING = 409;

export async function createFolder(
  access: Access,
  parent: string,
  name: string,
): Promise<FileInfo> {
  const userId = await userOf(access);
  const above = await pathOf(access, parent);
  const path = `${above.replace(/\/$/, '')}/${name}`;
  const { status } = await request(
    access,
    'MKCOL',
    `${new URL(access.origin).pathname}remote.php/dav/files/${encodeURIComponent(userId)}${encoded(path)}`,
  );
  if (status === EXISTS) throw new StorageFailure('conflict', 409, 'The name is taken.');
  if (
    status === PARENT_MISSING &&
    (await propfind(access, userId, above, 0))[0]!.mimeType !== FOLDER_TYPE
  )
    throw new StorageFailure('notDirectory', 400, 'The parent is not a directory.');
  if (status === PARENT_MISSING)
    throw new StorageFailure('notFound', 404, 'The parent does not exist.');
  if (status === INVALID_NAME) throw nameRefused(name);
  if (status !== CREATED) throw failureOf(status);
  return (await propfind(access, userId, path, 0))[0]!;
}
