/** Unclaimed file links become a work package's own (interface 1, facts 4.2). */
import type { Knex } from 'knex';
import type { Context } from '../context.js';
import { PropertyConstraintViolation } from '../errors.js';
import type { Change } from '../models/activity.js';
import { FileLink } from '../models/file-link.js';
import { can } from '../policies/can.js';

export interface FileLinkClaim {
  workPackage: { id: number; projectId: number };
  /** The links that the request names; undefined ones never existed. */
  named: readonly (number | undefined)[];
  /** The named ones are the complete new set: the others of the work package are removed. */
  replace: boolean;
}

const MISSING = 'File links does not exist.';
const NOT_LINKED = 'Storage is not linked to project.';

/**
 * Claims within the transaction that creates or changes the work package. Both claiming and removing need the permission to manage
 * file links in its project.
 * @returns what happened, for the record
 * @throws PropertyConstraintViolation on `fileLinks`, before anything is written
 */
export async function claimFileLinks(context: Context, trx: Knex, { workPackage, named, replace }: FileLinkClaim): Promise<Change[]> {
  const { db, user, clock } = context;
  const refuse = (message: string) => new PropertyConstraintViolation(message, 'fileLinks');
  const ids = [...new Set(named)];
  const rows = await db.lockRows(FileLink.query(trx).whereIn('id', ids.filter((id) => id !== undefined)).orderBy('id')) as FileLink[];
  const known = rows.filter((row) => (row.workPackageId === null ? !user.anonymous && row.creatorId === user.id : row.workPackageId === workPackage.id));
  if (known.length < ids.length) throw refuse(MISSING);
  const claimed = known.filter((row) => row.workPackageId === null);
  const others = replace ? await db.lockRows(FileLink.query(trx).where('work_package_id', workPackage.id).whereNotIn('id', known.map(({ id }) => id)).orderBy('id')) as FileLink[] : [];
  if (claimed.length + others.length > 0 && !(await can.manageFileLinks(context, workPackage.projectId))) throw refuse('File links cannot be changed.');
  const used = await trx('project_storages').where('project_id', workPackage.projectId).pluck('storage_id') as number[];
  if (claimed.some(({ storageId }) => !used.includes(storageId))) throw refuse(NOT_LINKED);
  // One that the work package has already is not needed twice.
  const present = new Set((await FileLink.query(trx).where('work_package_id', workPackage.id)).map(keyOf));
  for (const link of claimed) {
    if (present.has(keyOf(link))) await FileLink.query(trx).deleteById(link.id);
    else await FileLink.query(trx).findById(link.id).patch({ workPackageId: workPackage.id, expiresAt: null, updatedAt: clock().toISOString() });
    present.add(keyOf(link));
  }
  if (others.length > 0) await FileLink.query(trx).delete().whereIn('id', others.map(({ id }) => id));
  return [
    ...claimed.map(({ originName }): Change => ({ action: 'fileLinkAdded', fileName: originName })),
    ...others.map(({ originName }): Change => ({ action: 'fileLinkRemoved', fileName: originName })),
  ];
}

const keyOf = ({ storageId, originId }: FileLink): string => `${storageId} ${originId}`;
