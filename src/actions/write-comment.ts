/** Writes or changes a comment on a work package, and claims attachments for it. */
import type { Context } from '../context.js';
import { NotFound, PropertyConstraintViolation } from '../errors.js';
import { Activity, ActivityKind } from '../models/activity.js';
import { Attachment } from '../models/attachment.js';
import { born } from '../models/record.js';
import { can, demand } from '../policies/can.js';
import { find } from '../policies/find.js';
import { containerRows } from '../policies/visible.js';
import { claimAttachments } from './claim-attachments.js';
import { purgeAttachments } from './purge-attachments.js';
import { storable } from './validate-details.js';

export interface CommentText {
  comment: unknown;
  internal?: boolean | undefined;
  attachments?: readonly (number | undefined)[] | undefined;
}

/** @throws NotFound for the work package, MissingPermission, PropertyConstraintViolation */
export async function writeComment(context: Context, workPackageId: number | undefined, { comment, internal = false, attachments }: CommentText): Promise<Activity> {
  const workPackage = await demand(await find.container(context, 'WorkPackage', workPackageId), (row) => can.comment(context, row.projectId, internal));
  const commentText = validate(comment);
  const now = context.clock().toISOString();
  const referenced = await referencedByText(context, commentText);
  const id = await context.db.write.transaction(async (trx) => {
    const row = await Activity.query(trx).insert({ workPackageId: workPackage.id, authorId: context.user.id, kind: ActivityKind.comment, commentText, internal, changes: [], ...born(now) }).returning('id');
    await claimAttachments(context, trx, { type: 'Activity', id: row.id, named: [...(attachments ?? []), ...referenced], replace: false });
    return row.id;
  });
  return written(context, id);
}

/** Attachments that only the old text mentioned stay: a request that names none removes none. */
export async function changeComment(context: Context, id: number | undefined, { comment, attachments }: Omit<CommentText, 'internal'>): Promise<Activity> {
  const activity = await demand(await find.container(context, 'Activity', id), (row) => can.edit(context, 'Activity', row)) as Activity;
  const commentText = comment === undefined ? activity.commentText : validate(comment);
  const referenced = await referencedByText(context, commentText);
  const { removed } = await context.db.write.transaction(async (trx) => {
    if ((await Activity.query(trx).patch({ commentText, updatedAt: context.clock().toISOString() }).where('id', activity.id)) === 0) throw new NotFound();
    return claimAttachments(context, trx, { type: 'Activity', id: activity.id, named: [...(attachments ?? []), ...referenced], replace: attachments !== undefined });
  });
  await purgeAttachments(context, removed);
  return written(context, activity.id);
}

function validate(comment: unknown): string {
  if (comment === undefined || comment === null || (typeof comment === 'string' && comment.trim() === '')) throw new PropertyConstraintViolation("Comment can't be blank.", 'comment');
  if (typeof comment !== 'string') throw new PropertyConstraintViolation('Comment must be a string or an object with a "raw" string.', 'comment');
  if (!storable(comment)) throw new PropertyConstraintViolation('Comment must not contain NUL or broken characters.', 'comment');
  return comment;
}

/** The writer's own unclaimed uploads that the text links to (T123); links to anything else are just text. */
async function referencedByText({ user, db }: Context, text: string): Promise<number[]> {
  const ids = [...new Set([...text.matchAll(/\/api\/v3\/attachments\/([1-9]\d{0,8})\/content/g)].map((match) => Number(match[1])))];
  if (ids.length === 0 || user.anonymous) return [];
  const own = await Attachment.query(db.read).whereIn('id', ids).where({ author_id: user.id, phase: 'kept' });
  return own.filter((row) => !row.containerRef).map((row) => row.id);
}

async function written({ db }: Context, id: number): Promise<Activity> {
  const activity = await containerRows('Activity', db.write).findOne('activities.id', id) as Activity | undefined;
  if (!activity) throw new NotFound();
  return activity;
}
