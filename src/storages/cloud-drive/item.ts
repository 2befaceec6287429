/** Converts an item of the drive's API to a `FileInfo`. */
import { FOLDER_TYPE, type FileInfo } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { instant } from '../instant.js';
import { at } from '../json.js';
import { namesIn } from './address.js';

/** The fields that requests must select for `fileInfo`. */
export const FIELDS = [
  'id,name,size,file,folder,package,remoteItem,root,createdBy,lastModifiedBy,createdDateTime',
  'lastModifiedDateTime,fileSystemInfo,parentReference,webUrl',
].join();

/**
 * Packages (notebooks) and shortcuts to other drives are neither files nor folders. They have no
 * media type, cannot be listed, and are not writeable.
 *
 * Everything else counts as writeable. An item does not contain its permissions. Reading them costs
 * one request for each item and shows a user only some of them. The drive checks each write anyway.
 * @param folder the folder of the item, if known. Otherwise its path is read from the item, and its
 *   browser address is derived from that of the item.
 * @throws StorageFailure if the value is not an item
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

/** Whether the item is a folder of this drive. */
export const isFolder = (item: unknown): boolean => has(item, 'folder') && !isForeign(item);

export const isRoot = (item: unknown): boolean => has(item, 'root');

/**
 * Returns the path of the folder of an item; the root if the item does not name it.
 * @param expected the path of that folder, if known. It resolves an ambiguous path in the item.
 */
export function folderPath(item: unknown, expected?: string): string {
  const path = at(item, 'parentReference', 'path');
  const below = typeof path === 'string' ? path.replace(/^.*?root:/, '') : '';
  return below.startsWith('/')
    ? cleanPath(plain(below, at(item, 'parentReference', 'name'), expected))
    : '/';
}

/**
 * Whether an answer is about the requested item. Ids ignore case. A path, and the alias `root`,
 * cannot be compared with an id.
 */
export function isAbout(asked: string, item: unknown): boolean {
  const id = at(item, 'id');
  return (
    asked.startsWith('/') ||
    (typeof id === 'string' && id.toLowerCase() === asked.toLowerCase()) ||
    (asked === 'root' && isRoot(item))
  );
}

/** The browser address of an item. */
export function webUrlOf(item: unknown): string | undefined {
  const url = at(item, 'webUrl');
  return typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url) ? url : undefined;
}

/** Removes empty segments. */
const cleanPath = (path: string): string => `/${namesIn(path).join('/')}`;

const childOf = (folder: string, name: string): string => `${folder === '/' ? '' : folder}/${name}`;

/**
 * Whether it is unclear if the folder path in an item is percent-encoded. That happens with new
 * items: they do not contain the name of their folder, which would show it.
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
 * Decodes a folder path if it is percent-encoded. The API reference says that it is. Observed
 * answers are not. A path with a character that encoding would replace is not encoded. Neither is
 * a path that ends with the exact name of the folder.
 */
function plain(path: string, lastName: unknown, expected: string | undefined): string {
  const decoded = decodedOf(path);
  if (decoded === undefined || decoded === path || !/^[\w\-.~!$&'()*+,;=@%/]*$/.test(path))
    return path;
  const known =
    expected === undefined ? undefined : [path, decoded].find((one) => isSame(one, expected));
  return known ?? (path.slice(path.lastIndexOf('/') + 1) === lastName ? path : decoded);
}

/** The drive ignores case: two names in a folder differ in more than that. */
const isSame = (path: string, other: string): boolean =>
  cleanPath(path).toLowerCase() === cleanPath(other).toLowerCase();

function decodedOf(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * The browser address of the folder of an item, derived from that of the item. Undefined for
 * documents that open in an editor: their address does not end with their name.
 */
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

/** An item that an application created does not always have a user's name. */
const nameOf = (identity: unknown): string | null =>
  [at(identity, 'user', 'displayName'), at(identity, 'application', 'displayName')].find(
    (name): name is string => typeof name === 'string' && name !== '',
  ) ?? null;
