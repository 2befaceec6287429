/** Writes a comment on a work package, and claims attachments for it. */
import type { Context } from '../../context.js';
import { Activity, ActivityKind } from '../../models/activity.js';
import { timestamps } from '../../models/record.js';
import { can, demand } from '../../policies/can.js';
import { find } from '../../policies/find.js';
import { claimAttachments, checkClaim, lockNamed } from '../attachments/claim-attachments.js';
import { claimable, linkedIn, validateComment, written, type CommentText } from './comment-text.js';
import { whereContainerExists } from '../../database/missing-reference.js';
import { demandRead, demandValid } from '../validation/demand-valid.js';

export interface NewComment extends CommentText {
  internal?: boolean | undefined;
}

/** @throws NotFound for the work package, MissingPermission, PropertyConstraintViolation */
export async function writeComment(
  context: Context,
  workPackageId: number | undefined,
  { comment, internal = false, attachments }: NewComment,
): Promise<Activity> {
  const workPackage = await demand(
    await find.container(context, 'WorkPackage', workPackageId),
    (row) => can.comment(context, row.projectId, internal),
  );
  demandRead(context);
  const { commentText, violations } = validateComment(comment);
  // Nothing else can be wrong: no transaction is needed to say so.
  if (!attachments) demandValid(context, violations);
  const now = context.clock().toISOString();
  const id = await whereContainerExists(
    context.db.write.transaction(async (trx) => {
      const named = attachments ?? [];
      const linked = await claimable(context, trx, linkedIn(commentText));
      if (named.length + linked.length > 0) await lockNamed(context, trx, [...named, ...linked]);
      const referenced = await claimable(context, trx, linked);
      const checked = await checkClaim(context, trx, {
        type: 'Activity',
        named: [...named, ...referenced],
      });
      demandValid(context, [...violations, ...checked.violations]);
      const row = await Activity.query(trx)
        .insert({
          workPackageId: workPackage.id,
          authorId: context.user.id,
          kind: ActivityKind.comment,
          commentText,
          internal,
          changes: [],
          ...timestamps(now),
        })
        .returning('id');
      await claimAttachments(context, trx, {
        type: 'Activity',
        id: row.id,
        checked,
        replace: false,
      });
      return row.id;
    }),
  );
  return written(context, id);
}
