/** Counts anew what the files of projects use. Safe to run beside any servers. */
import type { Services } from '../../../context.js';
import { columnOf, containerTypes, type ContainerType } from '../../../contract/container-kinds.js';
import { USAGE, USAGE_CHANGES, type UsageRow } from '../../../models/storage-usage.js';

/** A sum that was wrong, and is right now. */
export interface WrongUsage {
  problem: 'usage';
  projectId: number;
  kind: ContainerType;
  /** What was missing in the sum; below 0 if it was too large. */
  bytes: number;
  files: number;
}

const KIND = `case ${containerTypes
  .map((type) => `when ${columnOf(type)} is not null then '${type}'`)
  .join(' ')} end`;

/** One statement sees all tables as they are at one moment, and writes the difference as a change. */
const RECOUNT =
  `insert into ${USAGE_CHANGES} (project_id, kind, bytes, files)` +
  ` select project_id, kind, sum(bytes), sum(files) from (` +
  `select project_id, ${KIND} as kind, file_size as bytes, 1 as files from attachments` +
  ` where project_id is not null and phase <> 'deleting'` +
  ` union all select project_id, kind, -bytes, -files from ${USAGE}` +
  ` union all select project_id, kind, -bytes, -files from ${USAGE_CHANGES}) as counted` +
  ` where kind is not null group by project_id, kind having sum(bytes) <> 0 or sum(files) <> 0` +
  ` returning project_id, kind, bytes, files`;

export async function recountUsage({ db }: Pick<Services, 'db'>): Promise<WrongUsage[]> {
  const done = await db.write.raw<UsageRow[] | { rows: UsageRow[] }>(RECOUNT);
  return (Array.isArray(done) ? done : done.rows).map(({ project_id, ...wrong }) => ({
    problem: 'usage',
    projectId: project_id,
    ...wrong,
  }));
}
