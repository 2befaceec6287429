/** The members that the inputs of several kinds of containers have. */
import { ID } from 'type-graphql';
import { optional } from './mutation.js';

/** @param noun of the container. @param things such as "attachments" */
export const claimed = (noun: string, things = 'attachments', permission = '') =>
  optional(
    [ID],
    `Global ids or integer ids of unclaimed ${things} of the caller. ` +
      `The ${noun} claims them.${permission}`,
  );

/** As `claimed`, for a change. @param lost what happens to those that are not named */
export const completeSet = (
  noun: string,
  things = 'attachments',
  { lost = 'deleted', permission = '' } = {},
) =>
  optional(
    [ID],
    `Global ids or integer ids: the complete new set of ${things}. ` +
      `${capitalised(things)} of the ${noun} that are not in the list are ${lost}. ` +
      `Unclaimed ${things} in the list are claimed.${permission}`,
  );

const capitalised = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

export const notify = optional(
  Boolean,
  'Whether people are notified of files that the work package or the comment gets. Default: true.',
);
