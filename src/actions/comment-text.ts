/** The text of a comment, and the attachments that it links to. */
import type { Context } from '../context.js';
import { NotFound, PropertyConstraintViolation } from '../errors.js';
import type { Activity } from '../models/activity.js';
import { Attachment } from '../models/attachment.js';
import { containerRows } from '../policies/visible.js';
import { storable } from './validate-details.js';

export interface CommentText {
  comment: unknown;
  attachments?: readonly (number | undefined)[] | undefined;
}

/** @throws PropertyConstraintViolation */
export function validateComment(comment: unknown): string {
  if (comment === undefined || comment === null || (typeof comment === 'string' && comment.trim() === '')) throw new PropertyConstraintViolation("Comment can't be blank.", 'comment');
  if (typeof comment !== 'string') throw new PropertyConstraintViolation('Comment must be a string or an object with a "raw" string.', 'comment');
  if (!storable(comment)) throw new PropertyConstraintViolation('Comment must not contain NUL or broken characters.', 'comment');
  return comment;
}

/** The writer's own unclaimed uploads that the text links to (T123); links to anything else are just text. */
export async function referencedByText({ user, db }: Context, text: string): Promise<number[]> {
  const ids = [...new Set([...text.matchAll(/\/api\/v3\/attachments\/([1-9]\d{0,8})\/content/g)].map((match) => Number(match[1])))];
  if (ids.length === 0 || user.anonymous) return [];
  const own = await Attachment.query(db.read).whereIn('id', ids).where({ author_id: user.id, phase: 'kept' });
  return own.filter((row) => !row.containerRef).map((row) => row.id);
}

/** The comment as it is now. */
export async function written({ db }: Context, id: number): Promise<Activity> {
  const activity = await containerRows('Activity', db.write).findOne('activities.id', id) as Activity | undefined;
  if (!activity) throw new NotFound();
  return activity;
}
