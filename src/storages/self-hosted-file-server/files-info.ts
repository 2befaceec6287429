/** Reads many files: in one request to the companion app, or with WebDAV searches without it. */
import { FOLDER_TYPE, type Access, type FileInfo } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { askInHalves } from '../in-halves.js';
import { instant } from '../instant.js';
import { at, statusIn } from '../json.js';
import { jsonId, ocs } from './client.js';
import { creatorOf, permissionsOf, searchById, untrailed, userOf } from './dav.js';

const NOT_FOUND = 404;
const FORBIDDEN = 403;

/** Bytes that an answer may have for each file, and for the envelope. */
const PER_FILE = 4 * 1024;
const ENVELOPE = 64 * 1024;

type Verdict = FileInfo | StorageFailure;

export async function filesInfo(
  access: Access,
  ids: readonly string[],
): Promise<Map<string, Verdict>> {
  if (ids.length === 0) return new Map();
  return (await filesFromCompanionApp(access, ids)) ?? bySearch(access, ids);
}

/**
 * A file that the app refuses to be asked for is `unexpected`.
 * @returns undefined if the companion app is missing or disabled: then its routes answer 404
 */
export async function filesFromCompanionApp(
  access: Access,
  ids: readonly string[],
  read: (entry: unknown, id: string) => Verdict = verdictOf,
): Promise<Map<string, Verdict> | undefined> {
  const verdicts = new Map<string, Verdict>();
  const ask = async (some: readonly string[]): Promise<void> => {
    const data = await ocs(access, 'v1.php/apps/integration_openproject/filesinfo', {
      json: { fileIds: some.map(jsonId) },
      maxBytes: ENVELOPE + some.length * PER_FILE,
    });
    for (const id of some) verdicts.set(id, read(at(data, id), id));
  };
  try {
    await askInHalves(ids, ask, (id, error) => verdicts.set(id, refusalOf(error)));
    return verdicts;
  } catch (error) {
    if (error instanceof StorageFailure && error.kind === 'notFound') return undefined;
    throw error;
  }
}

const refusalOf = (error: unknown): StorageFailure =>
  error instanceof StorageFailure
    ? error
    : new StorageFailure('unexpected', 0, 'The storage could not be asked for the file in time.');

/** WebDAV answers the same for forbidden and for missing files: both are `notFound`. */
async function bySearch(access: Access, ids: readonly string[]): Promise<Map<string, Verdict>> {
  const found = new Map(
    (await searchById(access, await userOf(access), ids)).map((file) => [file.id, file]),
  );
  return new Map(ids.map((id) => [id, found.get(id) ?? notFound()]));
}

/** @throws StorageFailure `notFound` also for a file that the user may not see */
export async function fileBySearch(access: Access, id: string): Promise<FileInfo> {
  const found = await searchById(access, await userOf(access), [id]);
  const file = found.findLast((one) => one.id === id);
  if (!file) throw notFound();
  return file;
}

const notFound = () =>
  new StorageFailure('notFound', NOT_FOUND, 'The storage has no such file for this user.');

/** Converts an entry of the companion app's answer. */
function verdictOf(entry: unknown, id: string): Verdict {
  const status = at(entry, 'statuscode');
  if (status === NOT_FOUND)
    return new StorageFailure('notFound', NOT_FOUND, 'The storage has no such file.');
  if (status === FORBIDDEN)
    return new StorageFailure('forbidden', FORBIDDEN, 'The user may not see the file.');
  const text = (name: string) => {
    const value = at(entry, name);
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const name = text('name');
  const given = at(entry, 'id');
  const givenId = typeof given === 'number' ? String(given) : given;
  if (status !== 200 || givenId !== id || name === null)
    return new StorageFailure(
      'unexpected',
      statusIn(status) ?? 200,
      'The storage gave no information about the file.',
    );
  const folder = text('mimetype') === FOLDER_TYPE || text('path')?.endsWith('/') === true;
  const time = (member: string) => {
    const seconds = at(entry, member);
    return typeof seconds === 'number' && seconds > 0 ? instant(seconds * 1000) : null;
  };
  const size = at(entry, 'size');
  const letters = text('dav_permissions') ?? '';
  return {
    id,
    name,
    mimeType: folder ? FOLDER_TYPE : text('mimetype'),
    size: typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : null,
    createdAt: time('ctime'),
    lastModifiedAt: time('mtime'),
    createdByName: creatorOf(letters, text('owner_name')),
    lastModifiedByName: text('modifier_name'),
    location: locationOf(entry) ?? '/',
    permissions: permissionsOf(letters, folder),
  };
}

/**
 * Converts an entry whose location matters. An entry without a location is a failure: it must not
 * become the root.
 */
export function verdictWithLocation(entry: unknown, id: string): Verdict {
  const verdict = verdictOf(entry, id);
  return verdict instanceof StorageFailure || locationOf(entry) !== undefined
    ? verdict
    : new StorageFailure('unexpected', 200, 'The storage did not tell where the file is.');
}

/** The path below the user's root, which the app calls `files/`. Undefined if there is none. */
function locationOf(entry: unknown): string | undefined {
  const path = at(entry, 'path');
  return typeof path === 'string' && /^files(\/|$)/.test(path)
    ? `/${untrailed(path.replace(/^files\/?/, ''))}`
    : undefined;
}
