/** Finds the columns of imported work packages besides their subject. */
import { WorkPackage } from '../../../models/work-package.js';
import { NO_ID, type ImportJob, type ValidRow } from './job.js';
import type { ContainerRow } from './rows.js';
import type { Values } from './write.js';

type Rows = readonly ValidRow<ContainerRow>[];

/**
 * Names that are not known make their rows bad. Assignees need not be members: the host application
 * decides that.
 * @returns the columns of each row, and those of new rows that do not name them
 */
export async function detailsOfWorkPackages(
  job: ImportJob,
  rows: Rows,
): Promise<{ columns: Values[]; defaults: Values }> {
  const [assignees, responsible] = [
    await peopleOf(job, rows, 'assignee'),
    await peopleOf(job, rows, 'responsible'),
  ];
  const columns = rows.map(({ path, row }, index) => ({
    search_text: WorkPackage.searchTextOf({ subject: row.subject ?? '' }),
    description_text: row.description,
    status_id: detailKey(job, `${path}.status`, job.statusIds, row.status),
    type_id: detailKey(job, `${path}.type`, job.typeIds, row.type),
    assignee_id: assignees[index],
    responsible_id: responsible[index],
  }));
  return {
    columns,
    defaults: {
      status_id: await defaultOf(job, 'statuses'),
      type_id: await defaultOf(job, 'types'),
    },
  };
}

async function peopleOf(
  job: ImportJob,
  rows: Rows,
  member: 'assignee' | 'responsible',
): Promise<(number | null | undefined)[]> {
  const named = rows.flatMap(({ path, row }, index) => {
    const login = row[member];
    return typeof login === 'string' ? [{ path, login, index }] : [];
  });
  const found = new Map(
    (await job.withUserIds(named, member, ({ login }) => login)).map(({ index, userId }) => [
      index,
      userId,
    ]),
  );
  return rows.map(({ row }, index) => (row[member] === null ? null : found.get(index)));
}

function detailKey(
  job: ImportJob,
  path: string,
  ids: ReadonlyMap<string, number>,
  name: string | undefined,
): number | undefined {
  if (name === undefined) return undefined;
  const id = ids.get(name);
  if (id === undefined) job.reject(path, `nothing is named ${JSON.stringify(name)}`);
  return id ?? NO_ID;
}

async function defaultOf({ trx }: ImportJob, table: string): Promise<number | undefined> {
  const [row] = (await trx(table)
    .select('id')
    .orderBy('is_default', 'desc')
    .orderBy('position')
    .limit(1)) as { id: number }[];
  return row?.id;
}
