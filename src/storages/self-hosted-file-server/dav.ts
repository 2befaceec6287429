/** WebDAV: the tree of a user. */
import { XMLParser } from 'fast-xml-parser';
import type { HttpAnswer } from '../../outbound/client.js';
import { FOLDER_TYPE, type Access, type FileInfo } from '../adapter.js';
import { failureOf, StorageFailure } from '../failure.js';
import { instant } from '../instant.js';
import { user } from './user.js';

const PROPERTIES =
  '<oc:fileid/><oc:size/><d:getcontenttype/><d:getlastmodified/><d:resourcetype/><nc:creation_time/><oc:permissions/><oc:owner-display-name/>';
const NAMESPACES =
  'xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"';
const PROPFIND = `<?xml version="1.0"?><d:propfind ${NAMESPACES}><d:prop>${PROPERTIES}</d:prop></d:propfind>`;

/** Ids and names stay text: `0012` is no number. */
const parser = new XMLParser({
  removeNSPrefix: true,
  parseTagValue: false,
  trimValues: false,
  ignoreAttributes: true,
  ignoreDeclaration: true,
  isArray: (name) => name === 'response' || name === 'propstat',
  // Only the five entities that XML itself has, and character references.
  htmlEntities: false,
  processEntities: true,
  // It would join the names of all that an element is in, for each element.
  jPath: false,
});

type Properties = { [name: string]: unknown };
interface Response {
  href?: unknown;
  propstat?: { status?: unknown; prop?: unknown }[];
}

/** The user's name in paths; a token does not say it. */
export const userOf = async (access: Access): Promise<string> =>
  access.userId ?? (await user(access));

/** Where a user's tree begins, as paths of the server have it. */
const treeOf = ({ origin }: Access, userId: string): string =>
  `${new URL(origin).pathname}remote.php/dav/files/${encodeURIComponent(userId)}`;

/** A path below the root as the server takes it. @throws StorageFailure as below */
export const encoded = (path: string): string => path.split('/').map(segment).join('/');

/** @throws StorageFailure `notFound` for what cannot be the name of a file */
export function segment(name: string): string {
  if (!name.isWellFormed()) throw failureOf(404);
  return encodeURIComponent(name);
}

/** Without slashes at its end. Looking for them by a regular expression takes the square of the time where there are many in the middle. */
export function untrailed(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

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
  // Not as a reference, which could name another host.
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
    // About one file. A folder may have as many as an answer may have bytes.
    ...(depth !== 1 && { maxBytes: ONE_FILE }),
  });
}

const ONE_FILE = 256 * 1024;

/**
 * A file or folder, with `depth` 1 what is in it too: the first one is the one that was asked for.
 * @param path below the root, not encoded
 * @throws StorageFailure
 */
export async function propfind(
  access: Access,
  userId: string,
  path: string,
  depth: 0 | 1,
): Promise<FileInfo[]> {
  const answer = await request(
    access,
    'PROPFIND',
    treeOf(access, userId) + encoded(path === '/' ? '/' : path),
    { depth, body: PROPFIND },
  );
  const found = filesOf(answer, treeOf(access, userId));
  // Another user's tree is answered with nothing in it.
  if (found.length === 0) throw failureOf(404);
  return found;
}

/** As many searches run at once. */
const SEARCHES = 8;

/** Those of the files that a user has, without the companion app: a search knows one id. @throws StorageFailure */
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
    `<?xml version="1.0" encoding="UTF-8"?><d:searchrequest ${NAMESPACES}><d:basicsearch><d:select><d:prop>${PROPERTIES}</d:prop></d:select>` +
    `<d:from><d:scope><d:href>/files/${escaped(encodeURIComponent(userId))}</d:href><d:depth>infinity</d:depth></d:scope></d:from>` +
    `<d:where><d:eq><d:prop><oc:fileid/></d:prop><d:literal>${id}</d:literal></d:eq></d:where><d:orderby/></d:basicsearch></d:searchrequest>`;
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
    const location = locationOf(response.href, tree);
    return location === undefined ||
      typeof properties['fileid'] !== 'string' ||
      properties['fileid'] === ''
      ? []
      : [fileOf(location, properties)];
  });
}

/** An element takes microseconds and some hundred bytes; a folder of ten thousand files has four hundred thousand tags. */
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
    // falls through: half an answer is no answer
  }
  throw new StorageFailure(
    'unexpected',
    status,
    'The storage answered with something that is not WebDAV.',
  );
}

/** Those that it has: others stand under a status of 404. */
function propertiesOf({ propstat }: Response): Properties {
  const found = Array.isArray(propstat)
    ? propstat.find(({ status }) => typeof status === 'string' && / 200 /.test(status))
    : undefined;
  return (typeof found?.prop === 'object' && found.prop !== null ? found.prop : {}) as Properties;
}

/** `/Docs/a b.md` from `/cloud/remote.php/dav/files/mia/Docs/a%20b.md`; folders lose their slash at the end. */
function locationOf(href: unknown, tree: string): string | undefined {
  try {
    // Servers spell the user's name in their own way, such as `@` for `%40`.
    const path = decodeURIComponent(String(href));
    const start = decodeURIComponent(tree);
    if (!path.startsWith(`${start}/`) && path !== start) return undefined;
    return untrailed(path.slice(start.length)) || '/';
  } catch {
    return undefined;
  }
}

function fileOf(location: string, properties: Properties): FileInfo {
  const folder = isFolder(properties['resourcetype']);
  const permissions = text(properties['permissions']) ?? '';
  const seconds = Number(text(properties['creation_time']) ?? 0);
  const size = Number(/^\d+$/.exec(text(properties['size']) ?? '')?.[0] ?? NaN);
  return {
    id: text(properties['fileid'])!,
    location,
    name: location === '/' ? 'Root' : location.slice(location.lastIndexOf('/') + 1),
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
  typeof resourceType === 'object' && resourceType !== null && 'collection' in resourceType;
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** G reads, W writes a file, C and K create in a folder; the other letters and their order differ between versions. */
export const permissionsOf = (letters: string, folder: boolean): ('readable' | 'writeable')[] => [
  ...(letters.includes('G') ? ['readable' as const] : []),
  ...(letters.includes(folder ? 'CK' : 'W') ? ['writeable' as const] : []),
];

/** Of what is mounted (M: a team folder, foreign storage) the server calls whoever asks the owner: who made it is unknown. */
export const creatorOf = (letters: string, owner: string | null): string | null =>
  letters.includes('M') ? null : owner;
