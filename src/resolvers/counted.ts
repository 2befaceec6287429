/** Counts the rows of lists in the budget of a document. */
import type { Context } from '../context.js';

/**
 * Reads a list and counts its rows in the budget of the document.
 * @throws InvalidQuery if the document exceeds it
 */
export async function counted<T>(
  { budget }: Context,
  read: () => Promise<T>,
  rowsOf: (list: T) => number,
): Promise<T> {
  budget?.demand();
  const list = await read();
  const rows = rowsOf(list);
  budget?.takeRows(rows);
  return list;
}
