/**
 * `npm run test:abuse [-- --seconds 600 --seed 1 --way documents --database postgres --tolerance 2]`: for each way in, it
 * searches the most expensive input within the limits. It fails if one costs more than its budget times the tolerance.
 */
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { Random } from '../crash/random.js';
import type { Cost } from './budgets.js';
import { search, type Found } from './search.js';
import { Subject } from './subject.js';
import type { Way } from './way.js';
import { documents } from './ways/documents.js';
import { lists, uploads } from './ways/files.js';
import { listedIds } from './ways/listed-ids.js';
import { fileSearches, filteredLists, leavers, searches } from './ways/lists.js';
import { begunUploads, manyFiles } from './ways/many-files.js';
import {
  filteredNotifications,
  listedNotifications,
  marks,
  streamedNotifications,
} from './ways/notifications.js';
import { arriving, packets, readers, readersOfDocuments, readersOfLists } from './ways/readers.js';
import * as requests from './ways/requests.js';
import * as storages from './ways/storages.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string' },
    way: { type: 'string', multiple: true },
    database: { type: 'string', default: 'sqlite' },
    tolerance: { type: 'string', default: '1' },
  },
});
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
const tolerance = Number(values.tolerance);

const ways: readonly Way<never>[] = [
  documents,
  requests.brokenDocuments,
  requests.variables,
  requests.forms,
  requests.bodies,
  requests.filters,
  requests.queries,
  searches,
  fileSearches,
  leavers,
  filteredLists,
  listedIds,
  manyFiles,
  begunUploads,
  listedNotifications,
  filteredNotifications,
  marks,
  streamedNotifications,
  requests.headers,
  requests.names,
  requests.markdown,
  readers,
  readersOfLists,
  readersOfDocuments,
  packets,
  arriving,
  uploads,
  lists,
  storages.xmlOfStorages,
  storages.jsonOfDrives,
  storages.jsonOfFileServers,
].filter(({ name }) => values.way?.includes(name) ?? true) as unknown as Way<never>[];

const subject = await Subject.start(values.database);
process.stdout.write(`seed ${seed}, ${values.database}, ${ways.length} ways\n`);
let failed = 0;
try {
  for (const way of ways) {
    const seconds = Number(values.seconds) / ways.length;
    const { found, tried } = await search<never>(way, subject, new Random(seed), seconds);
    const [worst] = found;
    const isTooMuch = !worst || worst.times > tolerance;
    if (isTooMuch) failed += 1;
    process.stdout.write(`${isTooMuch ? 'FAILED' : 'passed'}  ${way.name}: ${tried} inputs\n`);
    for (const one of found) process.stdout.write(`  ${described(one)}\n`);
  }
} finally {
  await subject.stop();
}
process.stdout.write(`\n${ways.length - failed} passed, ${failed} failed, 0 skipped\n`);
process.exit(failed > 0 || ways.length === 0 ? 1 : 0);

function described({
  cost,
  status,
  times,
  dimension,
  input,
  requests: sent,
}: Found<never>): string {
  const figures = (Object.entries(cost) as [keyof Cost, number][])
    .map(([name, value]) => `${name} ${value.toFixed(name === 'rows' ? 0 : 1)}`)
    .join(', ');
  const last = sent.at(-1)!;
  const bytes = last.path.length + Buffer.byteLength((last.body as string | undefined) ?? '');
  return `${times.toFixed(2)} of the ${dimension} budget: ${figures}; ${bytes} bytes, answered ${status ?? 'nothing'}: ${JSON.stringify(input).slice(0, 200)}`;
}
