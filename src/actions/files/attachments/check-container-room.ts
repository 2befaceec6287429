/** Limits the attachments of a container, because its list has no pages. */
import type { Knex } from 'knex';
import type { Context } from '../../../context.js';
import { columnOf } from '../../../contract/container-kinds.js';
import { PropertyConstraintViolation } from '../../../contract/errors.js';
import { countRows } from '../../../database/count-rows.js';
import type { ContainerType } from '../../../models/container.js';

/**
 * Uploads that arrive and prepared uploads count, too.
 * @param adding attachments that the caller is about to add to those in the database
 * @throws PropertyConstraintViolation
 */
export async function checkContainerRoom(
  { settings: { attachmentsPerContainer: limit } }: Context,
  knex: Knex,
  { type, id, adding }: { type: ContainerType; id: number; adding: number },
): Promise<void> {
  const rows = () => knex('attachments').where(columnOf(type), id);
  // The first count reads an index only. Deleted files do not count.
  if ((await countRows(rows())) + adding <= limit) return;
  if ((await countRows(rows().whereIn('phase', ['storing', 'kept']))) + adding <= limit) return;
  throw containerFull(limit);
}

/** The same for one more attachment, as SQL. It needs the values `container` and `room`. */
export function hasRoom(type: ContainerType): string {
  const attachments = `select count(*) from attachments where ${columnOf(type)} = :container`;
  return `((${attachments}) < :room or (${attachments} and phase in ('storing', 'kept')) < :room)`;
}

export const containerFull = (limit: number) =>
  new PropertyConstraintViolation(
    `The container has too many attachments (maximum is ${limit}). ` +
      'Delete some of them first, or use another container.',
    'base',
  );
