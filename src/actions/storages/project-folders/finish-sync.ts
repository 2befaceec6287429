/** Saves the result of a synchronisation, and releases its lease. */
import type { Knex } from 'knex';
import type { Services } from '../../../context.js';
import { recordEvents } from '../../../events/record.js';
import { StorageEvent } from '../../../models/event.js';
import { FolderDeletion, FolderSync } from '../../../models/folder-sync.js';
import {
  ProjectFolderMode,
  ProjectFolderState,
  ProjectStorage,
} from '../../../models/project-storage.js';
import { Project } from '../../../models/project.js';
import type { Storage } from '../../../models/storage.js';
import { REPEAT_MS } from '../../base/project-folder-queue/acquire-sync.js';
import { LeaseLost } from '../../base/leases/lease.js';
import { leased } from '../../base/leases/queue.js';
import type { SyncFailed, SyncResult } from './synchronise.js';

/** Failed synchronisations in a row after which administrators are told, once. */
const REPORTED_AFTER = 3;
/** The first repetition after a failure. The wait grows threefold each time. */
const FIRST_REPEAT_MS = 30_000;
/** After this time, a person whom the storage did not know is tried again. */
const ASK_AGAIN_MS = 24 * 3_600_000;

type FinishNeeds = Pick<Services, 'db' | 'clock' | 'log'>;

/** @returns whether everything is in step */
export async function finishSync(
  services: FinishNeeds,
  sync: FolderSync,
  result: SyncResult,
): Promise<boolean> {
  const { storage, plan, wanted, applied } = result;
  const now = services.clock();
  const failed = new Map(applied?.failed);
  const messages = [...failed.values(), ...(applied?.others ?? [])];
  const isDone = messages.length === 0;
  for (const reason of applied?.notes ?? [])
    services.log.warn({ storage: storage.id, reason }, 'somebody stays in the group');
  await unlessLost(services, async (trx) => {
    await saveStates(trx, result, now);
    if (applied)
      await FolderDeletion.query(trx)
        .delete()
        .where('storage_id', storage.id)
        .whereIn(
          'folder_id',
          wanted.unwanted.filter((id) => !applied.undeleted.has(id)),
        );
    const isIdle = wanted.folders.length === 0 && plan.foreign.length === 0;
    // Nothing is left to manage: no more calls until a project chooses it again.
    if (applied && isDone && isIdle && !sync.reported && (await forget(trx, sync, now))) return;
    await release(services, trx, sync, storage, {
      message: messages[0],
      hiddenFolders: isDone ? plan.hidden : [],
      unknownPeople: unknownPeople(sync, applied?.refused ?? new Map(), now),
    });
  });
  return isDone;
}

/** As `finishSync`, for a synchronisation that failed as a whole. */
async function failSync(
  services: FinishNeeds,
  sync: FolderSync,
  { storage, message }: SyncFailed,
): Promise<void> {
  const now = services.clock();
  await unlessLost(services, async (trx) => {
    await ProjectStorage.query(trx)
      .patch({
        folderState: ProjectFolderState.FAILED,
        folderMessage: message,
        folderUpdatedAt: now.toISOString(),
      })
      .where({ storage_id: storage.id, project_folder_mode: ProjectFolderMode.AUTOMATIC })
      .where(
        (differs) =>
          void differs
            .whereNull('folder_state')
            .orWhereNot('folder_state', ProjectFolderState.FAILED)
            .orWhereNot('folder_message', message),
      );
    await release(services, trx, sync, storage, { message });
  });
}

/** Saves nothing if another process has taken over. Its result counts. */
async function unlessLost(
  { db }: FinishNeeds,
  save: (trx: Knex.Transaction) => Promise<void>,
): Promise<void> {
  try {
    await db.write.transaction(save);
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
  }
}

/** Releases the lease of a storage whose type is disabled. The next turn is the hourly one. */
export const skipSync = async ({ db }: FinishNeeds, sync: FolderSync): Promise<void> =>
  void (await leased(FolderSync, db.write, sync).patch({ leaseUntil: null, leaseToken: null }));

/** Gives the row back without a result. Another process begins at once. */
export const returnSync = async ({ db, clock }: FinishNeeds, sync: FolderSync): Promise<void> =>
  void (await leased(FolderSync, db.write, sync).patch({
    leaseUntil: null,
    leaseToken: null,
    dueAt: clock().toISOString(),
  }));

/**
 * Ends a synchronisation that failed as a whole. If the storage asked to wait, nobody takes the row
 * until then, also if changes come. It counts as failed only when that happened several times.
 * @returns whether it counts as failed
 */
export async function endSync(
  services: FinishNeeds,
  sync: FolderSync,
  failed: SyncFailed,
): Promise<boolean> {
  const { waitMs } = failed;
  const { db } = services;
  const failures = sync.failures + 1;
  const counts = waitMs === undefined || failures >= REPORTED_AFTER;
  if (counts) await failSync(services, sync, failed);
  if (waitMs === undefined) return counts;
  const leaseUntil = new Date(services.clock().getTime() + waitMs).toISOString();
  await (counts
    ? leased(FolderSync, db.write, { id: sync.id, leaseToken: null }).patch({ leaseUntil })
    : leased(FolderSync, db.write, sync).patch({ leaseUntil, leaseToken: null, failures }));
  return counts;
}

