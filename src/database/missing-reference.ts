/** Translates violated foreign keys. */
import { ForeignKeyViolationError, wrapError } from 'db-errors';
import { NotFound } from '../contract/errors.js';

/**
 * Another request can delete a container after this one has read it.
 * @throws NotFound if a foreign key of a new row refers to a deleted row
 */
export async function whereContainerExists<T>(inserting: Promise<T>): Promise<T> {
  try {
    return await inserting;
  } catch (error) {
    // Objection wraps only the errors of its own queries, not those of plain knex queries.
    if (error instanceof Error && wrapError(error) instanceof ForeignKeyViolationError)
      throw new NotFound();
    throw error;
  }
}
