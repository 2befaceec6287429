/** Lists the storages of projects by filters. */
import type { QueryBuilder } from 'objection';
import type { Context } from '../../../context.js';
import { InvalidQuery } from '../../../contract/errors.js';
import { ProjectStorage } from '../../../models/project-storage.js';
import { Storage } from '../../../models/storage.js';
import { visible } from '../../../policies/visible.js';
import { whereReachable } from '../../../policies/sql-conditions.js';
import { storageUrlKey } from '../../../outbound/address.js';

/**
 * Each filter is a list of alternatives. An absent filter is not applied.
 * `undefined` in a list of ids is a value that cannot be an id, so it matches no row.
 */
interface ProjectStorageFilters {
  projectIds?: readonly (number | undefined)[] | undefined;
  storageIds?: readonly (number | undefined)[] | undefined;
  storageUrls?: readonly string[] | undefined;
}

const MAX_VALUES = 1_000;

/**
 * Limits the values of a filter, because databases limit the values in one statement.
 * @throws InvalidQuery
 */
export function demandFew(values: readonly unknown[] | null | undefined, attribute: string): void {
  if (values && values.length > MAX_VALUES)
    throw new InvalidQuery(`A filter takes ${MAX_VALUES} values at most.`, attribute);
}

/**
 * @returns a function that makes a new query for the rows visible to the caller
 * @throws InvalidQuery for a project that does not exist or is not visible
 */
export async function projectStorageQuery(
  { user, db }: Context,
  { projectIds, storageIds, storageUrls }: ProjectStorageFilters,
): Promise<() => QueryBuilder<ProjectStorage>> {
  for (const values of [projectIds, storageIds, storageUrls]) demandFew(values, 'filters');
  if (projectIds) {
    const known = await visible
      .projects(user, db.read)
      .whereIn(
        'projects.id',
        projectIds.filter((id) => id !== undefined),
      )
      .resultSize();
    if (known !== new Set(projectIds).size)
      throw new InvalidQuery('Filter projectId has a value that is no project.', 'filters');
  }
  const keys = storageUrls?.map((url) => storageUrlKey(url));
  const storagesAtUrls =
    keys && (await Storage.query(db.read).select('id').whereIn('origin_key', keys));
  return () => {
    const rows = whereReachable(
      visible.projectStorages(user, db.read),
      'project_storages.project_id',
      user,
    );
    if (projectIds)
      rows.whereIn(
        'project_storages.project_id',
        projectIds.filter((id) => id !== undefined),
      );
    if (storageIds)
      rows.whereIn(
        'project_storages.storage_id',
        storageIds.filter((id) => id !== undefined),
      );
    if (storagesAtUrls)
      rows.whereIn(
        'project_storages.storage_id',
        storagesAtUrls.map(({ id }) => id),
      );
    return rows;
  };
}
