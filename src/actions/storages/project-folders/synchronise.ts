/** Synchronises the folders of all projects in one storage: read, plan, apply. */
import type { Knex } from 'knex';
import { makeContext, type Context, type Services } from '../../../context.js';
import { chunks } from '../../../database/batches.js';
import { FolderSync } from '../../../models/folder-sync.js';
import { ProjectFolderMode, ProjectStorage } from '../../../models/project-storage.js';
import { Storage } from '../../../models/storage.js';
import { SYSTEM_LOGIN, User } from '../../../models/user.js';
import { storageTypes } from '../../../storages/types.js';
import { adapterFor } from '../../../storages/index.js';
import {
  FoldersUnavailable,
  type FolderPlan,
  type FolderStep,
  type ManagedFolders,
} from '../../../storages/managed-folders.js';
import { LeaseLost } from '../../base/leases/lease.js';
import { leased } from '../../base/leases/queue.js';
import { applyPlan, type Applied } from './apply-plan.js';
import { failureMessage, NEEDS } from './failure-message.js';
import { folderAccess } from './folder-access.js';
import { Postponed } from './postponed.js';
import { wantedFolders, type WantedState } from './wanted-folders.js';

interface SyncOptions {
  signal: AbortSignal;
  /** Plans only. */
  dryRun?: boolean;
  /** Called after each step. */
  progress?: (step: FolderStep, done: number, all: number) => void;
}

export interface SyncResult {
  storage: Storage;
  plan: FolderPlan;
  wanted: WantedState;
  /** Absent in a dry run. */
  applied?: Applied;
}

/** The synchronisation failed as a whole. The message says what to do. */
export class SyncFailed extends Error {
  constructor(
    readonly storage: Storage,
    message: string,
    cause: unknown,
  ) {
    super(message, { cause });
    this.name = 'SyncFailed';
  }

  /** How long the storage asked to wait, if that ended the synchronisation. */
  get waitMs(): number | undefined {
    return this.cause instanceof Postponed ? this.cause.ms : undefined;
  }
}

/**
 * Begins at the start each time, so it can be repeated after a crash.
 * @returns undefined if the storage is gone or its type is disabled
 * @throws SyncFailed, LeaseLost
 */
export async function synchronise(
  services: Services,
  sync: FolderSync,
  options: SyncOptions,
): Promise<SyncResult | undefined> {
  const { db } = services;
  const storage = await Storage.query(db.read).findById(sync.storageId);
  if (!storage) return undefined;
  const { enabledBy } = storageTypes[storage.type];
  const { folders } = adapterFor(storage.type);
  if (!folders || (enabledBy && !services.settings[enabledBy.setting])) return undefined;
  const user = await User.query(db.read).findOne({ login: SYSTEM_LOGIN }).throwIfNotFound();
  const context = makeContext(services, user, {
    log: services.log.child({ storage: storage.id, job: 'folders' }),
  });
  try {
    return await run(context, storage, sync, folders, options);
  } catch (error) {
    if (options.signal.aborted) throw error;
    const message = failureMessage(error);
    if (message === undefined) throw error;
    throw new SyncFailed(storage, message, error);
  }
}

async function run(
  context: Context,
  storage: Storage,
  sync: FolderSync,
  folders: ManagedFolders,
  { signal, dryRun = false, progress }: SyncOptions,
): Promise<SyncResult> {
  const wanted = await wantedFolders(context, storage, folders, sync);
  if (!storage.canManageFolders) {
    if (wanted.folders.length > 0) throw new FoldersUnavailable(NEEDS[neededBy(storage)]);
    return { storage, wanted, plan: NOTHING };
  }
  const access = await folderAccess(context, storage, folders, {
    signal,
    canPostpone: !dryRun,
  });
  const found = await folders.read(access, wanted);
  const plan = folders.plan(wanted, found);
  if (dryRun) return { storage, wanted, plan };
  await rememberForeign(context, sync, plan);
  await forgetApplied(context, sync, wanted, plan);
  const all = plan.phases.flat().length;
  let done = 0;
  const applied = await applyPlan(plan, {
    access,
    folders,
    making: (key, name) => storeName(context, sync, key, name),
    made: (key, id) => storeId(context, sync, key, id),
    performed(step, outcome) {
      context.metrics.folderStep(step.kind, outcome);
      done += 1;
      progress?.(step, done, all);
    },
  });
  return { storage, wanted, plan, applied };
}

/** Once they are hidden, they look like folders that the service made. */
async function rememberForeign(
  { db }: Context,
  { id, foreignFolders }: FolderSync,
  { foreign }: FolderPlan,
): Promise<void> {
  if (foreign.join() === foreignFolders.join()) return;
  await FolderSync.query(db.write).patch({ foreignFolders: foreign }).where({ id });
}

/**
 * Until the result is saved, nobody knows which rights the folders of the plan have. A crash must
 * not leave a digest of rights that are no longer there.
 */
async function forgetApplied(
  { db }: Context,
  { id, storageId, hiddenFolders }: FolderSync,
  { folders }: WantedState,
  { phases, hidden }: FolderPlan,
): Promise<void> {
  const keys = [...new Set(phases.flat().flatMap(({ key }) => key ?? []))];
  const ids = new Set(folders.map((folder) => folder.id));
  const kept = hiddenFolders.filter((folder) => !ids.has(folder));
  await db.write.transaction(async (trx) => {
    for (const some of chunks(keys))
      await ProjectStorage.query(trx).patch({ folderDigest: null }).whereIn('id', some);
    for (const some of chunks(hidden))
      await ProjectStorage.query(trx)
        .patch({ folderDigest: null })
        .where('storage_id', storageId)
        .whereIn('managed_folder_id', some)
        .whereNotNull('folder_digest');
    if (kept.length < hiddenFolders.length)
      await FolderSync.query(trx).patch({ hiddenFolders: kept }).where({ id });
  });
}

const NOTHING: FolderPlan = {
  phases: [],
  problems: [],
  unexpected: [],
  hidden: [],
  foreign: [],
};

const neededBy = ({ type }: Storage) => storageTypes[type].foldersNeed ?? 'applicationPassword';
async function storeName(
  { db }: Context,
  sync: FolderSync,
  id: number,
  folderMaking: string | null,
): Promise<void> {
  await db.write.transaction(async (trx) => {
    await demandLease(trx, sync);
    await ProjectStorage.query(trx).patch({ folderMaking }).where({ id });
  });
}

async function storeId(
  { db, clock }: Context,
  sync: FolderSync,
  id: number,
  folderId: string,
): Promise<void> {
  await db.write.transaction(async (trx) => {
    await demandLease(trx, sync);
    await ProjectStorage.query(trx)
      .patch({ managedFolderId: folderId, folderMaking: null })
      .where({ id });
    // The mode may have changed meanwhile. Then the visible id belongs to the other mode.
    await ProjectStorage.query(trx)
      .patch({ projectFolderId: folderId, updatedAt: clock().toISOString() })
      .where({ id, project_folder_mode: ProjectFolderMode.AUTOMATIC });
  });
}

/**
 * A process that stood still for long may have lost its lease and not know it yet.
 * @throws LeaseLost
 */
async function demandLease(trx: Knex, sync: FolderSync): Promise<void> {
  if ((await leased(FolderSync, trx, sync).resultSize()) === 0) throw new LeaseLost();
}
