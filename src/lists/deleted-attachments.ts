/** The trash of containers and projects: what was deleted last comes first. */
import { columnOf, containerKinds, containerTypes } from '../contract/container-kinds.js';
import type { ContainerType } from '../models/container.js';
import { DeletedAttachment } from '../models/deleted-attachment.js';
import { visible } from '../policies/visible.js';
import { idColumn, sorted, type List } from './list.js';
import { fixed } from './statement.js';

const columns = {
  id: idColumn('attachments'),
  deletedAt: {
    sql: 'attachments.deleted_at',
    property: 'deletedAt',
    type: 'text',
    isIndexed: true,
  },
} as const;

const trash = (parent: NonNullable<List<DeletedAttachment>['parent']>) =>
  fixed<DeletedAttachment>({
    rows: (db, user) => visible.deletedAttachments(user, db),
    parent,
    order: sorted(columns, [{ by: 'deletedAt', descends: true }]),
  });

/** What the caller may restore in a project. */
export const deletedInProject = trash({
  column: 'attachments.deleted_project_id',
  of: (row) => row.deletedProjectId,
});

/** What the caller may restore in a container of each kind. */
export const deletedInContainer = Object.fromEntries(
  containerTypes.map((type) => [
    type,
    trash({
      column: `attachments.${columnOf(type)}`,
      of: (row) => row[containerKinds[type].foreignKey],
    }),
  ]),
) as { [type in ContainerType]: List<DeletedAttachment> };
