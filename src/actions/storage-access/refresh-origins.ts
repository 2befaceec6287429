/**
 * Asks storages about the files of many links: one `filesInfo` for each storage, all at once. What changed is saved in one write.
 * Nothing is ever deleted or emptied because of an answer (interface 4.4, facts 3.4).
 */
import type { Context } from '../../context.js';
import { FileLink, FileLinkStatus } from '../../models/file-link.js';
import { AuthorizationState, type Storage } from '../../models/storage.js';
import type { FileInfo } from '../../storages/adapter.js';
import { StorageFailure } from '../../storages/failure.js';
import { adapterFor } from '../../storages/index.js';
import { applicationAccess } from './application-access.js';
import { chunks } from '../../database/batches.js';
import { isOutbound, NotConnected } from './outbound-error.js';
import { isSwitchedOff } from './switched-off.js';
import { reachStorage } from './reach-storage.js';

export interface Origin {
  status: FileLinkStatus;
  /** With what the storage said, where it said something. */
  link: FileLink;
  /** What the answer says about the caller's connection to the storage. */
  state: AuthorizationState;
  /** As the storage told it; undefined where it did not. */
  file: FileInfo | undefined;
  /** The storage of the link; undefined where it was deleted meanwhile. */
  storage: Storage | undefined;
}

/** One for each link, in their order. */
export async function refreshOrigins(
  context: Context,
  links: readonly FileLink[],
): Promise<Origin[]> {
  const storageIds = [...new Set(links.map(({ storageId }) => storageId))];
  const { storages: known, clientCredentials, storageTokens } = context.loaders;
  // What reaching them takes is read together with them.
  const reads = storageIds.map(
    (id) => [known.load(id), clientCredentials.load(id), storageTokens.load(id)] as const,
  );
  await Promise.all(reads.flat());
  const storages = await Promise.all(reads.map(([storage]) => storage));
  const asked = new Map(
    await Promise.all(
      storages.map(async (storage, index): Promise<[number, Answer & Pick<Origin, 'storage'>]> => {
        const ids = [
          ...new Set(
            links
              .filter(({ storageId }) => storageId === storageIds[index])
              .map(({ originId }) => originId),
          ),
        ];
        return [
          storageIds[index]!,
          {
            storage,
            ...(storage
              ? await ask(context, storage, ids)
              : { state: AuthorizationState.Error, files: new Map() }),
          },
        ];
      }),
    ),
  );
  const origins = links.map((link): Origin => {
    const { state, files, storage } = asked.get(link.storageId)!;
    const verdict = files.get(link.originId);
    const file = verdict instanceof StorageFailure ? undefined : verdict;
    return {
      status: statusOf(verdict),
      link: file ? renewed(link, file) : link,
      state,
      file,
      storage,
    };
  });
  await save(
    context,
    origins.flatMap(({ link }, index) => (link === links[index] ? [] : [link])),
  ).catch((error: unknown) => {
    // What storages say now is told all the same; the next request saves it.
    context.log.warn({ err: error }, 'what storages said about files could not be saved');
  });
  return origins;
}

interface Answer {
  state: AuthorizationState;
  files: Map<string, FileInfo | StorageFailure>;
}

/** A storage that fails is an error for its own links only. */
async function ask(context: Context, storage: Storage, ids: readonly string[]): Promise<Answer> {
  if (isSwitchedOff(context, storage.type))
    return { state: AuthorizationState.Error, files: new Map() };
  try {
    return { state: AuthorizationState.Connected, files: await shared(context, storage, ids) };
  } catch (error) {
    if (!isOutbound(error))
      context.log.error(
        { err: error, storage: storage.id },
        'the files of a storage could not be refreshed',
      );
    return {
      state:
        error instanceof NotConnected
          ? AuthorizationState.FailedAuthorization
          : AuthorizationState.Error,
      files: new Map(),
    };
  }
}

/** Requests of one user for the same files at the same time share one call. */
function shared(
  context: Context,
  storage: Storage,
  ids: readonly string[],
): Promise<Answer['files']> {
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

function statusOf(verdict: FileInfo | StorageFailure | undefined): FileLinkStatus {
  if (!(verdict instanceof StorageFailure))
    return verdict ? FileLinkStatus.ViewAllowed : FileLinkStatus.Error;
  if (verdict.kind === 'forbidden') return FileLinkStatus.ViewNotAllowed;
  return verdict.kind === 'notFound' ? FileLinkStatus.NotFound : FileLinkStatus.Error;
}

const MAX = 255;
/** So many characters, not code units; what is shorter in those need not be counted. */
function cut(text: string | null): string | null {
  const clean = text?.replaceAll('\0', '') ?? null;
  return clean === null || clean.length <= MAX ? clean : [...clean].slice(0, MAX).join('');
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

/** The link as the storage tells the file now: itself where nothing changed. What the storage does not know stays. */
function renewed(link: FileLink, file: FileInfo): FileLink {
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
    : (Object.assign(new FileLink(), link, fresh) as FileLink);
}

/** Rows of one statement, whose values drivers keep twice. */
const BATCH = 1_000;

async function save({ db, clock }: Context, links: readonly FileLink[]): Promise<void> {
  const now = clock().toISOString();
  // In one order, so that two requests do not wait for each other.
  const ordered = [...links].sort((a, b) => a.id - b.id);
  for (const some of chunks(ordered, BATCH)) {
    const values = some.flatMap((link) => [
      String(link.id),
      ...columns.map((column) => (link[column] === null ? null : String(link[column]))),
    ]);
    const row = `(${['?', ...columns.map(() => '?')].join(', ')})`;
    // Columns of a list of values are text; an update, unlike an upsert, does not bring back what was deleted meanwhile.
    await db.write.raw(
      `with fresh (id, name, mime_type, size, created_at, last_modified_at, created_by_name, last_modified_by_name) as (values ${some.map(() => row).join(', ')})` +
        ' update file_links set origin_name = fresh.name, origin_mime_type = fresh.mime_type, origin_size = cast(fresh.size as bigint), origin_created_at = fresh.created_at,' +
        ' origin_last_modified_at = fresh.last_modified_at, origin_created_by_name = fresh.created_by_name, origin_last_modified_by_name = fresh.last_modified_by_name, updated_at = ?' +
        ' from fresh where file_links.id = cast(fresh.id as integer)',
      [...values, now] as string[],
    );
    for (const link of some) link.updatedAt = now;
  }
}
