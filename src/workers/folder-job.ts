/** Synchronises the folders of projects in one storage, and saves the result. */
import { LeaseLost } from '../actions/base/leases/lease.js';
import { holdSync } from '../actions/base/project-folder-queue/acquire-sync.js';
import {
  endSync,
  finishSync,
  returnSync,
  skipSync,
} from '../actions/storages/project-folders/finish-sync.js';
import { SyncFailed, synchronise } from '../actions/storages/project-folders/synchronise.js';
import type { Services } from '../context.js';
import type { FolderSync } from '../models/folder-sync.js';

/** @param row leased to the caller */
export async function synchroniseFolders(
  services: Services,
  row: FolderSync,
  stopping: AbortSignal,
): Promise<void> {
  const began = performance.now();
  const lease = holdSync(services, row, stopping);
  const count = (outcome: 'ok' | 'failed') =>
    services.metrics.foldersSynchronised(outcome, (performance.now() - began) / 1000);
  try {
    const result = await synchronise(services, row, { signal: lease.signal });
    if (!result) return await skipSync(services, row);
    count((await finishSync(services, row, result)) ? 'ok' : 'failed');
  } catch (error) {
    if (lease.signal.aborted || error instanceof LeaseLost) return await returnSync(services, row);
    if (!(error instanceof SyncFailed)) {
      count('failed');
      throw error;
    }
    if (error.waitMs !== undefined)
      services.log.info({ storage: row.storageId, ms: error.waitMs }, 'a storage asked to wait');
    if (await endSync(services, row, error)) count('failed');
  } finally {
    lease.stop();
  }
}
