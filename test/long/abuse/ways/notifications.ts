/** Notifications of a person who has many: listed, counted, marked and streamed. */
import { oneOf } from '../../fuzz/hostile-values.js';
import { MARKS, NOTIFICATIONS, REQUEST, STREAMS } from '../budgets.js';
import type { Sent, Way } from '../way.js';
import type { Ids } from '../world.js';
import { once, textWay, times } from './parts.js';

const document = (query: string, variables = {}): Sent => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query, variables }),
});

/** So many ids of work packages, of which most exist. */
const idsFrom = (start: number, count: number): string[] =>
  Array.from({ length: count }, (_, n) => String(start + n));

interface Wanted {
  /** How often the list and each count are in the document. */
  times: number;
  first: number;
  page: number;
  orderBy: string;
  unread: boolean | null;
  /** Ids in the filter. */
  ids: number;
}

const wanted = (more: Partial<Wanted>): Wanted => ({
  times: 1,
  first: 200,
  page: 1,
  orderBy: 'ID_DESC',
  unread: null,
  ids: 0,
  ...more,
});

export const listedNotifications: Way<Wanted> = {
  name: 'notifications',
  budget: NOTIFICATIONS,
  first: () => [
    wanted({ times: 9 }),
    wanted({ times: 9, unread: true }),
    wanted({ page: 100 }),
    wanted({ page: 1_000_000_000 }),
    wanted({ first: 100_000 }),
    wanted({ ids: 1_000 }),
    wanted({ times: 9, ids: 1_000 }),
    wanted({ ids: 2_000 }),
    wanted({ orderBy: 'REASON_ASC, READ_DESC, ID_ASC' }),
    wanted({ orderBy: 'REASON_ASC, READ_DESC, ID_ASC', ids: 1_000 }),
    wanted({ times: 9, orderBy: 'REASON_ASC', unread: true }),
    wanted({ times: 10, orderBy: 'READ_DESC' }),
  ],
  change(input, random) {
    switch (random.integer(6)) {
      case 0:
        return { ...input, times: 1 + random.integer(10) };
      case 1:
        return { ...input, first: oneOf(random, [1, 100, 101, 100_000]) };
      case 2:
        return { ...input, page: oneOf(random, [1, 2, 99, 100, 101, 1_000_000_000]) };
      case 3:
        return { ...input, unread: oneOf(random, [true, false, null]) };
      case 4:
        return { ...input, ids: oneOf(random, [0, 1, 100, 1_000, 1_001]) };
      default:
        return {
          ...input,
          orderBy: oneOf(random, ['ID_ASC', 'ID_DESC', 'REASON_ASC', 'READ_DESC']),
        };
    }
  },
  requests({ times: count, first, page, orderBy, unread, ids }, { manyWorkPackages }) {
    const fields = Array.from(
      { length: count },
      (_, n) =>
        `n${n}: notifications(filter: $w, first: $f, page: $p, orderBy: [${orderBy}]) { totalCount totalIsAtLeast nodes { id } } ` +
        `r${n}: notificationGroups(by: REASON, filter: $w) { count } ` +
        `p${n}: notificationGroups(by: PROJECT, filter: $w) { count }`,
    );
    return [
      document(
        `query ($f: Int, $p: Int, $w: NotificationFilter) { viewer { ${fields.join(' ')} } }`,
        {
          f: first,
          p: page,
          w: { unread, ...(ids > 0 && { workPackageIds: idsFrom(manyWorkPackages, ids) }) },
        },
      ),
    ];
  },
};

/** The text has the parameters; Node.js limits the address to 16 KiB. */
export const filteredNotifications = textWay({
  name: 'filtered notifications',
  budget: REQUEST,
  words: [
    '&pageSize=',
    '1000',
    '&offset=',
    '&groupBy=project',
    '&sortBy=',
    '[["reason","desc"]]',
    '["readIAN"],',
    '&filters=[',
    ']',
    '{"readIAN":{"operator":"=","values":["f"]}}',
    '{"reason":{"operator":"=","values":["assigned"',
    '{"resourceId":{"operator":"=","values":["1"',
    '{"project":{"operator":"=","values":["1"',
    ',"2"',
    '"]}}',
    ',',
    '%00',
    'ابجد',
  ],
  first: ({ manyWorkPackages }) => {
    const about = idsFrom(manyWorkPackages, 1_000).map((id) => `"${id}"`);
    return [
      [once('pageSize=1000')],
      [once('pageSize=100000&groupBy=project')],
      [once('pageSize=100000&offset=1000000000&groupBy=reason')],
      [once('filters=[{"readIAN":{"operator":"=","values":["f"]}}]&pageSize=200&groupBy=project')],
      [
        once(
          `filters=[{"resourceId":{"operator":"=","values":[${about.join()}]}}]&pageSize=200&groupBy=project`,
        ),
      ],
      [once('filters=[{"id":{"operator":"=","values":["1"'), times(2_500, ',"2"'), once(']}}]')],
      [
        once('filters=[{"reason":{"operator":"=","values":["assigned"'),
        times(900, ',"created"'),
        once(']}}]&groupBy=project'),
      ],
      [once('sortBy=[["reason","asc"],["readIAN","desc"],["id"]]')],
      [once('sortBy=[["reason"]'), times(200, ',["readIAN"]'), once(']')],
    ];
  },
  requests: (text) => [
    { method: 'GET', path: `/api/v3/notifications?${encodeURI(text.toWellFormed())}` },
  ],
});

/** Marks as read and unread in turns, so that each of them changes every notification. */
export const marks: Way<number> = {
  name: 'marks of notifications',
  budget: MARKS,
  first: () => [1, 2, 30],
  change: (count, random) => 1 + ((count + random.integer(30)) % 30),
  requests: (count) => {
    const marked = (read: boolean, n: number) =>
      `m${n}: markNotificationsRead(input: { read: ${read} }) { changed }`;
    return [
      document(`mutation { ${marked(count % 2 === 0, 0)} }`),
      document(
        `mutation { ${Array.from({ length: count }, (_, n) => marked((count + n) % 2 === 1, n)).join(' ')} }`,
      ),
    ];
  },
};

/** Each added file is sent to all open streams of the person. */
export const streamedNotifications: Way<number> = {
  name: 'streams of notifications',
  budget: STREAMS,
  first: () => [100, 900],
  change: (count, random) => 1 + ((count + random.integer(900)) % 900),
  requests: (count, { otherKey, watched }: Ids) => [
    {
      method: 'GET',
      path: `/graphql/stream?query=${encodeURIComponent(
        'subscription { notificationReceived { id reason workPackage { id subject } actor { name } } }',
      )}`,
      readers: count,
    },
    {
      method: 'POST',
      path: `/api/v3/work_packages/${watched}/attachments`,
      headers: {
        authorization: `Bearer ${otherKey}`,
        'content-type': 'multipart/form-data; boundary=b',
      },
      body:
        '--b\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{"fileName":"a.txt"}\r\n' +
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\na\r\n--b--\r\n',
    },
  ],
};
