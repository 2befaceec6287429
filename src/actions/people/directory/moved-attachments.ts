/** Keeps the projects of attachments, when an import moves containers to other projects. */
import type { Knex } from 'knex';
import { columnOf, type ContainerType } from '../../../contract/container-kinds.js';
import { chunks } from '../../../database/batches.js';
import { projectOf } from '../../../models/attachment-project.js';

/** Call it after containers were written. The files of a work package's comments move too. */
export async function moveAttachmentsOf(
  trx: Knex,
  type: ContainerType,
  ids: readonly number[],
): Promise<void> {
  await keepProjects(trx, type, [...ids]);
  if (type === 'WorkPackage')
    await keepProjects(
      trx,
      'Activity',
      trx('activities').select('id').whereIn('work_package_id', ids),
    );
}

async function keepProjects(
  trx: Knex,
  type: ContainerType,
  containers: number[] | Knex.QueryBuilder,
): Promise<void> {
  const project = projectOf(type);
  const moved = (await trx('attachments')
    .whereIn(columnOf(type), containers as number[])
    .whereRaw(`project_id <> ${project}`)
    .orderBy('id')
    .pluck('id')) as number[];
  for (const batch of chunks(moved))
    await trx('attachments')
      .whereIn('id', batch)
      .update({ project_id: trx.raw(project) });
}
