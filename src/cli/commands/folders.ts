/** `moorage folders sync [STORAGE] [--dry-run]` */
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireSyncOf, holdSync } from '../../actions/base/project-folder-queue/acquire-sync.js';
import { LeaseLost } from '../../actions/base/leases/lease.js';
import {
  endSync,
  finishSync,
  skipSync,
} from '../../actions/storages/project-folders/finish-sync.js';
import { stepText } from '../../actions/storages/project-folders/step-text.js';
import {
  SyncFailed,
  synchronise,
  type SyncResult,
} from '../../actions/storages/project-folders/synchronise.js';
import type { Services } from '../../context.js';
import { FolderSync } from '../../models/folder-sync.js';
import { Storage } from '../../models/storage.js';
import type { Run } from '../command.js';
import { print } from '../output.js';
import { progressOn, type Progress } from '../progress.js';
import { withMigratedServices } from '../up-to-date.js';

/** Interval of the attempts to get a storage that another process is synchronising. */
const AGAIN_MS = 1_000;

interface Report {
  storage: { id: number; name: string };
  steps: string[];
  problems: string[];
  /** What the storage said of people, where nothing is left to do here. */
  notes: string[];
  /** Folders that no project has. */
  unexpected: string[];
}

export const syncFoldersCommand: Run<{ dryRun?: true }> = async (
  { dryRun = false, json },
  named,
) => {
  await withMigratedServices(async (services) => {
    const progress = progressOn(process.stderr);
    const reports: Report[] = [];
    for (const storage of await storagesNamed(services, named)) {
      reports.push(
        await (dryRun ? planOne(services, storage) : synchroniseOne(services, storage, progress)),
      );
    }
    progress.clear();
    print(json, reports, () =>
      reports.length === 0
        ? 'No storage has project folders to manage.'
        : reports.map((report) => textOf(report, dryRun)).join('\n'),
    );
    if (reports.some(({ problems }) => problems.length > 0))
      throw new Error('Not everything is in step.');
  });
};

/** @param named id or name of a storage; absent: all that have folders to manage */
async function storagesNamed({ db }: Services, named: string | undefined): Promise<Storage[]> {
  const managed = Storage.query(db.read)
    .whereIn('id', FolderSync.query(db.read).select('storage_id'))
    .orderBy('id');
  if (named === undefined) return managed;
  const found = await managed.where(
    (one) => void one.where('name', named).orWhereRaw('cast(id as varchar(20)) = ?', [named]),
  );
  if (found.length === 0)
    throw new Error(`No storage ${JSON.stringify(named)} has folders that the service manages.`);
  return found;
}

async function planOne(services: Services, storage: Storage): Promise<Report> {
  const row = await FolderSync.query(services.db.read)
    .findOne('storage_id', storage.id)
    .throwIfNotFound();
  const result = await synchronise(services, row, {
    dryRun: true,
    signal: new AbortController().signal,
  }).catch(failureOf);
  return reportOf(storage, result);
}

async function synchroniseOne(
  services: Services,
  storage: Storage,
  progress: Progress,
): Promise<Report> {
  for (;;) {
    const row = await acquire(services, storage, progress);
    if (!row) return reportOf(storage, undefined);
    const report = await synchroniseRow(services, storage, row, progress);
    if (report) return report;
  }
}

/** @returns undefined if it must begin again */
async function synchroniseRow(
  services: Services,
  storage: Storage,
  row: FolderSync,
  progress: Progress,
): Promise<Report | undefined> {
  const lease = holdSync(services, row, new AbortController().signal);
  try {
    const result = await synchronise(services, row, {
      signal: lease.signal,
      progress: (step, done, all) =>
        progress.show(`${storage.name}: ${done} of ${all}: ${stepText(step)}`),
    }).catch(failureOf);
    if (!result) await skipSync(services, row);
    else if (!(result instanceof SyncFailed)) await finishSync(services, row, result);
    else if (!(await endSync(services, row, result))) return undefined;
    return reportOf(storage, result);
  } catch (error) {
    if (error instanceof LeaseLost) return undefined;
    throw error;
  } finally {
    lease.stop();
  }
}

/** Other errors are the service's own. The lease runs out by itself then. */
function failureOf(error: unknown): SyncFailed {
  if (error instanceof SyncFailed) return error;
  throw error;
}

function reportOf({ id, name }: Storage, result: SyncResult | SyncFailed | undefined): Report {
  const storage = { id, name };
  if (!result || result instanceof SyncFailed)
    return {
      storage,
      steps: [],
      problems: result ? [result.message] : [],
      notes: [],
      unexpected: [],
    };
  const { plan, applied, wanted } = result;
  const names = new Map(wanted.folders.map((folder) => [folder.key, folder.name]));
  const failed = applied
    ? [...applied.failed]
    : plan.problems.map(({ key, message }) => [key, message] as const);
  return {
    storage,
    steps: plan.phases.flat().map(stepText),
    problems: [
      ...failed.map(([key, message]) => `${JSON.stringify(names.get(key))}: ${message}`),
      ...(applied?.others ?? []),
    ],
    notes: applied?.notes ?? [],
    unexpected: plan.unexpected,
  };
}

/** @returns undefined if nothing is left to manage */
async function acquire(
  services: Services,
  storage: Storage,
  progress: Progress,
): Promise<FolderSync | undefined> {
  for (;;) {
    const row = await acquireSyncOf(services, storage.id);
    if (row) return row;
    const known = await FolderSync.query(services.db.read).findOne('storage_id', storage.id);
    if (!known) return undefined;
    progress.show(`${storage.name}: waiting for the storage or another process …`);
    await sleep(AGAIN_MS);
  }
}

function textOf({ storage, steps, problems, notes, unexpected }: Report, dryRun: boolean): string {
  const heading = `${storage.name}: ${steps.length} ${steps.length === 1 ? 'change' : 'changes'}`;
  return [
    dryRun ? `${heading} to make` : heading,
    ...steps.map((step) => `  ${step}`),
    ...unexpected.map((name) => `  no project has the folder ${JSON.stringify(name)}`),
    ...notes.map((message) => `  note: ${message}`),
    ...problems.map((message) => `  FAILED: ${message}`),
  ].join('\n');
}
