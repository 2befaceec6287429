/** A folder with what is in it. */
import { FOLDER_TYPE, type Access, type FileInfo, type Folder } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { withoutDots } from '../parent.js';
import { propfind, userOf } from './dav.js';
import { file } from './file.js';

export async function files(access: Access, parent: string | undefined): Promise<Folder> {
  const userId = await userOf(access);
  const path = await pathOf(access, parent);
  // Whether there is such a folder is known before many are asked for.
  const isDeep = above(path).length > AT_ONCE;
  const listing = propfind(access, userId, path, 1);
  if (isDeep) await listing;
  const [[found, ...inside], ancestors] = await Promise.all([
    listing,
    ancestorsOf(access, userId, path),
  ]);
  if (found!.mimeType !== FOLDER_TYPE)
    throw new StorageFailure('notDirectory', 400, 'The parent is not a directory.');
  return { parent: found!, ancestors, files: inside };
}

/** Where something is in the user's tree: a path begins with a slash, everything else is an id. @throws StorageFailure */
export async function pathOf(access: Access, parent: string | undefined): Promise<string> {
  if (parent === undefined) return '/';
  if (!parent.startsWith('/')) return (await file(access, parent)).location;
  return withoutDots(parent)
    .replace(/\/+/g, '/')
    .replace(/(.)\/$/, '$1');
}

/** The folders above, some asked for at once. One that the user may not see has its path as its id. */
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

async function ancestor(access: Access, userId: string, location: string): Promise<FileInfo> {
  try {
    return (await propfind(access, userId, location, 0))[0]!;
  } catch (error) {
    if (!(error instanceof StorageFailure) || error.kind === 'unauthorized') throw error;
    const name = location === '/' ? 'Root' : location.slice(location.lastIndexOf('/') + 1);
    return {
      id: location,
      name,
      location,
      mimeType: FOLDER_TYPE,
      size: null,
      createdAt: null,
      lastModifiedAt: null,
      createdByName: null,
      lastModifiedByName: null,
      permissions: [],
    };
  }
}

/** Folders are seldom deeper. */
const AT_ONCE = 8;

/** Deeper than any server keeps folders: each one above is a request. */
const MOST_LEVELS = 250;

/** `/`, `/a` above `/a/b`. @throws StorageFailure where there are too many */
function above(path: string): string[] {
  const segments = path.split('/').filter(Boolean);
  if (segments.length > MOST_LEVELS)
    throw new StorageFailure('unexpected', 200, 'The folder lies too deep.');
  return segments.map((_, index) => `/${segments.slice(0, index).join('/')}`);
}
