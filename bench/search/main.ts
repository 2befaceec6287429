/**
 * `npm run bench:search`: searches and lists work packages over GraphQL, with ten thousand and a million rows, beside the bare SQL.
 *
 * Options: `--quick` ten thousand rows only, `--database sqlite|postgres|both`. A full run is saved as `bench/results/search.{json,md}`.
 */
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import type { DatabaseKind } from '../databases.js';
import { databaseNames, databaseOptions, headOf, progress, saveReport, startRun } from '../run.js';
import { keys, startWorld, type Caller, type World } from './world.js';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    database: { type: 'string', default: 'both' },
  },
});
const kinds = databaseOptions[options.database];
if (!kinds) throw new Error(`--database takes ${Object.keys(databaseOptions).join(', ')}.`);

const searches = {
  'a word in half of all rows': { search: 'cable' },
  'a word in 50 of a million rows': { search: 'xylophone' },
  'two words in half of all rows, together': { search: 'item cable' },
  'two words': { search: 'brick batch99' },
  'a part of a word in 1 of 90 rows': { search: 'batch99' },
  'two words in half of all rows, never together': { search: 'cable brick' },
  'a part of a word in 1 of 1,000 rows': { search: 'tch996' },
  'a word that is nowhere': { search: 'zeppelin' },
  'a part of three letters in half of all rows': { search: 'cab' },
  'a part of three letters, nowhere': { search: 'zqx' },
  'a word of two letters, nowhere': { search: 'zq' },
  'a text in half of all descriptions': { text: 'gloves and helmets' },
  'a text in 50 of a million descriptions': { text: 'the vibraphone' },
  'a text that is nowhere': { text: 'the zeppelin of hall' },
  'a number': { search: '#4711' },
  'no search': {},
  'no search, newest changes first': { orderBy: 'UPDATED_AT_DESC' },
  'the list of a project': { identifier: 'the first one of the caller' },
} as const;
type Case = keyof typeof searches;

const callers: { [caller in Caller]: string } = {
  one: 'one project',
  eleven: 'eleven projects',
  many: 'a thousand projects',
  small: 'two hundred small projects',
  admin: 'an administrator',
};

const ROUNDS = 15;

interface Row {
  database: DatabaseKind;
  count: number;
  what: Case;
  caller: Caller;
  page: number;
  withTotal: number;
  /** Absent where the bare statement is not comparable. */
  bare: number | undefined;
}

interface Variables {
  search?: string;
  /** In the subject or the description. */
  text?: string;
  orderBy?: string;
  /** Of a project. */
  identifier?: string;
}

const PAGE = 'nodes { databaseId subject } pageInfo { endCursor }';
const TOTAL = `totalCount totalIsAtLeast ${PAGE}`;
const documentOf = ({ identifier }: Variables, fields: string) =>
  identifier === undefined
    ? `query ($search: String, $text: String, $orderBy: [WorkPackageOrder!]) { workPackages(filter: { search: $search, text: $text }, orderBy: $orderBy) { ${fields} } }`
    : `query ($identifier: String) { project(identifier: $identifier) { workPackages { ${fields} } } }`;

const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function ask(world: World, caller: Caller, fields: string, variables: Variables) {
  const query = documentOf(variables, fields);
  const answer = await fetch(`${world.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${keys[caller]}` },
    body: JSON.stringify({ query, variables }),
  });
  const { errors } = (await answer.json()) as { errors?: object[] };
  if (errors) throw new Error(JSON.stringify(errors));
}

/** What one would write without an index and without permissions of roles. */
async function bare(world: World, caller: Caller, { search, identifier }: Variables) {
  const rows = world.read('work_packages').select('id', 'subject').orderBy('id').limit(21);
  if (search) rows.where('search_text', 'like', `%${search}%`);
  if (identifier)
    rows.whereIn('project_id', world.read('projects').select('id').where({ identifier }));
  if (caller !== 'admin')
    rows.whereIn(
      'project_id',
      world.read('memberships').select('project_id').where('user_id', world.users[caller]),
    );
  await rows;
}

async function measure(kind: DatabaseKind, count: number): Promise<Row[]> {
  progress(`${databaseNames[kind]}: ${count} work packages`);
  const world = await startWorld(kind, count);
  try {
    const rows: Row[] = [];
    for (const [what, given] of Object.entries(searches) as [Case, Variables][])
      for (const caller of Object.keys(callers) as Caller[]) {
        const variables =
          'identifier' in given ? { identifier: await world.projectOf(caller) } : given;
        const [page, withTotal, plain]: [number[], number[], number[]] = [[], [], []];
        await ask(world, caller, PAGE, variables);
        for (let round = 0; round < ROUNDS; round += 1) {
          page.push(await timed(() => ask(world, caller, PAGE, variables)));
          withTotal.push(await timed(() => ask(world, caller, TOTAL, variables)));
          plain.push(await timed(() => bare(world, caller, variables)));
        }
        const isComparable =
          variables.search?.startsWith('#') !== true &&
          !('orderBy' in variables) &&
          !('text' in variables);
        rows.push({
          database: kind,
          count,
          what,
          caller,
          page: median(page),
          withTotal: median(withTotal),
          bare: isComparable ? median(plain) : undefined,
        });
        progress(`${what}, ${callers[caller]}: ${rows.at(-1)!.page.toFixed(1)} ms`);
      }
    return rows;
  } finally {
    await world.stop();
  }
}

const run = startRun(options.quick);
const rows: Row[] = [];
for (const kind of kinds)
  for (const count of options.quick ? [10_000] : [10_000, 1_000_000])
    rows.push(...(await measure(kind, count)));

const ms = (value: number | undefined) => (value === undefined ? '–' : value.toFixed(1));
const tables = kinds.map((kind) =>
  [
    `## ${databaseNames[kind]}`,
    '',
    '| rows | search | caller | page | page and total | bare SQL |',
    '|---|---|---|---|---|---|',
    ...rows
      .filter(({ database }) => database === kind)
      .map(
        (row) =>
          `| ${row.count.toLocaleString('en-US')} | ${row.what} | ${callers[row.caller]} | ${ms(row.page)} | ${ms(row.withTotal)} | ${ms(row.bare)} |`,
      ),
  ].join('\n'),
);
saveReport(
  'search',
  { ...run, rows },
  [
    '# Searching work packages',
    headOf(run, 'the database and the client'),
    `Milliseconds for one request over HTTP, medians of ${ROUNDS}. "Bare SQL" is one statement with \`like\`, sent by the same process.`,
    ...tables,
  ].join('\n\n'),
  !options.quick && kinds.length === 2,
);
