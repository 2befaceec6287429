/** Changes the text of a comment, the set of its attachments, or both. */
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { recordEvents } from '../../../events/record.js';
import { Activity } from '../../../models/activity.js';
import { CommentEvent } from '../../../models/event.js';
import { WorkPackage } from '../../../models/work-package.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import {
  claimAttachments,
  checkClaim,
  lockForClaim,
} from '../../files/attachments/claim-attachments.js';
import { purgeAttachments } from '../../files/purge/purge-attachments.js';
import { recordChange } from '../../base/history/record-change.js';
import { demandReadableBody, demandValid } from '../../base/validation/demand-valid.js';
import {
  linkedAttachmentIds,
  ownUnclaimed,
  readComment,
  validateComment,
  type CommentText,
} from './comment-text.js';

/**
 * Without `attachments` the request removes none, even if the new text no longer links to them.
 * @throws NotFound, MissingPermission, PropertyConstraintViolation
 */
export async function changeComment(
  context: Context,
  id: number | undefined,
  { comment, attachments, notifies }: CommentText,
): Promise<Activity> {
  // Cast: `find.container` has the type of all kinds.
  const activity = (await demand(await find.container(context, 'Activity', id), (row) =>
    can.edit(context, 'Activity', row),
  )) as Activity;
  demandReadableBody(context);
  const { commentText, violations } =
    comment === undefined
      ? { commentText: activity.commentText, violations: [] }
      : validateComment(comment);
  // Without claims no other violation is possible: throw before opening a transaction.
  if (!attachments) demandValid(context, violations);
  // Only new links claim attachments. Another user may have written the old ones.
  const oldLinks = new Set(linkedAttachmentIds(activity.commentText));
  const newLinks = linkedAttachmentIds(commentText).filter((one) => !oldLinks.has(one));
  const now = context.clock().toISOString();
  const { removed } = await context.db.write.transaction(async (trx) => {
    const given = attachments ?? [];
    const linked = await ownUnclaimed(context, trx, newLinks);
    if (linked.length > 0 || attachments)
      await lockForClaim(context, trx, {
        type: 'Activity',
        id: activity.id,
        requestedIds: [...given, ...linked],
      });
    const checked = await checkClaim(context, trx, {
      type: 'Activity',
      id: activity.id,
      requestedIds: [...given, ...(await ownUnclaimed(context, trx, linked))],
    });
    demandValid(context, [...violations, ...checked.violations]);
    // People are notified of claimed files, which locks the work package. Comments come after it.
    if (checked.unclaimed.length > 0)
      await context.db.lockRows(
        WorkPackage.query(trx).select('id').findById(activity.workPackageId),
      );
    const changed = await Activity.query(trx)
      .patch({
        ...(comment !== undefined && { commentText }),
        updatedAt: now,
      })
      .where('id', activity.id);
    if (changed === 0) throw new NotFound();
    const claimed = await claimAttachments(context, trx, {
      type: 'Activity',
      id: activity.id,
      projectId: activity.projectId,
      checked,
      replace: attachments !== undefined,
    });
    await recordChange(
      context.db,
      trx,
      { type: 'Activity', id: activity.id },
      { authorId: context.user.id, changes: claimed.changes, now, notifies },
    );
    const event = { kind: CommentEvent.UPDATED, comment: activity };
    await recordEvents(context.db, trx, [event], now);
    return claimed;
  });
  await purgeAttachments(context, removed);
  return readComment(context, activity.id);
}
