/** Refreshes what file links store about their files, by asking the storages. */
import { firstCharacters } from '../../../contract/text-rules.js';
import type { Context } from '../../../context.js';
import { FileLink, FileLinkStatus } from '../../../models/file-link.js';
import { AuthorizationState, type Storage } from '../../../models/storage.js';
import { failedConnection, type Connection } from './authorization-state.js';
import type { FileInfo } from '../../../storages/adapter.js';
import { StorageFailure } from '../../../storages/failure.js';
import { adapterFor } from '../../../storages/index.js';
import { applicationAccess } from './application-access.js';
import { chunks } from '../../../database/batches.js';
import { isOutbound } from './outbound-error.js';
import { isSwitchedOff } from './switched-off.js';
import { reachStorage } from './reach-storage.js';

export interface Origin {
  status: FileLinkStatus;
  /** The link, updated with the storage's answer if there is one. */
  link: FileLink;
  /** The caller's connection to the storage, as the answer shows it. */
  connection: Connection;
  /** The file as the storage reports it; undefined if it does not. */
  file: FileInfo | undefined;
  /** The storage of the link; undefined if it was deleted after the link was read. */
  storage: Storage | undefined;
}

/**
 * Calls `filesInfo` once for each storage, all at the same time, and saves the changes.
 * No answer ever deletes a link or empties one of its columns.
 * @returns one origin for each link, in the same order
 */
export async function refreshOrigins(
  context: Context,
  links: readonly FileLink[],
): Promise<Origin[]> {
  const storageIds = [...new Set(links.map(({ storageId }) => storageId))];
  const { storages: known, clientCredentials, storageTokens } = context.loaders;
  // Read now with the storages, because `reachStorage` needs these rows too.
  const storages = await Promise.all(
    storageIds.map(async (id) => {
      const [storage] = await Promise.all([
        known.load(id),
        clientCredentials.load(id),
        storageTokens.load(id),
      ]);
      return { id, storage };
    }),
  );
  const asked = new Map(
    await Promise.all(
      storages.map(async ({ id, storage }): Promise<[number, StorageAnswer]> => {
        const fileIds = new Set(
          links.filter(({ storageId }) => storageId === id).map(({ originId }) => originId),
        );
        const answer = storage
          ? await ask(context, storage, [...fileIds])
          : { connection: { state: AuthorizationState.ERROR }, files: new Map() };
        return [id, { storage, ...answer }];
      }),
    ),
  );
  const origins = links.map((link): Origin => {
    const answer = asked.get(link.storageId);
    if (!answer) throw new Error(`Storage ${link.storageId} of a file link was not asked.`);
    const { connection, files, storage } = answer;
    const result = files.get(link.originId);
    const file = result instanceof StorageFailure ? undefined : result;
    return {
      status: statusOf(result),
      link: file ? updatedLink(link, file) : link,
      connection,
      file,
      storage,
    };
  });
  await save(
    context,
    origins.flatMap(({ link }, index) => (link === links[index] ? [] : [link])),
  ).catch((error: unknown) => {
    // The request still returns the answers. The next request saves them.
    context.log.warn({ err: error }, 'what storages said about files could not be saved');
  });
  return origins;
}

interface FilesAnswer {
  connection: Connection;
  /** By the id at the storage. */
  files: Map<string, FileInfo | StorageFailure>;
}

type StorageAnswer = FilesAnswer & Pick<Origin, 'storage'>;

/** Does not throw: if a storage fails, only its own links have an error. */
async function ask(
  context: Context,
  storage: Storage,
  ids: readonly string[],
): Promise<FilesAnswer> {
  if (isSwitchedOff(context, storage.type))
    return { connection: { state: AuthorizationState.ERROR }, files: new Map() };
  try {
    return {
      connection: { state: AuthorizationState.CONNECTED },
      files: await sharedFilesInfo(context, storage, ids),
    };
  } catch (error) {
    if (!isOutbound(error))
      context.log.error(
        { err: error, storage: storage.id },
        'the files of a storage could not be refreshed',
      );
    return { connection: failedConnection(error), files: new Map() };
  }
}

