/** Clients that ask for a file and do not read it. */
import { READERS } from '../budgets.js';
import type { Way } from '../way.js';

/** A request with its headers has about 200 bytes. */
const MAX_READERS = 100;

export const readers: Way<number> = {
  name: 'slow readers',
  budget: READERS,
  first: () => [10, MAX_READERS],
  change: (count, random) => 1 + ((count + random.integer(MAX_READERS)) % MAX_READERS),
  requests: (count, { largeAttachment }) => [
    {
      method: 'GET',
      path: `/api/v3/attachments/${largeAttachment}/content`,
      readers: count,
    },
  ],
};
