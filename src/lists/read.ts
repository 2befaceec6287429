/** Reads pages of lists. Lists of many parents are read in one statement. */
import DataLoader from 'dataloader';
import { MAX_BATCH } from '../database/batches.js';
import type { Values } from '../database/index.js';
import type { Record } from '../models/record.js';
import { countMany, countOne } from './counts.js';
import { cursorOf } from './cursor.js';
import type { List } from './list.js';
import type { Needs } from './needs.js';
import { pageFrom, type Page } from './page.js';
import { readMany } from './read-many.js';
import { readOne } from './read-one.js';
import type { Wanted } from './rows.js';

/**
 * Makes a function that reads pages of a list. Make it once for a request.
 * @param values of the parameters of the list
 */
export function pagesOf<M extends Record>(
  needs: Needs,
  list: List<M>,
  values: Values = {},
): (wanted: Wanted) => Promise<Page<M>> {
  const reading = { needs, list, values };
  const counts = new DataLoader<number, number>((parents) => countMany(reading, parents), {
    maxBatchSize: MAX_BATCH,
  });
  const count = async ({ parent }: Wanted) => ({
    count: parent === undefined ? await countOne(reading) : await counts.load(parent),
    isAtLeast: false,
  });
  const page = (wanted: Wanted, rows: M[]): Page<M> => {
    const { size = Infinity, after, before, skipped } = wanted;
    const isLast =
      after === undefined &&
      before === undefined &&
      rows.length <= size &&
      (rows.length > 0 || skipped === 0);
    return pageFrom(rows, wanted, {
      cursorOf: (row) => cursorOf(list, row),
      // The total of a page with the last rows is known without another query.
      total: () => (isLast ? { count: skipped + rows.length, isAtLeast: false } : count(wanted)),
    });
  };
  if (!list.parent)
    return async (wanted) => page(wanted, await inTurn(needs, () => readOne(reading, wanted)));
  const loader = new DataLoader<Wanted, Page<M>, string>(
    async (pages) => {
      const found = await readMany(reading, pages);
      return pages.map((wanted) => page(wanted, found.get(wanted) ?? []));
    },
    { cacheKeyFn: (wanted) => JSON.stringify(wanted), maxBatchSize: MAX_BATCH },
  );
  return (wanted) => loader.load(wanted);
}

const inTurn = <T>({ budget }: Needs, read: () => Promise<T>): Promise<T> =>
  budget ? budget.inTurn(read) : read();
