/** Clients that ask for a file or a large answer, and do not read it. */
import { ANSWER_READERS, READERS } from '../budgets.js';
import type { Way } from '../way.js';
import type { Ids } from '../world.js';

/** A request with its headers has about 200 bytes. */
const MAX_READERS = 100;

const readersOf = (
  name: string,
  budget: Way<number>['budget'],
  path: (ids: Ids) => string,
): Way<number> => ({
  name,
  budget,
  first: () => [10, MAX_READERS],
  change: (count, random) => 1 + ((count + random.integer(MAX_READERS)) % MAX_READERS),
  requests: (count, ids) => [{ method: 'GET', path: path(ids), readers: count }],
});

export const readers = readersOf(
  'slow readers',
  READERS,
  ({ largeAttachment }) => `/api/v3/attachments/${largeAttachment}/content`,
);

export const readersOfLists = readersOf(
  'slow readers of lists',
  ANSWER_READERS,
  ({ longWorkPackage }) => `/api/v3/work_packages/${longWorkPackage}/activities`,
);

export const readersOfDocuments = readersOf(
  'slow readers of documents',
  ANSWER_READERS,
  ({ longWorkPackage }) =>
    `/graphql?query=${encodeURIComponent(
      `{ workPackage(id: "${longWorkPackage}") { activities { nodes { comment { raw } } } } }`,
    )}`,
);
