/** Reads a page of one list, in slices. */
import type { Record } from '../models/record.js';
import { positionIn } from './cursor.js';
import {
  boundAt,
  boundsOf,
  bytesOf,
  directionOf,
  FEW_BYTES,
  FEW_ROWS,
  readRows,
  rowsBetween,
  type Reading,
  type Wanted,
} from './rows.js';

/**
 * Rows in one statement: a page of a thousand and one more.
 * Drivers hold the rows of a statement twice in memory, so larger pages need several statements.
 */
const SLICE = 1_001;

/**
 * Reads the rows of a page and one more. If they are many, it waits for the turn of the caller
 * after the first slice.
 * @throws Overloaded
 * @throws InvalidQuery for what is no cursor of the list, or if the rows exceed a limit
 */
export async function readOne<M extends Record>(reading: Reading<M>, wanted: Wanted): Promise<M[]> {
  const { needs, list } = reading;
  const { budget } = needs;
  budget?.demand();
  const { size = Infinity, fromEnd } = wanted;
  const most = Math.min(size + 1, budget ? budget.mostRows + 1 : Infinity);
  const bytesLeft = budget?.mostBytes ?? Number.MAX_SAFE_INTEGER;
  const rows: M[] = [];
  let bytes = 0;
  let bounds = boundsOf(list, wanted);
  let limits = {
    limit: Math.min(most, FEW_ROWS + 1),
    bytes: Math.min(bytesLeft, FEW_BYTES),
    offset: wanted.skipped,
  };
  for (;;) {
    const slice = await readRows(
      reading,
      { ...bounds, ...limits, parent: wanted.parent },
      `${rowsBetween({ ...bounds, ...limits })} ${directionOf(wanted)}`,
    );
    rows.push(...slice);
    bytes += bytesOf(slice);
    const isEnd = slice.length < limits.limit && bytesOf(slice) <= limits.bytes;
    if (isEnd || rows.length >= most || bytes > bytesLeft) break;
    if (rows.length === slice.length) {
      await needs.largeAnswer();
      budget?.demand();
    }
    limits = {
      limit: Math.min(most - rows.length, SLICE),
      bytes: bytesLeft - bytes,
      offset: 0,
    };
    // Cast: there is a row, or it was the end.
    const last = rows.at(-1) as M;
    bounds = { ...bounds, ...boundAt(fromEnd ? 'before' : 'after', positionIn(list, last)) };
  }
  budget?.takeReadBytes(bytes);
  budget?.takeReadRows(Math.min(rows.length, size));
  return rows;
}
