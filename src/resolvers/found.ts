/** Turns a missing row into an error. */
import { NotFound } from '../contract/errors.js';

/** @throws NotFound if the row is missing or the caller cannot see it */
export async function found<T>(row: Promise<T | undefined>): Promise<T> {
  const value = await row;
  if (value === undefined) throw new NotFound();
  return value;
}
