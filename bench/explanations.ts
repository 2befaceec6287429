/** The ratios and values of the table in the documentation, each with what a reader must know about it. */
import type { SubjectName } from './programs.js';
import type { Measure } from './samples.js';

export interface Explained {
  workload: string;
  measure: Measure;
  peer?: SubjectName;
  title: string;
  sentences: string;
}

const CACHE =
  'Bare reads key, permissions, project and people for every request. Ours remembers them for one to five seconds.';

export const explanations: readonly Explained[] = [
  {
    workload: 'W1',
    measure: 'server',
    peer: 'postgraphile',
    title: 'W1, one attachment over HAL: server, ours : PostGraphile',
    sentences:
      'PostGraphile reads only the row of the attachment, and checks no key and no permission. Ours checks both, and embeds author and work package.',
  },
  {
    workload: 'W1',
    measure: 'server and database',
    peer: 'postgraphile',
    title: 'W1: server and database, ours : PostGraphile',
    sentences:
      'All processes of PostgreSQL count. Ours joins the possible containers and the memberships. PostGraphile reads one row by its key.',
  },
  {
    workload: 'W1+',
    measure: 'server',
    peer: 'postgraphile',
    title: 'W1+, the same answer: server, ours : PostGraphile',
    sentences:
      'Here PostGraphile also reads author, work package and project, as the HAL answer has them. It still checks nothing.',
  },
  {
    workload: 'W1+',
    measure: 'server and database',
    peer: 'postgraphile',
    title: 'W1+: server and database, ours : PostGraphile',
    sentences: 'Both join. Only ours checks permissions in SQL.',
  },
  {
    workload: 'W1',
    measure: 'server',
    peer: 'bare',
    title: 'W1: server, ours : bare',
    sentences: `${CACHE} So a part of this ratio is the cache, not the code. Ours reads more columns.`,
  },
  {
    workload: 'W2',
    measure: 'server',
    peer: 'bare',
    title: 'W2, 100 attachments over HAL: server, ours : bare',
    sentences:
      'Bare writes object literals from rows. Ours runs a GraphQL document, and turns its result into HAL. On SQLite ours reads a list as one JSON text, bare as rows.',
  },
  {
    workload: 'W3',
    measure: 'server',
    peer: 'postgraphile',
    title: 'W3, 100 attachments by GraphQL: server, ours : PostGraphile',
    sentences:
      'PostGraphile orders by id and ours by file name. PostGraphile leaves out the permission to delete, and checks nothing.',
  },
  {
    workload: 'W3',
    measure: 'server',
    peer: 'bare',
    title: 'W3: server, ours : bare',
    sentences: 'Bare knows only this document, so it parses and validates no GraphQL.',
  },
  {
    workload: 'W4',
    measure: 'throughput',
    peer: 'bare',
    title: 'W4, uploads of 100 kB, 8 at a time: ours : bare',
    sentences:
      'Both reserve a row, flush the file and commit. Ours also counts the files of the container, reads it again and writes an event. PostgreSQL does not flush here, SQLite does.',
  },
  {
    workload: 'W1L',
    measure: 'server',
    peer: 'bare',
    title: 'W1L, one file link over HAL: server, ours : bare',
    sentences:
      'Both ask the storage for the file, with the decrypted token of the caller. Ours also checks addresses, sizes and deadlines of calls, and compares what it stored.',
  },
  {
    workload: 'W3L',
    measure: 'server',
    peer: 'bare',
    title: 'W3L, 100 file links by GraphQL: server, ours : bare',
    sentences: 'Both ask the storage once for all files. The storage answers at once.',
  },
  {
    workload: 'WS',
    measure: 'server',
    peer: 'bare',
    title: 'WS, a word in 100 of 10,000 work packages by GraphQL: server, ours : bare',
    sentences:
      'Bare compares rows with one `like` until it has a page, here a fifth of them. Ours first counts the rows in the projects of the caller, here more than it then reads, and asks an index for the word. It also looks for the word in the names of projects, types and statuses. That pays in large tables, see [Searching](#searching).',
  },
  {
    workload: 'W1',
    measure: 'p99 : median at half load',
    title: 'W1: 99th percentile : median at half load',
    sentences:
      'Requests arrive at a fixed rate, half of what this program answered in the same run. The client shares the processors.',
  },
  {
    workload: 'memory',
    measure: 'idle memory after a collection',
    title: 'Resident memory, idle after many requests, after a forced collection',
    sentences:
      '94 % of the requests are W1, the others W2, W3 and W4 in equal parts. A real process collects later, or never while it is idle.',
  },
  {
    workload: 'memory',
    measure: 'idle memory',
    title: 'The same without a forced collection',
    sentences: 'It is read when it has not become less for ten seconds, in a quick run for two.',
  },
];
