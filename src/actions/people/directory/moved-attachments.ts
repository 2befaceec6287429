/** Keeps the projects of attachments, when an import moves containers to other projects. */
import type { Knex } from 'knex';
import { columnOf, containerTypes, type ContainerType } from '../../../contract/container-kinds.js';
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

/**
 * Call it after the import. A file that arrived meanwhile has the project that its container had
 * when its upload began.
 */
export async function correctProjects(knex: Knex): Promise<void> {
  for (const type of containerTypes) await keepProjects(knex, type);
}

/** @param containers undefined for all */
async function keepProjects(
  trx: Knex,
  type: ContainerType,
  containers?: number[] | Knex.QueryBuilder,
): Promise<void> {
  const project = projectOf(type);
  const column = columnOf(type);
  const rows = trx('attachments');
  const moved = (await (
    containers ? rows.whereIn(column, containers as number[]) : rows.whereNotNull(column)
  )
    .whereRaw(`project_id <> ${project}`)
    .orderBy('id')
    .pluck('id')) as number[];
  for (const batch of chunks(moved))
    await trx('attachments')
      .whereIn('id', batch)
      .update({ project_id: trx.raw(project) });
}
