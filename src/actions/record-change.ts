/** What happened to a container's attachments: an activity on a work package, a touch on every other kind (decisions 6). */
import type { Knex } from 'knex';
import { Activity, ActivityKind, type Change } from '../models/activity.js';
import type { ContainerType } from '../models/container.js';
import { born } from '../models/record.js';
import { SYSTEM_LOGIN, User } from '../models/user.js';
import { containers } from '../policies/permissions.js';

export async function recordChange(trx: Knex, container: { type: ContainerType; id: number }, authorId: number, changes: Change[], now: string): Promise<void> {
  if (changes.length === 0) return;
  if (container.type === 'WorkPackage') {
    await Activity.query(trx).insert({ workPackageId: container.id, authorId, kind: ActivityKind.system, commentText: '', internal: false, changes, ...born(now) });
  }
  await containers[container.type].model.query(trx).findById(container.id).patch({ updatedAt: now });
}

/** The author of what the service itself records. */
export const systemUserId = async (trx: Knex): Promise<number> => (await User.query(trx).select('id').findOne({ login: SYSTEM_LOGIN }).throwIfNotFound()).id;
