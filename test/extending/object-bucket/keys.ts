/** Keys as files and folders. The id of a file is its key. The id of a folder ends with a slash. */
import { FOLDER_TYPE, type FileInfo } from '../adapter.js';
import { instant } from '../instant.js';
import { withoutDots } from '../parent.js';

/** The root is a folder with an empty key. */
const ROOT = '/';

/** @throws StorageFailure `notDirectory` for a path with dots */
export const keyOf = (item: string): string =>
  item.startsWith('/') ? withoutDots(item).split('/').filter(Boolean).join('/') : item;

/** The start of all keys in a folder. */
export function prefixOf(folder: string): string {
  const key = keyOf(folder);
  return key === '' || key.endsWith('/') ? key : `${key}/`;
}

/** The prefixes of all folders above this one, from the root down. */
export function prefixesAbove(prefix: string): string[] {
  const names = prefix.split('/').filter(Boolean);
  return names.map((_, index) =>
    names
      .slice(0, index)
      .map((name) => `${name}/`)
      .join(''),
  );
}

/** A folder has no data of its own. It exists because keys are in it. */
export const folderInfo = (prefix: string): FileInfo => ({
  ...unknown,
  id: prefix || ROOT,
  name: nameOf(prefix) || 'Root',
  mimeType: FOLDER_TYPE,
  size: null,
  lastModifiedAt: null,
  location: `/${prefix.replace(/\/$/, '')}`,
});

interface Said {
  type: string | null | undefined;
  size: string | undefined;
  modified: string | undefined;
}

export const fileInfo = (key: string, { type, size, modified }: Said): FileInfo => ({
  ...unknown,
  id: key,
  name: nameOf(key),
  mimeType: type ?? null,
  size: /^\d{1,15}$/.test(size ?? '') ? Number(size) : null,
  lastModifiedAt: instantOf(modified),
  location: `/${key}`,
});

const unknown = {
  createdAt: null,
  createdByName: null,
  lastModifiedByName: null,
  permissions: ['readable', 'writeable'],
} as const;

const nameOf = (key: string): string => key.split('/').findLast((name) => name !== '') ?? '';

function instantOf(text: string | undefined): string | null {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? null : instant(ms);
}
