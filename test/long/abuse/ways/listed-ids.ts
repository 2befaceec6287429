/** Mutations with lists of the ids that a container keeps. */
import { REQUEST } from '../budgets.js';
import type { Way } from '../way.js';

interface Lists {
  /** How often the mutation is in the document. */
  times: number;
  /** Ids in each list. */
  ids: number;
}

const NOWHERE = '999999999';

/** A list without all attachments of the comment has an id that does not exist, so nothing is deleted. */
export const listedIds: Way<Lists> = {
  name: 'lists of ids',
  budget: REQUEST,
  first: () => [
    { times: 1, ids: 1_000 },
    { times: 30, ids: 33 },
    { times: 30, ids: 1_000 },
  ],
  change: (_input, random) => ({ times: 1 + random.integer(30), ids: 1 + random.integer(1_000) }),
  requests({ times, ids }, { fullComment, listedAttachments }) {
    const some = listedAttachments.slice(0, ids).map(String);
    const listed = ids < listedAttachments.length ? some.with(-1, NOWHERE) : some;
    const updates = Array.from(
      { length: times },
      (_, n) =>
        `u${n}: updateComment(input: { id: "${fullComment}", attachmentIds: $ids }) { comment { id } }`,
    );
    return [
      {
        method: 'POST',
        path: '/graphql',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          query: `mutation ($ids: [ID!]) { ${updates.join(' ')} }`,
          variables: { ids: listed },
        }),
      },
    ];
  },
};
