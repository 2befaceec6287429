/** Clients that ask for files or answers and do not read them, or do not end what they send. */
import { gzipSync } from 'node:zlib';
import { oneOf } from '../../fuzz/hostile-values.js';
import { ANSWER_READERS, ARRIVING, PACKETS, READERS } from '../budgets.js';
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
      `{ workPackage(id: "${longWorkPackage}") { first: activities(first: 125) { nodes { comment { raw } } } last: activities(last: 125) { nodes { comment { raw } } } } }`,
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

/** Each has a megabyte, and does not end. */
const bodies = {
  plain: () => ({
    headers: { 'content-length': String(2 * MIB) },
    body: Buffer.alloc(MIB - 1, '['),
  }),
  zipped: () => ({
    headers: { 'transfer-encoding': 'chunked', 'content-encoding': 'gzip' },
    body: chunked(gzipSync(Buffer.alloc(MIB - 1, '[')).subarray(0, -20)),
  }),
  'byte by byte': () => ({
    headers: { 'transfer-encoding': 'chunked' },
    body: Buffer.alloc((MIB - 1) * 6, chunked(Buffer.from('['))),
  }),
  'file, byte by byte': () => ({
    headers: { 'transfer-encoding': 'chunked', 'content-type': 'multipart/form-data; boundary=b' },
    body: Buffer.concat([
      chunked(
        Buffer.from(
          '--b\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{"fileName":"a"}\r\n' +
            '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n',
        ),
      ),
      Buffer.alloc((MIB - 1) * 6, chunked(Buffer.from('x'))),
    ]),
  }),
};
const chunked = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

interface Arriving {
  kind: keyof typeof bodies;
  senders: number;
}

const MIB = 1024 * 1024;
const KINDS = Object.keys(bodies) as Arriving['kind'][];

/** Bodies of which much has arrived, and whose end is missing. */
export const arriving: Way<Arriving> = {
  name: 'bodies that do not end',
  budget: ARRIVING,
  units: () => 1,
  first: () => [
    { kind: 'plain', senders: MAX_READERS },
    { kind: 'zipped', senders: MAX_READERS },
    { kind: 'byte by byte', senders: 1 },
    { kind: 'file, byte by byte', senders: 1 },
  ],
  change: (_input, random) => {
    const kind = oneOf(random, KINDS);
    return { kind, senders: 1 + random.integer(kind.includes('byte') ? 2 : MAX_READERS) };
  },
  requests: ({ kind, senders }, { workPackage }) => {
    const { headers, body } = bodies[kind]();
    return [
      {
        method: 'POST',
        path: kind.startsWith('file')
          ? `/api/v3/work_packages/${workPackage}/attachments`
          : '/graphql',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        readers: senders,
      },
    ];
  },
};
