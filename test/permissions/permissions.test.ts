/** The permission matrix: every operation, for every kind of record, as every kind of caller, over both protocols. */
import { openS3 } from '../../src/blobs/s3.js';
import { startApp, type App } from '../support/app.js';
import { afterAll, beforeAll, describe, expect, test } from '../support/jest.js';
import {
  CHANGE,
  lineOf,
  mayWrite,
  subjectOf,
  wrongIn,
  type CallerSession,
  type Wrong,
} from './cell-check.js';
import {
  callers,
  cells,
  exclusions,
  isExcluded,
  kinds,
  oneProtocol,
  operations,
  protocolsOf,
  type Cell,
} from './expected.js';
import { Fixtures } from './fixtures.js';
import { protocolRequests } from './operations.js';

let app: App;
let fixtures: Fixtures;
beforeAll(async () => {
  app = await startApp();
  // Content is stored on disk. Upload forms are signed without a request to the S3 server, so none is running.
  const { directUpload } = openS3({
    endpoint: 'http://127.0.0.1:9',
    region: 'us-east-1',
    bucket: 'none',
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    forcePathStyle: true,
  });
  app.running.services.blobs.directUpload = directUpload!;
  fixtures = await Fixtures.make(app);
});
afterAll(async () => {
  await app.stop();
  await fixtures.close();
});

describe('the tables', () => {
  const combinations = operations.flatMap((operation) =>
    kinds.flatMap((kind) => Object.keys(callers).map((caller) => ({ operation, kind, caller }))),
  );
  const keyOf = ({ operation, kind, caller }: Omit<Cell, 'outcome'>) =>
    `${operation} | ${kind} | ${caller}`;
  const listed = new Map<string, Cell[]>();
  for (const cell of cells) listed.set(keyOf(cell), [...(listed.get(keyOf(cell)) ?? []), cell]);

  test('have a cell or an exclusion for every combination of operation, kind and caller', () => {
    const unaccounted = combinations.filter(
      (one) =>
        Number((listed.get(keyOf(one)) ?? []).some(({ outcome }) => outcome !== '-')) +
          Number(isExcluded(one)) !==
        1,
    );
    expect(unaccounted.map(keyOf)).toEqual([]);
  });

  test('have only known combinations, each once, with a known outcome', () => {
    const known = new Set(combinations.map(keyOf));
    expect(
      [...listed]
        .filter(
          ([key, all]) =>
            !known.has(key) ||
            all.length > 1 ||
            !['ok', '400', '403', '404', '422', '500', 'out', '-'].includes(all[0]!.outcome),
        )
        .map(([key]) => key),
    ).toEqual([]);
  });

  test('have a reason for every exclusion and every missing protocol', () => {
    for (const { reason, kinds: of, operations: what } of [...exclusions, ...oneProtocol])
      expect([reason.length > 20, of.length > 0, what.length > 0]).toEqual([true, true, true]);
  });

  test('have a request for every cell, over each of its protocols', () => {
    for (const { operation, kind, outcome } of cells)
      if (outcome !== '-')
        expect(protocolRequests(operation, kind).map(({ run }) => typeof run)).toEqual(
          protocolsOf(operation, kind).map(() => 'function'),
        );
  });
});

describe.each(
  Object.entries(callers).map(([code, caller]) => [caller.name, code, caller] as const),
)('as %s', (_name, code, caller) => {
  const own = cells.filter((one) => one.caller === code && one.outcome !== '-');
  const ofOperation = new Map(
    operations.map((operation) => [operation, own.filter((one) => one.operation === operation)]),
  );
  /** The wrong results of the cells that write nothing. */
  const wrongReads = new Map<Cell, Wrong[]>();

  // The first test does this, and not a hook: hooks also run if no test of the group is selected.
  const start = once(async (): Promise<CallerSession> => {
    const person = await fixtures.signIn(caller);
    const session = {
      fixtures,
      client: { app, person, answers: new Map() },
      followed: new Set<string>(),
    };
    await checkReads(
      session,
      own.filter((cell) => !mayWrite(cell)),
      wrongReads,
    );
    return session;
  });

  for (const [operation, all] of ofOperation)
    if (all.length > 0)
      test(
        titleOf(operation, all),
        async () => {
          const session = await start();
          const wrong: Wrong[] = [];
          for (const cell of all)
            wrong.push(...(mayWrite(cell) ? await wrongIn(session, cell) : wrongReads.get(cell)!));
          expect(wrong.map(lineOf)).toEqual([]);
        },
        120_000,
      );
});

/** The operation, with the number of its cells. */
function titleOf(operation: string, all: readonly Cell[]): string {
  const protocols = all.flatMap(({ operation: one, kind }) => protocolsOf(one, kind));
  return `${operation}: ${all.length} kinds, ${[...new Set(protocols)].join(' and ')}`;
}

/** Checks the cells whose requests write nothing. They cannot affect each other, so they run at the same time. */
async function checkReads(
  session: CallerSession,
  reads: readonly Cell[],
  wrong: Map<Cell, Wrong[]>,
): Promise<void> {
  await concurrently(reads, (cell) => subjectOf(session, cell));
  await concurrently(reads, async (cell) => {
    wrong.set(cell, await wrongIn(session, cell));
  });
  // A wrong write also shows up in cells that run at the same time. These are right when they run alone.
  const suspects = reads.filter(
    (cell) => wrong.get(cell)!.length > 0 && wrong.get(cell)!.every(({ what }) => what === CHANGE),
  );
  const alone = new Map<Cell, Wrong[]>();
  for (const cell of suspects) alone.set(cell, await wrongIn(session, cell));
  const explained = reads.some((cell) => (alone.get(cell) ?? wrong.get(cell)!).length > 0);
  if (explained) for (const [cell, found] of alone) wrong.set(cell, found);
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

const AT_ONCE = 8;

async function concurrently<T>(
  all: readonly T[],
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  const rest = all.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const one of rest) await work(one);
    }),
  );
}
