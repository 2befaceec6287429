/** A container can be deleted after it was seen and before something is attached to it. */
import { ForeignKeyViolationError } from 'objection';
import { NotFound } from '../errors.js';

/** @throws NotFound where the foreign key of a new row names nothing any more */
export async function whereContainerExists<T>(inserting: Promise<T>): Promise<T> {
  try {
    return await inserting;
  } catch (error) {
    throw error instanceof ForeignKeyViolationError ? new NotFound() : error;
  }
}
