/** Clients that ask for files or answers, and do not read them. */
import { oneOf } from '../../fuzz/hostile-values.js';
import { ANSWER_READERS, PACKETS, READERS } from '../budgets.js';
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

interface Packets {
  path: string;
  /** Requests in the packet of each connection. */
  times: number;
}

const PACKET_READERS = 20;
/** What the system hands over at once has up to 64 KiB. */
const MAX_TIMES = 600;

const pathsOf = ({ largeAttachment, workPackage }: Ids) => [
  '/assets/pages.css',
  '/health/live',
  '/graphql?query={viewer{name}}',
  `/api/v3/attachments/${largeAttachment}/content`,
  `/api/v3/work_packages/${workPackage}`,
  `/api/v3/work_packages/${workPackage}/attachments`,
];

/** Connections that send many requests in one packet. */
export const packets: Way<Packets> = {
  name: 'requests in one packet',
  budget: PACKETS,
  first: (ids) => pathsOf(ids).flatMap((path) => [10, MAX_TIMES].map((times) => ({ path, times }))),
  change: ({ times }, random, ids) => ({
    path: oneOf(random, pathsOf(ids)),
    times: 1 + ((times + random.integer(MAX_TIMES)) % MAX_TIMES),
  }),
  requests: ({ path, times }) => [{ method: 'GET', path, times, readers: PACKET_READERS }],
};
