/** Changes a comment's text, the set of its attachments, or both. */
import type { Context } from '../../context.js';
import { NotFound } from '../../contract/errors.js';
import { Activity } from '../../models/activity.js';
import { can, demand } from '../../policies/can.js';
import { find } from '../../policies/find.js';
import { claimAttachments, checkClaim, lockForClaim } from '../attachments/claim-attachments.js';
import { claimable, linkedIn, validateComment, written, type CommentText } from './comment-text.js';
import { demandRead, demandValid } from '../validation/demand-valid.js';
import { purgeAttachments } from '../cleanup/purge-attachments.js';

/** Attachments that only the old text mentioned stay: a request that names none removes none. */
export async function changeComment(
  context: Context,
  id: number | undefined,
  { comment, attachments }: CommentText,
): Promise<Activity> {
  const activity = (await demand(await find.container(context, 'Activity', id), (row) =>
    can.edit(context, 'Activity', row),
  )) as Activity;
  demandRead(context);
  const { commentText, violations } =
    comment === undefined
      ? { commentText: activity.commentText, violations: [] }
      : validateComment(comment);
  // Nothing else can be wrong: no transaction is needed to say so.
  if (!attachments) demandValid(context, violations);
  // What it linked to before is not for whoever changes it to claim: somebody else may have written it.
  const before = new Set(linkedIn(activity.commentText));
  const mentioned = linkedIn(commentText).filter((one) => !before.has(one));
  const { removed } = await context.db.write.transaction(async (trx) => {
    const given = attachments ?? [];
    const linked = await claimable(context, trx, mentioned);
    if (linked.length > 0 || attachments)
      await lockForClaim(context, trx, {
        type: 'Activity',
        id: activity.id,
        named: [...given, ...linked],
      });
    const named = [...given, ...(await claimable(context, trx, linked))];
    const checked = await checkClaim(context, trx, {
      type: 'Activity',
      id: activity.id,
      named,
    });
    demandValid(context, [...violations, ...checked.violations]);
    if (
      (await Activity.query(trx)
        .patch({
          ...(comment !== undefined && { commentText }),
          updatedAt: context.clock().toISOString(),
        })
        .where('id', activity.id)) === 0
    )
      throw new NotFound();
    return claimAttachments(context, trx, {
      type: 'Activity',
      id: activity.id,
      checked,
      replace: attachments !== undefined,
    });
  });
  await purgeAttachments(context, removed);
  return written(context, activity.id);
}
