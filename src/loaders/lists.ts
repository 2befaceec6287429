/** The lists of the graph. */
import { columnOf, containerKinds } from '../contract/container-kinds.js';
import type DataLoader from 'dataloader';
import type { QueryBuilder } from 'objection';
import type { Dependencies } from './dependencies.js';
import type { Activity } from '../models/activity.js';
import { Attachment } from '../models/attachment.js';
import type { ContainerType } from '../models/container.js';
import { visible } from '../policies/visible.js';
import { connectionLoader, type PageOf } from './connections.js';
import { pageFrom, positionOf, type Page, type PageArguments } from './page.js';

/** Some kinds list attachments by name, the others by creation. */
export const attachmentOrder = (type: ContainerType): readonly ('fileName' | 'id')[] =>
  containerKinds[type].order === 'fileName' ? ['fileName', 'id'] : ['id'];

/** Finished attachments of containers that the caller sees. */
export function attachmentsLoader({
  db,
}: Dependencies): (type: ContainerType) => DataLoader<PageOf, Page<Attachment>, string> {
  const loaders = new Map<ContainerType, DataLoader<PageOf, Page<Attachment>, string>>();
  return (type) => {
    let loader = loaders.get(type);
    if (!loader) {
      loader = connectionLoader<Attachment>(
        {
          rows: (knex) =>
            Attachment.query(knex)
              .select('attachments.*')
              .where('phase', 'kept')
              .whereNot('status', 'prepared'),
          parent: `attachments.${columnOf(type)}`,
          parentOf: (row) => row[containerKinds[type].foreignKey]!,
          order: attachmentOrder(type).map(
            (name) => `attachments.${name === 'id' ? 'id' : 'file_name'}`,
          ),
        },
        db.read,
      );
      loaders.set(type, loader);
    }
    return loader;
  };
}

/** The history of work packages that the caller sees, oldest first; internal comments only for those who may read them. */
export const activitiesLoader = ({ user, db }: Dependencies) =>
  connectionLoader<Activity>(
    {
      rows: (knex) =>
        visible.containers('Activity', user, knex) as unknown as QueryBuilder<Activity>,
      parent: 'activities.work_package_id',
      parentOf: (row) => row.workPackageId,
      order: ['activities.id'],
    },
    db.read,
  );

/** Everything in quarantine, oldest first; for administrators, who see it all. */
export const quarantineLoader = ({ db }: Dependencies) => ({
  async load({ first, after }: PageArguments): Promise<Page<Attachment>> {
    const all = () =>
      Attachment.query(db.read).where('phase', 'kept').whereRaw("status = 'quarantined'");
    const rows = all().orderBy('id');
    if (after !== undefined) rows.where('id', '>', positionOf(after, 1)[0]!);
    if (first !== undefined) rows.limit(first + 1);
    return pageFrom(await rows, first, () => all().resultSize());
  },
});
