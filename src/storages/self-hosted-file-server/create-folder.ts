/** Creates a folder over WebDAV. */
import { FOLDER_TYPE, type Access, type FileInfo } from '../adapter.js';
import { failureOf, nameRefused, notDirectory, StorageFailure } from '../failure.js';
import { encoded, propfind, request, treeOf, userOf } from './dav.js';
import { pathOf } from './files.js';

const CREATED = 201;
const INVALID_NAME = 400;
/** WebDAV answers 405 if the name is taken (RFC 4918 section 9.3.1). */
const EXISTS = 405;
/** WebDAV answers 409 if the parent is missing, and also if it is a file. */
const PARENT_MISSING = 409;

export async function createFolder(
  access: Access,
  parent: string,
  name: string,
): Promise<FileInfo> {
  const userId = await userOf(access);
  const above = await pathOf(access, parent);
  const path = `${above.replace(/\/$/, '')}/${name}`;
  const { status } = await request(access, 'MKCOL', treeOf(access, userId) + encoded(path));
  if (status === EXISTS) throw new StorageFailure('conflict', 409, 'The name is taken.');
  if (status === PARENT_MISSING) {
    const found = await propfind(access, userId, above);
    throw found.mimeType === FOLDER_TYPE
      ? new StorageFailure('notFound', 404, 'The parent does not exist.')
      : notDirectory();
  }
  if (status === INVALID_NAME) throw nameRefused(name);
  if (status !== CREATED) throw failureOf(status);
  return propfind(access, userId, path);
}
