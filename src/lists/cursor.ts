/** Cursors: the values of the order of a list, as text. */
import { InvalidQuery } from '../contract/errors.js';
import { MAX_ID, parseDatabaseId } from '../contract/ids.js';
import { isStorableText } from '../contract/text-rules.js';
import type { Record } from '../models/record.js';
import type { Column, List } from './list.js';

/** The arguments that are cursors. */
export type Bound = 'after' | 'before';
type Position = readonly (string | number)[];

/** Positions of rows whose order has expressions. */
const selected = new WeakMap<Record, Position>();
export const keepPosition = (row: Record, position: Position) => selected.set(row, position);

type Order = Pick<List<never>, 'order'>;

export const positionIn = ({ order }: Order, row: Record): Position =>
  selected.get(row) ??
  // Cast: the properties are those of the columns.
  order.map(({ property = '' }) => (row as unknown as { [name: string]: string })[property] ?? '');

export const cursorOf = (list: Order, row: Record): string =>
  Buffer.from(JSON.stringify(positionIn(list, row))).toString('base64url');

/** @throws InvalidQuery if `cursorOf` did not make the text for a list in this order */
export function positionOf({ order }: Order, cursor: string, argument: Bound): Position {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (
      Array.isArray(position) &&
      position.length === order.length &&
      order.every(({ type }, index) => isValue[type](position[index]))
    )
      return position as Position;
  } catch {
    // The text is no JSON, so it is no cursor.
  }
  throw new InvalidQuery(`The argument "${argument}" is not a cursor of this list.`, argument);
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

const isValue: { [type in Column['type']]: (value: unknown) => boolean } = {
  key: (value) => typeof value === 'number' && parseDatabaseId(String(value)) !== undefined,
  number: (value) => isCount(value) && value <= MAX_ID,
  size: isCount,
  text: (value) => typeof value === 'string' && isStorableText(value),
};
