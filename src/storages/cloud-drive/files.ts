import { FOLDER_TYPE, type Access, type FileInfo, type Folder } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { withoutDots } from '../parent.js';
import { itemAt, namesIn } from './address.js';
import { getAll, type Answer } from './batch.js';
import { at, get, type Json } from './client.js';
import { FIELDS, fileInfo, folderPath, isFolder, isRoot } from './item.js';

const PAGE = 1000;
/** More pages than any folder has. */
const MOST_PAGES = 500;
/** Than is asked for. */
const MOST_IN_PAGE = 10 * PAGE;
const PAGE_BYTES = 16 * 1024 * 1024;
/** Deeper than any drive keeps folders: each one above is asked for. */
const MOST_LEVELS = 250;

/** Listed by id: the next pages of a list by path were seen to be those of the root. */
export async function files(access: Access, parent = '/'): Promise<Folder> {
  const folder = await get(access, `${itemAt(access, withoutDots(parent))}?$select=${FIELDS}`);
  const above = folderPath(folder, parent.startsWith('/') ? folderOf(parent) : undefined);
  const described = fileInfo(folder, { location: above });
  if (!isFolder(folder)) throw new StorageFailure('notDirectory', 200, 'It is not a folder.');
  const [children, ancestors] = await Promise.all([
    childrenOf(access, described.id),
    isRoot(folder) ? [] : ancestorsOf(access, folder, above),
  ]);
  return {
    parent: described,
    ancestors,
    files: children.map((child) => fileInfo(child, described)),
  };
}

async function childrenOf(access: Access, id: string): Promise<unknown[]> {
  const children: unknown[] = [];
  const visited = new Set<string>();
  for (
    let path: string | undefined =
      `${itemAt(access, id, 'children')}?$top=${PAGE}&$select=${FIELDS}`;
    path !== undefined;
  ) {
    if (visited.has(path) || visited.size === MOST_PAGES)
      throw new StorageFailure('unexpected', 200, 'The storage lists a folder without an end.');
    visited.add(path);
    const page: Json = await get(access, path, PAGE_BYTES);
    if (!Array.isArray(page['value']) || page['value'].length > MOST_IN_PAGE)
      throw new StorageFailure('unexpected', 200, 'The storage answered without a list of files.');
    children.push(...(page['value'] as unknown[]));
    path = nextPath(access, page['@odata.nextLink']);
  }
  return children;
}

/** The token must not go elsewhere. */
function nextPath({ apiUrl }: Access, link: unknown): string | undefined {
  if (link === undefined || link === null) return undefined;
  const { origin, pathname } = new URL(apiUrl);
  const base = pathname.replace(/\/$/, '');
  const next = typeof link === 'string' && URL.canParse(link) ? new URL(link) : undefined;
  if (next?.origin !== origin || !next.pathname.startsWith(`${base}/`))
    throw new StorageFailure('unexpected', 200, 'The storage continues a list at another address.');
  return `${next.pathname.slice(base.length)}${next.search}`;
}

/** From the root down. Those that the user does not see, and all of them where they cannot be read, have their path for an id. */
async function ancestorsOf(access: Access, folder: Json, above: string): Promise<FileInfo[]> {
  const names = namesIn(above);
  if (names.length > MOST_LEVELS)
    throw new StorageFailure('unexpected', 200, 'The folder lies too deep.');
  const locations = ['/', ...names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`)];
  const answers = await read(access, locations);
  return locations.map((location, index) => {
    // The nearest one is told by the folder itself.
    const id = index === locations.length - 1 ? at(folder, 'parentReference', 'id') : undefined;
    return (
      shown(answers[index], folderOf(location)) ??
      nameless(location, typeof id === 'string' && id !== '' ? id : location)
    );
  });
}

async function read(access: Access, locations: readonly string[]): Promise<Answer[]> {
  try {
    return await getAll(
      access,
      locations.map((location) => `${itemAt(access, location)}?$select=${FIELDS}`),
    );
  } catch {
    return [];
  }
}

function shown(answer: Answer | undefined, above: string): FileInfo | undefined {
  try {
    return answer && !(answer instanceof StorageFailure) && answer.status === 200
      ? fileInfo(answer.body, { location: above })
      : undefined;
  } catch {
    return undefined;
  }
}

/** Path of the folder that something at a path is in. */
const folderOf = (path: string): string => `/${namesIn(path).slice(0, -1).join('/')}`;

const nameless = (location: string, id: string): FileInfo => ({
  id,
  name: location === '/' ? 'Root' : location.slice(location.lastIndexOf('/') + 1),
  mimeType: FOLDER_TYPE,
  size: null,
  createdAt: null,
  lastModifiedAt: null,
  createdByName: null,
  lastModifiedByName: null,
  location,
  permissions: [],
});
