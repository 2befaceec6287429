/** Reads the tree of a user over WebDAV. */
import type { HttpAnswer } from '../../outbound/http.js';
import { FOLDER_TYPE, type Access, type FileInfo, type Listing } from '../adapter.js';
import { failureOf, StorageFailure } from '../failure.js';
import { FirstByName } from '../first-by-name.js';
import { nameAt } from '../parent.js';
import { instant } from '../instant.js';
import { readResponses, type Element, type ResponseLimits } from './multistatus.js';
import { user } from './user.js';

const PROPERTIES =
  '<oc:fileid/><oc:size/><d:getcontenttype/><d:getlastmodified/><d:resourcetype/>' +
  '<nc:creation_time/><oc:permissions/><oc:owner-display-name/>';
export const NAMESPACES =
  'xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"';
const PROPFIND =
  `<?xml version="1.0"?><d:propfind ${NAMESPACES}>` + `<d:prop>${PROPERTIES}</d:prop></d:propfind>`;

/** Returns the user's id, which WebDAV paths contain. A token does not contain it. */
export const userOf = async (access: Access): Promise<string> =>
  access.userId ?? (await user(access));

/** The path of the root of a user's tree. */
export const treeOf = ({ origin }: Access, userId: string): string =>
  `${new URL(origin).pathname}remote.php/dav/files/${encodeURIComponent(userId)}`;

/** Percent-encodes a path below the root. @throws StorageFailure as `segment` does */
export const encoded = (path: string): string => path.split('/').map(segment).join('/');

/** Percent-encodes a name. @throws StorageFailure `notFound` if no file can have the name */
export function segment(name: string): string {
  if (!name.isWellFormed()) throw failureOf(404);
  return encodeURIComponent(name);
}

/**
 * Removes trailing slashes. A regular expression would need quadratic time for a path with many
 * slashes in the middle.
 */
export function untrailed(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** @param path of the URL, percent-encoded */
export async function request(
  access: Access,
  method: string,
  path: string,
  {
    depth,
    body,
    contentType = 'application/xml; charset=utf-8',
    destination,
    overwrite,
    maxBytes,
  }: {
    depth?: 0 | 1;
    body?: string;
    contentType?: string;
    destination?: string;
    overwrite?: string;
    maxBytes?: number;
  } = {},
): Promise<HttpAnswer> {
  const url = new URL(access.origin);
  // Resolved as a relative reference, a path such as `//host` would change the host.
  url.pathname = path;
  return access.send({
    method,
    url: url.href,
    headers: {
      authorization: access.authorization,
      ...(depth !== undefined && { depth: String(depth) }),
      ...(body !== undefined && { 'content-type': contentType }),
      ...(destination !== undefined && { destination }),
      ...(overwrite !== undefined && { overwrite }),
    },
    ...(body !== undefined && { body }),
    // An answer about one file is small. That about a folder has only the client's general limit.
    ...(depth !== 1 && { maxBytes: ONE_FILE }),
    ...(maxBytes !== undefined && { maxBytes }),
  });
}

const ONE_FILE = 256 * 1024;

/**
 * Reads a file or folder.
 * @param path below the root, not encoded
 * @throws StorageFailure
 */
export async function propfind(access: Access, userId: string, path: string): Promise<FileInfo> {
  let found: FileInfo | undefined;
  await sendPropfind(access, userId, path, 0, (file) => {
    found ??= file;
  });
  return found ?? missing();
}

/**
 * Reads a folder and its entries.
 * @param path below the root, not encoded
 * @throws StorageFailure
 */
export async function list(
  access: Access,
  userId: string,
  path: string,
): Promise<Listing & { folder: FileInfo }> {
  let folder: FileInfo | undefined;
  const entries = new FirstByName();
  await sendPropfind(access, userId, path, 1, (file) => {
    if (folder) entries.add(file);
    else folder = file;
  });
  return { folder: folder ?? missing(), ...entries.listing() };
}

/** For the tree of another user, the server answers without any file. */
function missing(): never {
  throw failureOf(404);
}

/** Calls `take` with the requested file or folder first. */
async function sendPropfind(
  access: Access,
  userId: string,
  path: string,
  depth: 0 | 1,
  take: (file: FileInfo) => void,
): Promise<void> {
  const tree = treeOf(access, userId);
  const answer = await request(access, 'PROPFIND', tree + encoded(path), { depth, body: PROPFIND });
  await eachFile(answer, tree, take);
}

/** The number of searches that run at the same time. */
const SEARCHES = 8;

/**
 * Finds files by id without the companion app. Each id needs its own search.
 * @param ids digits only: they become part of a document
 * @returns the files that the user can see, in any order
 * @throws StorageFailure
 */
export async function searchById(
  access: Access,
  userId: string,
  ids: readonly string[],
): Promise<FileInfo[]> {
  const waiting = [...ids];
  const found: FileInfo[] = [];
  const work = async (): Promise<void> => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop())
      found.push(...(await search(access, userId, id)));
  };
  await Promise.all(Array.from({ length: Math.min(SEARCHES, waiting.length) }, work));
  return found;
}

