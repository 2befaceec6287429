/** The text of a comment, and the attachments that it links to. */
import type { Knex } from 'knex';
import type { Context } from '../../context.js';
import { NotFound, type Violation } from '../../contract/errors.js';
import type { Activity } from '../../models/activity.js';
import { Attachment } from '../../models/attachment.js';
import { containerRows } from '../../policies/visible.js';
import { isLonger, isStorableText } from '../../contract/text-rules.js';
import { chunks } from '../../database/batches.js';

export interface CommentText {
  comment: unknown;
  attachments?: readonly (number | undefined)[] | undefined;
}

/** One of more would be shown as it was entered. */
const MAX_COMMENT = 65_536;

/** The text, and what is wrong with it. */
export function validateComment(comment: unknown): {
  commentText: string;
  violations: Violation[];
} {
  const reject = (problem: string) => ({
    commentText: '',
    violations: [{ attribute: 'comment', message: `Comment ${problem}` }],
  });
  if (
    comment === undefined ||
    comment === null ||
    (typeof comment === 'string' && comment.trim() === '')
  )
    return reject("can't be blank.");
  if (typeof comment !== 'string')
    return reject('must be a string or an object with a "raw" string.');
  if (isLonger(comment, MAX_COMMENT))
    return reject(`is too long (maximum is ${MAX_COMMENT} characters).`);
  return isStorableText(comment)
    ? { commentText: comment, violations: [] }
    : reject('must not contain NUL or broken characters.');
}

/** The attachments that a text links to, whosever they are. */
export const linkedIn = (text: string): number[] => [
  ...new Set(
    [...text.matchAll(/\/api\/v3\/attachments\/([1-9]\d{0,8})\/content/g)].map((match) =>
      Number(match[1]),
    ),
  ),
];

/**
 * Of the attachments that a text links to the writer's own unclaimed uploads (T123); links to anything else are just text. To be asked
 * twice: for what is to be locked, and for what of it is unclaimed still.
 */
export async function claimable(
  { user }: Context,
  trx: Knex,
  ids: readonly number[],
): Promise<number[]> {
  const own: number[] = [];
  if (user.anonymous) return own;
  for (const some of chunks(ids)) {
    const rows = await Attachment.query(trx)
      .whereIn('id', some)
      .where({ author_id: user.id, phase: 'kept' });
    own.push(...rows.filter((row) => !row.containerRef).map((row) => row.id));
  }
  return own;
}

/** The comment as it is now. */
export async function written({ db }: Context, id: number): Promise<Activity> {
  const activity = (await containerRows('Activity', db.write).findOne('activities.id', id)) as
    Activity | undefined;
  if (!activity) throw new NotFound();
  return activity;
}
