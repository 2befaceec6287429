/** An item of a drive as a file or folder of ours. */
import { FOLDER_TYPE, type FileInfo } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { instant } from '../instant.js';
import { namesIn } from './address.js';
import { at } from './client.js';

/** What must be selected for it. */
export const FIELDS =
  'id,name,size,file,folder,package,remoteItem,root,createdBy,lastModifiedBy,createdDateTime,lastModifiedDateTime,fileSystemInfo,parentReference,webUrl';

/**
 * Packages (a notebook) and shortcuts to other drives are neither files nor folders: no MIME type, cannot be listed, not writeable.
 * Everything else is taken for writeable. An item does not tell; its permissions would cost a call each and show a user only a part
 * of them. The drive itself has the last word.
 * @param folder that it is in, where that is known. Else its path is what the item says, and its address is read from the item's own,
 *   where that ends with the item's name
 * @throws StorageFailure for what is no item
 */
export function fileInfo(
  item: unknown,
  folder: Pick<FileInfo, 'location' | 'webUrl'> = { location: folderPath(item) },
): FileInfo {
  const id = at(item, 'id');
  const name = at(item, 'name');
  if (typeof id !== 'string' || id === '' || typeof name !== 'string' || name === '')
    throw new StorageFailure(
      'unexpected',
      200,
      'The storage described a file without an id or a name.',
    );
  const webUrl = webUrlOf(item);
  const folderWebUrl = folder.webUrl ?? webUrlAbove(item);
  return {
    id,
    name: isRoot(item) ? 'Root' : name,
    mimeType: mimeType(item),
    size: sizeOf(item),
    createdAt:
      timeOf(at(item, 'fileSystemInfo', 'createdDateTime')) ?? timeOf(at(item, 'createdDateTime')),
    lastModifiedAt:
      timeOf(at(item, 'fileSystemInfo', 'lastModifiedDateTime')) ??
      timeOf(at(item, 'lastModifiedDateTime')),
    createdByName: nameOf(at(item, 'createdBy')),
    lastModifiedByName: nameOf(at(item, 'lastModifiedBy')),
    location: isRoot(item) ? '/' : childOf(folder.location, name),
    permissions: isForeign(item) ? ['readable'] : ['readable', 'writeable'],
    ...(webUrl !== undefined && { webUrl }),
    ...(folderWebUrl !== undefined && { folderWebUrl }),
  };
}

/** Whether it is a folder of this drive. */
export const isFolder = (item: unknown): boolean => has(item, 'folder') && !isForeign(item);

export const isRoot = (item: unknown): boolean => has(item, 'root');

/**
 * Path of the folder that an item is in; the root where the item does not tell.
 * @param asked path of that folder as far as it is known: what the item says may be read in two ways
 */
export function folderPath(item: unknown, asked?: string): string {
  const path = at(item, 'parentReference', 'path');
  const below = typeof path === 'string' ? path.replace(/^.*?root:/, '') : '';
  return below.startsWith('/')
    ? cleanPath(plain(below, at(item, 'parentReference', 'name'), asked))
    : '/';
}

/** Whether an answer is about what was asked for. An id may be written in other cases; a path and the root's alias have an id of their own. */
export function isAbout(asked: string, item: unknown): boolean {
  const id = at(item, 'id');
  return (
    asked.startsWith('/') ||
    (typeof id === 'string' && id.toLowerCase() === asked.toLowerCase()) ||
    (asked === 'root' && isRoot(item))
  );
}

/** Where a browser opens it. */
export function webUrlOf(item: unknown): string | undefined {
  const url = at(item, 'webUrl');
  return typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url) ? url : undefined;
}

/** Without empty segments. */
const cleanPath = (path: string): string => `/${namesIn(path).join('/')}`;

const childOf = (folder: string, name: string): string => `${folder === '/' ? '' : folder}/${name}`;

/**
 * Whether the path of its folder, as the item says it, may be encoded or a name that looks so, and nothing tells: the item was
 * just made and does not name its folder.
 */
export function isAmbiguous(item: unknown): boolean {
  const path = at(item, 'parentReference', 'path');
  return (
    typeof path === 'string' &&
    path.includes('%') &&
    at(item, 'parentReference', 'name') === undefined
  );
}

/**
 * Described as percent-encoded, seen as it is: encoded text has none of the characters that encoding takes away. A name of the
 * folder that is as in the path says that it is not encoded, or need not be; then the path is taken for what was seen.
 */
function plain(path: string, lastName: unknown, asked: string | undefined): string {
  const decoded = decodedOf(path);
  if (decoded === undefined || decoded === path || !/^[\w\-.~!$&'()*+,;=@%/]*$/.test(path))
    return path;
  const meant = asked === undefined ? undefined : [path, decoded].find((one) => isSame(one, asked));
  return meant ?? (path.slice(path.lastIndexOf('/') + 1) === lastName ? path : decoded);
}

/** Names differ in more than the case of their letters. */
const isSame = (path: string, other: string): boolean =>
  cleanPath(path).toLowerCase() === cleanPath(other).toLowerCase();

function decodedOf(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Documents that open in an editor have an address of another kind. */
function webUrlAbove(item: unknown): string | undefined {
  const url = webUrlOf(item);
  if (url === undefined || isRoot(item)) return undefined;
  const { origin, pathname, search } = new URL(url);
  const cut = pathname.lastIndexOf('/');
  return search === '' && cut > 0 && decodedOf(pathname.slice(cut + 1)) === at(item, 'name')
    ? `${origin}${pathname.slice(0, cut)}`
    : undefined;
}

const isForeign = (item: unknown): boolean => has(item, 'package') || has(item, 'remoteItem');

const has = (item: unknown, facet: string): boolean => (at(item, facet) ?? undefined) !== undefined;

function mimeType(item: unknown): string | null {
  if (isForeign(item)) return null;
  if (isFolder(item)) return FOLDER_TYPE;
  const type = at(item, 'file', 'mimeType');
  return typeof type === 'string' && type !== '' ? type : null;
}

function sizeOf(item: unknown): number | null {
  const size = at(item, 'size');
  return typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : null;
}

const timeOf = (value: unknown): string | null =>
  typeof value === 'string' ? instant(Date.parse(value)) : null;

/** What an application made has a user's name too, but not always. */
const nameOf = (identity: unknown): string | null =>
  [at(identity, 'user', 'displayName'), at(identity, 'application', 'displayName')].find(
    (name): name is string => typeof name === 'string' && name !== '',
  ) ?? null;