async function search(access: Access, userId: string, id: string): Promise<FileInfo[]> {
  const body =
    `<?xml version="1.0" encoding="UTF-8"?><d:searchrequest ${NAMESPACES}><d:basicsearch>` +
    `<d:select><d:prop>${PROPERTIES}</d:prop></d:select>` +
    `<d:from><d:scope><d:href>/files/${escaped(encodeURIComponent(userId))}</d:href>` +
    '<d:depth>infinity</d:depth></d:scope></d:from>' +
    `<d:where><d:eq><d:prop><oc:fileid/></d:prop><d:literal>${id}</d:literal></d:eq></d:where>` +
    '<d:orderby/></d:basicsearch></d:searchrequest>';
  const answer = await request(
    access,
    'SEARCH',
    `${new URL(access.origin).pathname}remote.php/dav/`,
    { body, contentType: 'text/xml' },
  );
  const found: FileInfo[] = [];
  await eachFile(answer, treeOf(access, userId), (file) => found.push(file));
  return found;
}

export const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

const MULTI_STATUS = 207;

const eachFile = (
  answer: HttpAnswer,
  tree: string,
  take: (file: FileInfo) => void,
): Promise<void> =>
  readMultiStatus(answer, (response) => {
    const file = fileIn(response, tree);
    if (file) take(file);
  });

/** @throws StorageFailure if the answer is not WebDAV */
export async function readMultiStatus(
  { status, body }: HttpAnswer,
  take: (response: Element) => void,
  limits?: ResponseLimits,
): Promise<void> {
  if (status !== MULTI_STATUS) throw failureOf(status);
  try {
    await readResponses(body, take, limits);
  } catch {
    // Truncated XML ends like any other unusable answer.
    throw new StorageFailure(
      'unexpected',
      status,
      'The storage answered with something that is not WebDAV.',
    );
  }
}

/** Undefined for a response that is not about a file in the tree. */
function fileIn(response: Element, tree: string): FileInfo | undefined {
  const properties = propertiesOf(response);
  const id = text(properties, 'fileid');
  const location = locationOf(text(response, 'href') ?? '', tree);
  return id === undefined || location === undefined ? undefined : fileOf(id, location, properties);
}

export const child = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((one) => one.name === name);

/** The text of a child; undefined if it is empty. */
export const text = (element: Element | undefined, name: string): string | undefined =>
  child(element, name)?.text || undefined;

/** The properties that the file has. Missing ones are listed under a status of 404. */
export const propertiesOf = ({ children }: Element): Element | undefined =>
  child(
    children.find((one) => one.name === 'propstat' && / 200 /.test(text(one, 'status') ?? '')),
    'prop',
  );

/**
 * Returns `/Docs/a b.md` for `/cloud/remote.php/dav/files/mia/Docs/a%20b.md`. The trailing slash
 * of a folder is removed. Undefined for a path outside the tree.
 */
export function locationOf(href: string, tree: string): string | undefined {
  try {
    // Servers encode the user's id differently, e.g. `@` instead of `%40`: decoded, both are equal.
    const path = decodeURIComponent(href);
    const start = decodeURIComponent(tree);
    if (!path.startsWith(`${start}/`) && path !== start) return undefined;
    return untrailed(path.slice(start.length)) || '/';
  } catch {
    return undefined;
  }
}

function fileOf(id: string, location: string, properties: Element | undefined): FileInfo {
  const folder = child(child(properties, 'resourcetype'), 'collection') !== undefined;
  const permissions = text(properties, 'permissions') ?? '';
  const seconds = Number(text(properties, 'creation_time') ?? 0);
  const size = Number(/^\d+$/.exec(text(properties, 'size') ?? '')?.[0] ?? NaN);
  return {
    id,
    location,
    name: nameAt(location),
    mimeType: folder ? FOLDER_TYPE : (text(properties, 'getcontenttype') ?? null),
    size: Number.isSafeInteger(size) ? size : null,
    createdAt: seconds > 0 ? instant(seconds * 1000) : null,
    lastModifiedAt: instant(Date.parse(text(properties, 'getlastmodified') ?? '')),
    createdByName: creatorOf(permissions, text(properties, 'owner-display-name') ?? null),
    lastModifiedByName: null,
    permissions: permissionsOf(permissions, folder),
  };
}

/**
 * Converts the property `oc:permissions`. G: read. W: write a file. CK: create files and folders in
 * a folder. Other letters, and the order of all, differ between versions of the server.
 */
export const permissionsOf = (letters: string, folder: boolean): ('readable' | 'writeable')[] => [
  ...(letters.includes('G') ? ['readable' as const] : []),
  ...(letters.includes(folder ? 'CK' : 'W') ? ['writeable' as const] : []),
];

/**
 * In mounted folders (letter M: team folders, external storages) the server reports the current
 * user as the owner. The creator is unknown there.
 */
export const creatorOf = (letters: string, owner: string | null): string | null =>
  letters.includes('M') ? null : owner;
