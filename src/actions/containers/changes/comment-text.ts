/** Validates the text of a comment and finds the attachments that it links to. */
import type { Knex } from 'knex';
import type { Context } from '../../../context.js';
import { NotFound, type Violation } from '../../../contract/errors.js';
import { isLonger, isStorableText } from '../../../contract/text-rules.js';
import { MAX_COMMENT } from '../../../contract/limits.js';
import { chunks } from '../../../database/batches.js';
import type { Activity } from '../../../models/activity.js';
import { Attachment } from '../../../models/attachment.js';
import { containerRows } from '../../../policies/visible.js';

export interface CommentText {
  comment: unknown;
  attachments?: readonly (number | undefined)[] | undefined;
  /** Whether people are notified of files that are added. Default: true. */
  notifies?: boolean | undefined;
}

/** @returns the text, which is empty if there are violations */
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

/** Ids of all attachments that a text links to, whether or not the caller may claim them. */
export const linkedAttachmentIds = (text: string): number[] => [
  ...new Set(
    [...text.matchAll(/\/api\/v3\/attachments\/([1-9]\d{0,8})\/content/g)].map((match) =>
      Number(match[1]),
    ),
  ),
];

/**
 * Selects the caller's own unclaimed attachments. A comment claims those that its text links to.
 * Other links are only text.
 * Call it twice: first to know which rows to lock, then to see which are still unclaimed.
 */
export async function ownUnclaimed(
  { user }: Context,
  trx: Knex,
  ids: readonly number[],
): Promise<number[]> {
  const own: number[] = [];
  if (user.anonymous) return own;
  for (const batch of chunks(ids)) {
    const rows = await Attachment.query(trx)
      .whereIn('id', batch)
      .where({ author_id: user.id, phase: 'kept' });
    own.push(...rows.filter((row) => !row.containerRef).map((row) => row.id));
  }
  return own;
}

/** Reads a comment after it was written, with the id of its project. */
export async function readComment({ db }: Context, id: number): Promise<Activity> {
  // Cast: `containerRows` has the type of all kinds.
  const activity = (await containerRows('Activity', db.write).findOne('activities.id', id)) as
    Activity | undefined;
  if (!activity) throw new NotFound();
  return activity;
}
