/** Writes a comment on a work package and claims attachments for it. */
import type { Context } from '../../../context.js';
import { whereContainerExists } from '../../../database/missing-reference.js';
import { recordEvents } from '../../../events/record.js';
import { Activity, ActivityKind } from '../../../models/activity.js';
import { CommentEvent } from '../../../models/event.js';
import { timestamps } from '../../../models/record.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import {
  claimAttachments,
  checkClaim,
  lockRequested,
} from '../../files/attachments/claim-attachments.js';
import { recordChange } from '../../base/history/record-change.js';
import { demandReadableBody, demandValid } from '../../base/validation/demand-valid.js';
import {
  linkedAttachmentIds,
  ownUnclaimed,
  readComment,
  validateComment,
  type CommentText,
} from './comment-text.js';

interface NewComment extends CommentText {
  internal?: boolean | undefined;
}

/** @throws NotFound for the work package, MissingPermission, PropertyConstraintViolation */
export async function writeComment(
  context: Context,
  workPackageId: number | undefined,
  { comment, internal = false, attachments, notifies }: NewComment,
): Promise<Activity> {
  const workPackage = await demand(
    await find.container(context, 'WorkPackage', workPackageId),
    (row) => can.comment(context, row.projectId, internal),
  );
  demandReadableBody(context);
  const { commentText, violations } = validateComment(comment);
  // Without claims no other violation is possible: throw before opening a transaction.
  if (!attachments) demandValid(context, violations);
  const now = context.clock().toISOString();
  const id = await whereContainerExists(
    context.db.write.transaction(async (trx) => {
      const given = attachments ?? [];
      const linked = await ownUnclaimed(context, trx, linkedAttachmentIds(commentText));
      if (given.length + linked.length > 0)
        await lockRequested(context, trx, [...given, ...linked]);
      const checked = await checkClaim(context, trx, {
        type: 'Activity',
        requestedIds: [...given, ...(await ownUnclaimed(context, trx, linked))],
      });
      demandValid(context, [...violations, ...checked.violations]);
      const row = await Activity.query(trx)
        .insert({
          workPackageId: workPackage.id,
          authorId: context.user.id,
          kind: ActivityKind.COMMENT,
          commentText,
          internal,
          changes: [],
          ...timestamps(now),
        })
        .returning('id');
      const { changes } = await claimAttachments(context, trx, {
        type: 'Activity',
        id: row.id,
        projectId: workPackage.projectId,
        checked,
        replace: false,
      });
      await recordChange(
        context.db,
        trx,
        { type: 'Activity', id: row.id },
        { authorId: context.user.id, changes, now, notifies },
      );
      const comment = { id: row.id, authorId: context.user.id, workPackageId: workPackage.id };
      await recordEvents(context.db, trx, [{ kind: CommentEvent.CREATED, comment }], now);
      return row.id;
    }),
  );
  return readComment(context, id);
}
