/** Reads pages of the lists of many parents, in one statement for pages of one size. */
import type { Record } from '../models/record.js';
import { readOne } from './read-one.js';
import {
  bytesOf,
  directionOf,
  FEW_BYTES,
  FEW_ROWS,
  readRows,
  type Reading,
  type Wanted,
} from './rows.js';

/** More rows than a table can have: keys are 32-bit integers. */
const NO_LIMIT = 2_147_483_647;

/**
 * The rows of each page and one more.
 * @throws Overloaded
 * @throws InvalidQuery for what is no cursor of the list, or if the rows exceed a limit
 */
export async function readMany<M extends Record>(
  reading: Reading<M>,
  pages: readonly Wanted[],
): Promise<Map<Wanted, M[]>> {
  const found = new Map<Wanted, M[]>();
  // Groups are read one after the other, so that the budget is checked between them.
  for (const group of groups(pages))
    if (group.length === 1) found.set(group[0], await readOne(reading, group[0]));
    else await readTogether(reading, group, found);
  return found;
}

/** Pages that one statement can read. */
type Group = readonly [Wanted, ...Wanted[]];

/** Groups pages without cursors by their size. A page with a cursor is a separate group. */
function groups(pages: readonly Wanted[]): Group[] {
  const grouped = new Map<string, [Wanted, ...Wanted[]]>();
  for (const page of pages) {
    const isAlone = page.after !== undefined || page.before !== undefined || page.skipped > 0;
    const key = JSON.stringify(isAlone ? page : { ...page, parent: undefined });
    const group = grouped.get(key);
    if (group) group.push(page);
    else grouped.set(key, [page]);
  }
  return [...grouped.values()];
}

async function readTogether<M extends Record>(
  reading: Reading<M>,
  group: Group,
  found: Map<Wanted, M[]>,
): Promise<void> {
  const { parent } = reading.list;
  const rowsOf = new Map<number | null | undefined, M[]>();
  for (const page of group) {
    const rows: M[] = [];
    found.set(page, rows);
    rowsOf.set(page.parent, rows);
  }
  for (const row of await readGroup(reading, group)) {
    const rows = rowsOf.get(parent?.of(row));
    if (!rows) throw new Error(`A row has another ${parent?.column} than the query selects.`);
    rows.push(row);
  }
}

/** If the rows are many, it waits for the turn of the caller, and reads them anew. */
async function readGroup<M extends Record>(reading: Reading<M>, group: Group): Promise<M[]> {
  const { needs } = reading;
  const { budget } = needs;
  budget?.demand();
  const [{ size }] = group;
  // One row more is read for each page: it shows whether there is a next page.
  const most = budget
    ? { limit: budget.mostRows + group.length, bytes: budget.mostBytes }
    : { limit: NO_LIMIT, bytes: Number.MAX_SAFE_INTEGER };
  const few = {
    // A read that reaches this number shows that the group has more than a few rows.
    limit: Math.min(most.limit, FEW_ROWS + group.length + 1),
    bytes: Math.min(most.bytes, FEW_BYTES),
  };
  const read = (limits: typeof few) =>
    readRows(
      reading,
      {
        ...limits,
        parents: needs.db.phrases.listOf(group.map(({ parent = 0 }) => parent)),
        pageSize: (size ?? NO_LIMIT - 1) + 1,
      },
      `${size === undefined ? 'many' : 'many pages'} ${directionOf(group[0])}`,
    );
  const mayBeFew = group.length * (size ?? Infinity) <= FEW_ROWS;
  let rows = mayBeFew ? await read(few) : undefined;
  if (!rows || rows.length === few.limit || bytesOf(rows) > few.bytes) {
    await needs.largeAnswer();
    budget?.demand();
    rows = await read(most);
  }
  budget?.takeReadBytes(bytesOf(rows));
  budget?.takeReadRows(Math.max(0, rows.length - group.length));
  return rows;
}
