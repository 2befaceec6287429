/** Tries every storage from time to time. */
import { makeContext, type Services } from '../../../context.js';
import { Storage } from '../../../models/storage.js';
import { SYSTEM_LOGIN, User } from '../../../models/user.js';
import { later } from '../../base/leases/queue.js';
import { isConfigured } from '../../storages/access/is-configured.js';
import { isSwitchedOff } from '../../storages/access/switched-off.js';
import { tryStorage } from '../../storages/settings/check-storage-health.js';

/** Between two trials of a storage, by all processes together. */
const PAUSE_MS = 300_000;

export async function tryStorages(services: Services, signal: AbortSignal): Promise<void> {
  const { db } = services;
  const user = await User.query(db.read).findOne({ login: SYSTEM_LOGIN }).throwIfNotFound();
  for (const { id } of await dueStorages(services)) {
    if (signal.aborted) return;
    const storage = await takeStorage(services, id);
    if (!storage) continue;
    const context = makeContext(services, user);
    if (!isSwitchedOff(context, storage.type) && (await isConfigured(context, storage)))
      await tryStorage(context, storage);
    else await Storage.query(db.write).findById(storage.id).patch({ failingSince: null });
  }
}

const DUE = 'coalesce(tried_at, updated_at) <= ?';
const before = ({ clock }: Services): string => later(clock(), -PAUSE_MS);

const dueStorages = async (services: Services): Promise<Storage[]> =>
  await Storage.query(services.db.read)
    .select('id')
    .whereRaw(DUE, [before(services)])
    .orderBy('id');

/** @returns undefined if another process tries it */
async function takeStorage(services: Services, id: number): Promise<Storage | undefined> {
  const [taken] = await Storage.query(services.db.write)
    .patch({ triedAt: services.clock().toISOString() })
    .where({ id })
    .whereRaw(DUE, [before(services)])
    .returning('*');
  return taken;
}
