/** What the user may know of many files, in one request by the companion app; without it by searches. */
import { FOLDER_TYPE, type Access, type FileInfo } from '../adapter.js';
import { at, statusIn, StorageFailure } from '../failure.js';
import { instant } from '../instant.js';
import { ocs } from './client.js';
import { creatorOf, permissionsOf, searchById, untrailed, userOf } from './dav.js';

const NOT_FOUND = 404;
const FORBIDDEN = 403;

/** Bytes for each file in the answer, and for the envelope. */
const PER_FILE = 4 * 1024;
const ENVELOPE = 64 * 1024;

type Verdicts = Map<string, FileInfo | StorageFailure>;

export async function filesInfo(access: Access, ids: readonly string[]): Promise<Verdicts> {
  if (ids.length === 0) return new Map();
  return (await byApp(access, ids)) ?? bySearch(access, ids);
}

/** Undefined where the companion app is missing or switched off: its routes are not there. */
export async function byApp(
  access: Access,
  ids: readonly string[],
  judge = verdictOf,
): Promise<Verdicts | undefined> {
  try {
    const data = await ocs(access, 'v1.php/apps/integration_openproject/filesinfo', {
      json: { fileIds: ids.map((id) => (/^\d{1,15}$/.test(id) ? Number(id) : id)) },
      maxBytes: ENVELOPE + ids.length * PER_FILE,
    });
    return new Map(ids.map((id) => [id, judge(at(data, id), id)]));
  } catch (error) {
    if (error instanceof StorageFailure && error.kind === 'notFound') return undefined;
    throw error;
  }
}

/** WebDAV cannot tell forbidden from gone: what is not found may be either. */
export async function bySearch(access: Access, ids: readonly string[]): Promise<Verdicts> {
  const found = new Map(
    (await searchById(access, await userOf(access), ids)).map((file) => [file.id, file]),
  );
  return new Map(
    ids.map((id) => [
      id,
      found.get(id) ??
        new StorageFailure('notFound', NOT_FOUND, 'The storage has no such file for this user.'),
    ]),
  );
}

export function verdictOf(entry: unknown, id: string): FileInfo | StorageFailure {
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
  const own = at(entry, 'id');
  const named = typeof own === 'number' ? String(own) : own;
  if (status !== 200 || named !== id || name === null)
    return new StorageFailure(
      'unexpected',
      statusIn(status) ?? 200,
      'The storage gave no information about the file.',
    );
  const folder = text('mimetype') === FOLDER_TYPE || text('path')?.endsWith('/') === true;
  const seconds = (member: string) => {
    const value = at(entry, member);
    return typeof value === 'number' && value > 0 ? instant(value * 1000) : null;
  };
  const size = at(entry, 'size');
  const letters = text('dav_permissions') ?? '';
  return {
    id,
    name,
    mimeType: folder ? FOLDER_TYPE : text('mimetype'),
    size: typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : null,
    createdAt: seconds('ctime'),
    lastModifiedAt: seconds('mtime'),
    createdByName: creatorOf(letters, text('owner_name')),
    lastModifiedByName: text('modifier_name'),
    location: placeOf(entry) ?? '/',
    permissions: permissionsOf(letters, folder),
  };
}

/** The same where the place counts: a file that the answer puts nowhere must not be taken for the root. */
export function placedVerdictOf(entry: unknown, id: string): FileInfo | StorageFailure {
  const verdict = verdictOf(entry, id);
  return verdict instanceof StorageFailure || placeOf(entry) !== undefined
    ? verdict
    : new StorageFailure('unexpected', 200, 'The storage did not tell where the file is.');
}

/** Below the user's root, which is `files/`; undefined where the answer does not tell. */
function placeOf(entry: unknown): string | undefined {
  const path = at(entry, 'path');
  return typeof path === 'string' && /^files(\/|$)/.test(path)
    ? `/${untrailed(path.replace(/^files\/?/, ''))}`
    : undefined;
}
