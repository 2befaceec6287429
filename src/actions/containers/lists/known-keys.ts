/** Checks the ids in the filter of a list. */
import { InvalidQuery } from '../../../contract/errors.js';
import type { TextFilter } from '../../../lists/conditions.js';
import { demandFew } from '../../storages/projects/list-project-storages.js';

/** `undefined` in a list of ids is a value that cannot be an id. */
export type Ids = readonly (number | undefined)[] | null | undefined;

/** A query builder of a model. */
export interface Rows {
  whereIn(column: string, ids: readonly number[]): { resultSize(): Promise<number> };
  modelClass(): { tableName: string };
}

/**
 * @param filter the name in the message
 * @param rows those that the filter may name
 * @returns the ids, each once; undefined without a filter
 * @throws InvalidQuery unless all of them may be named
 */
export async function knownKeys(
  filter: string,
  rows: Rows,
  given: Ids,
): Promise<number[] | undefined> {
  if (given === null || given === undefined) return undefined;
  demandFew(given, 'filters');
  const ids = [...new Set(given)].filter((id) => id !== undefined);
  const found =
    ids.length === 0
      ? 0
      : await rows.whereIn(`${rows.modelClass().tableName}.id`, ids).resultSize();
  if (found !== new Set(given).size)
    throw new InvalidQuery(`${filter} filter has invalid values.`, 'filters');
  return ids;
}

/** Each name is compared with every row. */
const MOST_NAMES = 20;

/** @throws InvalidQuery for a filter with too many names */
export function demandFewNames(filter: TextFilter | null | undefined): void {
  for (const names of [filter?.oneOf, filter?.noneOf])
    if (names && names.length > MOST_NAMES)
      throw new InvalidQuery(`A filter takes ${MOST_NAMES} names at most.`, 'filters');
}
