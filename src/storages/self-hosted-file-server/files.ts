/** Lists a folder over WebDAV. */
import { FOLDER_TYPE, type Access, type FileInfo, type Folder } from '../adapter.js';
import { isUnauthorized, notDirectory, StorageFailure } from '../failure.js';
import { hiddenFolder } from '../hidden-folder.js';
import { demandDepth, withoutDots } from '../parent.js';
import { list, propfind, userOf } from './dav.js';
import { file } from './file.js';

/** Requests for ancestors that run at the same time. Few folders are deeper. */
const AT_ONCE = 8;

export async function files(access: Access, parent: string | undefined): Promise<Folder> {
  const userId = await userOf(access);
  const path = await pathOf(access, parent);
  // A missing folder must not cost many requests: with a deep path, it is checked first.
  const isDeep = above(path).length > AT_ONCE;
  const listing = list(access, userId, path);
  if (isDeep) await listing;
  const [{ folder, ...entries }, ancestors] = await Promise.all([
    listing,
    ancestorsOf(access, userId, path),
  ]);
  if (folder.mimeType !== FOLDER_TYPE) throw notDirectory();
  return { parent: folder, ancestors, ...entries };
}

/**
 * Returns the path of a folder in the user's tree.
 * @param parent a path if it begins with `/`, otherwise an id; undefined is the root
 * @throws StorageFailure
 */
export async function pathOf(access: Access, parent: string | undefined): Promise<string> {
  if (parent === undefined) return '/';
  if (!parent.startsWith('/')) return (await file(access, parent)).location;
  return withoutDots(parent)
    .replace(/\/+/g, '/')
    .replace(/(.)\/$/, '$1');
}

async function ancestorsOf(access: Access, userId: string, path: string): Promise<FileInfo[]> {
  const locations = above(path);
  const found: FileInfo[] = [];
  while (found.length < locations.length) {
    found.push(
      ...(await Promise.all(
        locations
          .slice(found.length, found.length + AT_ONCE)
          .map((location) => ancestor(access, userId, location)),
      )),
    );
  }
  return found;
}

/** If the user may not see the folder, its path is its id. */
async function ancestor(access: Access, userId: string, location: string): Promise<FileInfo> {
  try {
    return await propfind(access, userId, location);
  } catch (error) {
    if (!(error instanceof StorageFailure) || isUnauthorized(error)) throw error;
    return hiddenFolder(location);
  }
}

/** The paths of the folders above: `/`, `/a` for `/a/b`. @throws StorageFailure if too many */
function above(path: string): string[] {
  const segments = path.split('/').filter(Boolean);
  demandDepth(segments);
  return segments.map((_, index) => `/${segments.slice(0, index).join('/')}`);
}
