/** A container can be deleted after it was seen and before something is attached to it. */
import { ForeignKeyViolationError, wrapError } from 'db-errors';
import { NotFound } from '../contract/errors.js';

/** @throws NotFound where the foreign key of a new row names nothing any more */
export async function whereContainerExists<T>(inserting: Promise<T>): Promise<T> {
  try {
    return await inserting;
  } catch (error) {
    // Objection wraps what its own queries throw, and nobody what those of knex do.
    throw wrapError(error as Error) instanceof ForeignKeyViolationError ? new NotFound() : error;
  }
}
