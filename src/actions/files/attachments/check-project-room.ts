/** Limits the storage that the files of a project use. */
import type { Knex } from 'knex';
import type { Context } from '../../../context.js';
import { PropertyConstraintViolation } from '../../../contract/errors.js';
import type { Database } from '../../../database/index.js';
import { Project } from '../../../models/project.js';
import { usageOf, usageRows } from '../../../models/storage-usage.js';

interface Room {
  quota: number;
  /** Bytes of all files, without those that the transaction adds. */
  used: number;
}

/**
 * Call it in the transaction after its attachments are written and its containers are locked. It
 * locks the project, so that two requests cannot both use the last of the quota.
 * @param adding bytes that the transaction has added to the project
 * @returns undefined if the project has no quota
 */
export async function roomOfProject(
  db: Database,
  trx: Knex,
  projectId: number | null | undefined,
  adding: number,
): Promise<Room | undefined> {
  if (projectId === null || projectId === undefined) return undefined;
  const [limited] = await db.lockRows(
    Project.query(trx)
      .select('storage_quota')
      .where({ id: projectId })
      .whereNotNull('storage_quota'),
  );
  if (!limited || limited.storageQuota === null) return undefined;
  const { bytes } = usageOf(await usageRows(trx).where({ project_id: projectId }));
  return { quota: limited.storageQuota, used: bytes - adding };
}

/**
 * What adds nothing is never refused, even if the quota is used up.
 * @throws PropertyConstraintViolation
 */
export async function checkProjectRoom(
  { db }: Pick<Context, 'db'>,
  trx: Knex,
  projectId: number | null | undefined,
  adding: number,
): Promise<void> {
  const room = adding > 0 ? await roomOfProject(db, trx, projectId, adding) : undefined;
  if (room && room.used + adding > room.quota) throw projectFull(room, `${adding}`);
}

export const bytesOf = (files: readonly { fileSize: number }[]): number =>
  files.reduce((sum, { fileSize }) => sum + fileSize, 0);

/** As SQL. It needs the value `project`. */
export const HAS_QUOTA =
  'exists (select 1 from projects where id = :project and storage_quota is not null)';

/** For a file of which only a part has arrived, or whose size is not exactly known. */
export const projectFullAtLeast = (room: Room, needed: number) =>
  projectFull(room, `at least ${needed}`);

const projectFull = ({ quota, used }: Room, needed: string) =>
  new PropertyConstraintViolation(
    `The project has no room for it: ${quota} Bytes are allowed, ${used} are used, ` +
      `${needed} are needed. Delete files there, or ask an administrator for more room.`,
    'fileSize',
  );
