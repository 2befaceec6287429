/** Reads the tree of a user over WebDAV. */
import { XMLParser } from 'fast-xml-parser';
import type { HttpAnswer } from '../../outbound/http.js';
import { FOLDER_TYPE, type Access, type FileInfo } from '../adapter.js';
import { failureOf, StorageFailure } from '../failure.js';
import { nameAt } from '../parent.js';
import { instant } from '../instant.js';
import { isObject, type Json } from '../json.js';
import { user } from './user.js';

const PROPERTIES =
  '<oc:fileid/><oc:size/><d:getcontenttype/><d:getlastmodified/><d:resourcetype/>' +
  '<nc:creation_time/><oc:permissions/><oc:owner-display-name/>';
const NAMESPACES =
  'xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"';
const PROPFIND =
  `<?xml version="1.0"?><d:propfind ${NAMESPACES}>` + `<d:prop>${PROPERTIES}</d:prop></d:propfind>`;

/** Values stay text: the name `0012` is not a number. */
const parser = new XMLParser({
  removeNSPrefix: true,
  parseTagValue: false,
  trimValues: false,
  ignoreAttributes: true,
  ignoreDeclaration: true,
  isArray: (name) => name === 'response' || name === 'propstat',
  // Only the five entities of XML itself, and character references.
  htmlEntities: false,
  processEntities: true,
  // It builds the path of each element, which is slow in deep documents.
  jPath: false,
});

interface Response {
  href?: unknown;
  propstat?: { status?: unknown; prop?: unknown }[];
}

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
  }: { depth?: 0 | 1; body?: string; contentType?: string; destination?: string } = {},
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
    },
    ...(body !== undefined && { body }),
    // An answer about one file is small. That about a folder has only the client's general limit.
    ...(depth !== 1 && { maxBytes: ONE_FILE }),
  });
}

const ONE_FILE = 256 * 1024;

/**
 * Reads a file or folder, and with `depth` 1 also its entries.
 * @param path below the root, not encoded
 * @returns the requested file or folder first
 * @throws StorageFailure
 */
export async function propfind(
  access: Access,
  userId: string,
  path: string,
  depth: 0 | 1,
): Promise<[FileInfo, ...FileInfo[]]> {
  const answer = await request(access, 'PROPFIND', treeOf(access, userId) + encoded(path), {
    depth,
    body: PROPFIND,
  });
  const [first, ...others] = filesOf(answer, treeOf(access, userId));
  // For the tree of another user, the server answers without any file.
  if (!first) throw failureOf(404);
  return [first, ...others];
}

/** The number of searches that run at the same time. */
const SEARCHES = 8;

/**
 * Finds files by id without the companion app. Each id needs its own search.
 * @returns the files that the user can see, in any order
 * @throws StorageFailure
 */
export async function searchById(
  access: Access,
  userId: string,
  ids: readonly string[],
): Promise<FileInfo[]> {
  const waiting = ids.filter((id) => /^\d{1,19}$/.test(id));
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
  return filesOf(answer, treeOf(access, userId));
}

const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

const MULTI_STATUS = 207;

function filesOf(answer: HttpAnswer, tree: string): FileInfo[] {
  if (answer.status !== MULTI_STATUS) throw failureOf(answer.status);
  return responsesOf(answer).flatMap((response) => {
    const properties = propertiesOf(response);
    const id = text(properties['fileid']);
    const location = locationOf(response.href, tree);
    return id === undefined || location === undefined ? [] : [fileOf(id, location, properties)];
  });
}

/**
 * Each element costs microseconds and some hundred bytes of memory. A folder with 10,000 files has
 * 400,000 tags.
 */
const MOST_TAGS = 1_000_000;
const LESS_THAN = 0x3c;

function hasTooManyTags(body: Buffer): boolean {
  let tags = 0;
  for (let at = 0; at < body.length; at += 1) if (body[at] === LESS_THAN) tags += 1;
  return tags > MOST_TAGS;
}

function responsesOf({ body, status }: HttpAnswer): Response[] {
  if (hasTooManyTags(body))
    throw new StorageFailure(
      'unexpected',
      status,
      'The storage answered with more than can be read.',
    );
  try {
    const { multistatus } = parser.parse(body.toString('utf8'), true) as {
      multistatus?: { response?: Response[] } | '';
    };
    if (multistatus !== undefined)
      return (multistatus === '' ? undefined : multistatus.response) ?? [];
  } catch {
    // Truncated XML ends like any other unusable answer.
  }
  throw new StorageFailure(
    'unexpected',
    status,
    'The storage answered with something that is not WebDAV.',
  );
}

/** The properties that the file has. Missing ones are listed under a status of 404. */
function propertiesOf({ propstat }: Response): Json {
  const found = Array.isArray(propstat)
    ? propstat.find(({ status }) => typeof status === 'string' && / 200 /.test(status))
    : undefined;
  return isObject(found?.prop) ? found.prop : {};
}

/**
 * Returns `/Docs/a b.md` for `/cloud/remote.php/dav/files/mia/Docs/a%20b.md`. The trailing slash
 * of a folder is removed. Undefined for a path outside the tree.
 */
function locationOf(href: unknown, tree: string): string | undefined {
  try {
    // Servers encode the user's id differently, e.g. `@` instead of `%40`: decoded, both are equal.
    const path = decodeURIComponent(String(href));
    const start = decodeURIComponent(tree);
    if (!path.startsWith(`${start}/`) && path !== start) return undefined;
    return untrailed(path.slice(start.length)) || '/';
  } catch {
    return undefined;
  }
}

function fileOf(id: string, location: string, properties: Json): FileInfo {
  const folder = isFolder(properties['resourcetype']);
  const permissions = text(properties['permissions']) ?? '';
  const seconds = Number(text(properties['creation_time']) ?? 0);
  const size = Number(/^\d+$/.exec(text(properties['size']) ?? '')?.[0] ?? NaN);
  return {
    id,
    location,
    name: nameAt(location),
    mimeType: folder ? FOLDER_TYPE : (text(properties['getcontenttype']) ?? null),
    size: Number.isSafeInteger(size) ? size : null,
    createdAt: seconds > 0 ? instant(seconds * 1000) : null,
    lastModifiedAt: instant(Date.parse(text(properties['getlastmodified']) ?? '')),
    createdByName: creatorOf(permissions, text(properties['owner-display-name']) ?? null),
    lastModifiedByName: null,
    permissions: permissionsOf(permissions, folder),
  };
}

const isFolder = (resourceType: unknown): boolean =>
  isObject(resourceType) && 'collection' in resourceType;
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

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