/** Concurrent requests of one user for the same files share one call. */
function sharedFilesInfo(
  context: Context,
  storage: Storage,
  ids: readonly string[],
): Promise<FilesAnswer['files']> {
  const key = JSON.stringify([context.user.id, storage.id, storage.updatedAt, [...ids].sort()]);
  const { refreshing } = context;
  let call = refreshing.get(key);
  context.waits();
  if (!call) {
    const { filesInfo } = adapterFor(storage.type);
    call = reachStorage(context, storage, (access, userId) =>
      filesInfo({ ...access, userId }, ids, () => applicationAccess(context, storage)),
    );
    refreshing.set(key, call);
    const done = () => refreshing.delete(key);
    call.then(done, done);
  }
  return call;
}

function statusOf(result: FileInfo | StorageFailure | undefined): FileLinkStatus {
  if (!(result instanceof StorageFailure))
    return result ? FileLinkStatus.VIEW_ALLOWED : FileLinkStatus.ERROR;
  if (result.kind === 'forbidden') return FileLinkStatus.VIEW_NOT_ALLOWED;
  return result.kind === 'notFound' ? FileLinkStatus.NOT_FOUND : FileLinkStatus.ERROR;
}

const MAX_LENGTH = 255;

/**
 * Cuts to `MAX_LENGTH` code points, and removes NUL.
 * A text with fewer UTF-16 code units never has more code points, so it is not counted.
 */
function cut(text: string | null): string | null {
  const clean = text?.replaceAll('\0', '') ?? null;
  return clean === null || clean.length <= MAX_LENGTH ? clean : firstCharacters(clean, MAX_LENGTH);
}

const columns = [
  'originName',
  'originMimeType',
  'originSize',
  'originCreatedAt',
  'originLastModifiedAt',
  'originCreatedByName',
  'originLastModifiedByName',
] as const;

/**
 * The link with the file as the storage reports it now. Values that the storage does not know stay.
 * @returns the same object if nothing changed
 */
function updatedLink(link: FileLink, file: FileInfo): FileLink {
  const fresh: Pick<FileLink, (typeof columns)[number]> = {
    originName: cut(file.name) || link.originName,
    originMimeType: cut(file.mimeType) ?? link.originMimeType,
    originSize: file.size ?? link.originSize,
    originCreatedAt: file.createdAt ?? link.originCreatedAt,
    originLastModifiedAt: file.lastModifiedAt ?? link.originLastModifiedAt,
    originCreatedByName: cut(file.createdByName) ?? link.originCreatedByName,
    originLastModifiedByName: cut(file.lastModifiedByName) ?? link.originLastModifiedByName,
  };
  return columns.every((column) => link[column] === fresh[column])
    ? link
    : Object.assign(new FileLink(), link, fresh);
}

/** Rows in one statement. Drivers hold its values in memory twice. */
const LINKS_AT_ONCE = 1_000;

async function save({ db, clock }: Context, links: readonly FileLink[]): Promise<void> {
  const now = clock().toISOString();
  // Always in the order of ids, so that two requests cannot deadlock.
  const ordered = [...links].sort((a, b) => a.id - b.id);
  for (const batch of chunks(ordered, LINKS_AT_ONCE)) {
    const values = batch.flatMap((link) => [
      String(link.id),
      FileLink.searchTextOf(link),
      ...columns.map((column) => (link[column] === null ? null : String(link[column]))),
    ]);
    const row = `(${['?', '?', ...columns.map(() => '?')].join(', ')})`;
    // PostgreSQL gives the columns of `values` the type text, hence the casts.
    // An update, unlike an upsert, does not bring back rows that were deleted after they were read.
    await db.write.raw(
      'with fresh (id, search_text, name, mime_type, size, created_at, last_modified_at,' +
        ' created_by_name, last_modified_by_name)' +
        ` as (values ${batch.map(() => row).join(', ')})` +
        ' update file_links set origin_name = fresh.name, search_text = fresh.search_text,' +
        ' origin_mime_type = fresh.mime_type, origin_size = cast(fresh.size as bigint),' +
        ' origin_created_at = fresh.created_at,' +
        ' origin_last_modified_at = fresh.last_modified_at,' +
        ' origin_created_by_name = fresh.created_by_name,' +
        ' origin_last_modified_by_name = fresh.last_modified_by_name, updated_at = ?' +
        ' from fresh where file_links.id = cast(fresh.id as integer)',
      // Knex accepts null as a value, but its types do not.
      [...values, now] as string[],
    );
    for (const link of batch) link.updatedAt = now;
  }
}
