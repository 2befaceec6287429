/** Checks the filters of the list of all attachments. */
import type { Context } from '../../../context.js';
import { foundAttachments, type FoundAttachmentFilter } from '../../../lists/found-attachments.js';
import type { List } from '../../../lists/list.js';
import type { Attachment } from '../../../models/attachment.js';
import { visible } from '../../../policies/visible.js';
import { knownKeys, type Ids } from './known-keys.js';

interface AttachmentQuery extends Omit<
  FoundAttachmentFilter,
  'projectIds' | 'authorIds' | 'workPackageIds'
> {
  projectIds?: Ids;
  authorIds?: Ids;
  workPackageIds?: Ids;
}

/** @throws InvalidQuery for ids that do not exist or are not visible */
export async function listAttachments(
  context: Context,
  { projectIds, authorIds, workPackageIds, ...query }: AttachmentQuery,
  order: Parameters<typeof foundAttachments>[2],
): Promise<List<Attachment>> {
  const { user, db } = context;
  const filter = {
    ...query,
    projectIds: await knownKeys('Project', visible.projects(user, db.read), projectIds),
    authorIds: await knownKeys('Author', visible.users(user, db.read), authorIds),
    workPackageIds: await knownKeys(
      'Work package',
      visible.workPackages(user, db.read),
      workPackageIds,
    ),
  };
  return foundAttachments(context, filter, order);
}