async function saveStates(
  trx: Knex,
  { storage, wanted, applied }: SyncResult,
  now: Date,
): Promise<void> {
  if (!applied) return;
  // Folders of other modes and of archived projects are hidden now. They have no rights left.
  await ProjectStorage.query(trx)
    .patch({ folderDigest: null })
    .where('storage_id', storage.id)
    .whereNotNull('folder_digest')
    .whereNot('project_folder_mode', ProjectFolderMode.AUTOMATIC);
  await ProjectStorage.query(trx)
    .patch({ folderDigest: null, folderState: ProjectFolderState.INACTIVE, folderMessage: null })
    .where({ storage_id: storage.id, project_folder_mode: ProjectFolderMode.AUTOMATIC })
    .whereIn('project_id', Project.query(trx).select('id').where('active', false))
    .where(
      (differs) =>
        void differs
          .whereNull('folder_state')
          .orWhereNot('folder_state', ProjectFolderState.INACTIVE),
    );
  for (const { key, rights } of wanted.folders) {
    const before = wanted.stored.get(key);
    const failure = applied.failed.get(key);
    const notes = [
      ...[...rights.keys()].flatMap((person) => applied.refused.get(person) ?? []),
      ...(wanted.notes.get(key) ?? []),
    ];
    const message = failure ?? ([...new Set(notes)].join(' ') || null);
    const state = failure === undefined ? ProjectFolderState.READY : ProjectFolderState.FAILED;
    const digest = failure === undefined ? (wanted.digests.get(key) ?? null) : null;
    const isSame =
      before?.state === state && before.message === message && before.digest === digest;
    if (isSame && !applied.changed.has(key)) continue;
    await ProjectStorage.query(trx)
      .patch({
        folderState: state,
        folderMessage: message,
        folderDigest: digest,
        folderUpdatedAt: now.toISOString(),
      })
      .where({ id: key, project_folder_mode: ProjectFolderMode.AUTOMATIC });
  }
}

function unknownPeople(
  { unknownPeople: before }: FolderSync,
  refused: ReadonlyMap<string, string>,
  now: Date,
): FolderSync['unknownPeople'] {
  const since = new Date(now.getTime() - ASK_AGAIN_MS).toISOString();
  const kept = Object.entries(before).filter(([, { at }]) => at > since);
  const added = [...refused].map(
    ([person, message]) => [person, { at: now.toISOString(), message }] as const,
  );
  return Object.fromEntries([...kept, ...added]);
}

/** @returns false if a change came meanwhile: then the row stays */
async function forget(trx: Knex, sync: FolderSync, now: Date) {
  const deleted = await leased(FolderSync, trx, sync)
    .delete()
    .where('due_at', sync.dueAt)
    .where('due_at', '>', now.toISOString());
  return deleted > 0;
}

async function release(
  services: FinishNeeds,
  trx: Knex,
  sync: FolderSync,
  storage: Storage,
  {
    message,
    unknownPeople: people,
    ...columns
  }: { message: string | undefined } & Partial<Pick<FolderSync, 'hiddenFolders' | 'unknownPeople'>>,
): Promise<void> {
  const { db, clock, log } = services;
  const now = clock();
  const failures = message === undefined ? 0 : sync.failures + 1;
  const isReported = message !== undefined && (sync.reported || failures >= REPORTED_AFTER);
  const released = await leased(FolderSync, trx, sync).patch({
    ...columns,
    failures,
    reported: isReported,
    leaseUntil: null,
    leaseToken: null,
    updatedAt: now.toISOString(),
  });
  if (released === 0) throw new LeaseLost();
  // If somebody connected meanwhile, all are asked for again.
  if (people)
    await FolderSync.query(trx)
      .patch({ unknownPeople: people })
      .where({ id: sync.id, due_at: sync.dueAt });
  if (message !== undefined) {
    const wait = Math.min(FIRST_REPEAT_MS * 3 ** (failures - 1), REPEAT_MS);
    const again = new Date(now.getTime() + wait).toISOString();
    await FolderSync.query(trx)
      .patch({ dueAt: again })
      .where('id', sync.id)
      .where('due_at', '>', again);
    log.warn({ storage: storage.id, failures, reason: message }, 'folders are not in step');
  }
  if (sync.reported && !isReported) log.info({ storage: storage.id }, 'folders are in step again');
  if (isReported !== sync.reported)
    await recordEvents(
      db,
      trx,
      [
        {
          kind: isReported ? StorageEvent.FOLDERS_FAILED : StorageEvent.FOLDERS_RECOVERED,
          storage,
          message: message ?? null,
        },
      ],
      now.toISOString(),
    );
}
