/** The permission matrix: every operation, for every kind of thing, as every kind of caller, over both protocols. */
import { openS3 } from '../../src/blobs/s3.js';
import { startApp, type App } from '../support/app.js';
import type { Person } from '../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../support/jest.js';
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
  type Kind,
  type Operation,
  type Outcome,
} from './expected.js';
import type { Asker, Result } from './requests.js';
import { deeds, over } from './operations.js';
import { missing, type Subject } from './targets.js';
import { World } from './fixtures.js';

let app: App;
let world: World;
beforeAll(async () => {
  app = await startApp();
  // The bytes stay on disk; forms are signed without asking the store, which is not there.
  const { directUpload } = openS3({
    endpoint: 'http://127.0.0.1:9',
    region: 'us-east-1',
    bucket: 'none',
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    forcePathStyle: true,
  });
  app.running.services.blobs.directUpload = directUpload!;
  world = await World.make(app);
});
afterAll(async () => {
  await app.stop();
  await world.close();
});

const refusals: { readonly [outcome in Outcome]?: { identifier: string; code: string } } = {
  403: { identifier: 'MissingPermission', code: 'MISSING_PERMISSION' },
  404: { identifier: 'NotFound', code: 'NOT_FOUND' },
  422: { identifier: 'PropertyConstraintViolation', code: 'PROPERTY_CONSTRAINT_VIOLATION' },
  500: { identifier: 'OutboundRequest:NotFound', code: 'OUTBOUND_REQUEST:NOT_FOUND' },
};

const nameOf = ({ operation, kind, caller, outcome }: Cell): string => {
  const { title, about } = operations[operation];
  const protocols = protocolsOf(operation, kind);
  const refusal = refusals[outcome as Outcome];
  const answers = refusal
    ? `answers ${protocols.map((protocol) => `${protocol === 'REST' ? outcome : refusal.code} over ${protocol}`).join(' and ')}`
    : `${outcome === 'ok' ? 'is allowed' : 'leaves it out'} over ${protocols.join(' and ')}`;
  return `${title.replace('%', kinds[kind][about])} as ${callers[caller]!.name} ${answers}`;
};

describe('the matrix', () => {
  const everything = Object.keys(operations).flatMap((operation) =>
    Object.keys(kinds).flatMap((kind) =>
      Object.keys(callers).map((caller) => ({ operation, kind, caller }) as Cell),
    ),
  );
  const keyOf = ({ operation, kind, caller }: Omit<Cell, 'outcome'>) =>
    `${operation} | ${kind} | ${caller}`;
  const told = new Map<string, Cell[]>();
  for (const cell of cells) told.set(keyOf(cell), [...(told.get(keyOf(cell)) ?? []), cell]);

  test('every combination of operation, kind and caller is a cell or a listed exclusion', () => {
    const unaccounted = everything.filter(
      (one) =>
        Number((told.get(keyOf(one)) ?? []).some(({ outcome }) => outcome !== '-')) +
          Number(isExcluded(one)) !==
        1,
    );
    expect(unaccounted.map(keyOf)).toEqual([]);
  });

  test('every cell belongs to the cross product, is told once and has a known outcome', () => {
    const known = new Set(everything.map(keyOf));
    expect(
      [...told]
        .filter(
          ([key, all]) =>
            !known.has(key) ||
            all.length > 1 ||
            !['ok', '403', '404', '422', '500', 'out', '-'].includes(all[0]!.outcome),
        )
        .map(([key]) => key),
    ).toEqual([]);
  });

  test('every exclusion and every missing protocol excludes something and has a reason', () => {
    for (const { reason, kinds: of, operations: what } of [...exclusions, ...oneProtocol])
      expect([reason.length > 20, of.length > 0, what.length > 0]).toEqual([true, true, true]);
  });

  test('every cell can be asked over each of its protocols', () => {
    for (const { operation, kind, outcome } of cells)
      if (outcome !== '-')
        expect(over(operation, kind).map(({ run }) => typeof run)).toEqual(
          protocolsOf(operation, kind).map(() => 'function'),
        );
  });
});

describe.each(Object.entries(callers))('%s', (code, caller) => {
  let person: Person | undefined;
  const followed = new Set<string>();
  const looks: Asker['looks'] = new Map();
  const asker = (): Asker => ({ app, person, looks });
  const subjectOf = (operation: Operation, kind: Kind, outcome: string) =>
    outcome === 'ok' && deeds[operation].consumes
      ? world.fresh(caller, person, operation, kind)
      : world.shared(caller, person, operation, kind);
  const own = cells.filter((one) => one.caller === code && one.outcome !== '-');
  /** How the cells that change nothing came out. */
  const done = new Map<Cell, () => void>();

  // Requests that change nothing do not disturb each other, so they are sent together, once everything that they are about is there.
  beforeAll(async () => {
    person = await world.enter(caller);
    const reads = own.filter((cell) => !mayWrite(cell));
    await together(reads, ({ operation, kind, outcome }) => subjectOf(operation, kind, outcome));
    await together(reads, async (cell) => {
      done.set(
        cell,
        await expectAll(cell).then(
          () => () => undefined,
          (error: unknown) => () => {
            throw error;
          },
        ),
      );
    });
  }, 120_000);

  for (const cell of own)
    test(nameOf(cell), () => (mayWrite(cell) ? expectAll(cell) : done.get(cell)!()));

  async function expectAll(cell: Cell): Promise<void> {
    const { operation, kind, outcome } = cell;
    for (const { protocol, run } of over(operation, kind)) await expectCell(cell, protocol, run);
    const { alsoSees } = deeds[operation];
    if (alsoSees)
      expect(await alsoSees(asker(), await subjectOf(operation, kind, outcome))).toBe(
        outcome === 'ok',
      );
  }

  async function expectCell(
    cell: Cell,
    protocol: 'REST' | 'GraphQL',
    run: (asker: Asker, subject: Subject) => Promise<Result>,
  ) {
    const { operation, kind, outcome } = cell;
    const subject = await subjectOf(operation, kind, outcome);
    // Once for each cell: both protocols are offered the same, and answer the same.
    if (outcome !== '404' && protocol === protocolsOf(operation, kind)[0])
      await expectOffers(operation, subject, outcome === 'ok');
    const { result, changed } = await world.watch(
      subject,
      () => run(asker(), subject),
      mayWrite(cell),
    );
    expect([protocol, result.outcome, result.refusal]).toEqual([
      protocol,
      outcome,
      expectedRefusal(protocol, outcome),
    ]);
    expect([protocol, changed]).toEqual([
      protocol,
      outcome === 'ok' && (deeds[operation].writes ?? false),
    ]);
    if (conceals(cell))
      expect(result.refused).toBe(
        await refusedWhereMissing(cell, protocol, () => run(asker(), missing(subject, outcome))),
      );
    if (outcome === 'ok' && protocol === 'REST' && operation.startsWith('view'))
      await expectLinks(result.body, subject);
  }

  const expectedRefusal = (protocol: string, outcome: Cell['outcome']) => {
    const refusal = refusals[outcome as Outcome];
    return refusal && (protocol === 'REST' ? { identifier: refusal.identifier } : refusal);
  };

  /** Links and `viewerCan…` fields say what the deed will answer. */
  async function expectOffers(operation: Operation, subject: Subject, expected: boolean) {
    for (const [offer, { only, ask }] of Object.entries(deeds[operation].offers ?? {})) {
      if (only?.(subject.kind) ?? true)
        expect([offer, await ask(asker(), subject)]).toEqual([offer, expected]);
    }
  }

  /** Whoever sees a representation can follow its links; those that open something lead elsewhere. */
  async function expectLinks(body: object, { connected }: Subject) {
    for (const href of hrefsIn(body)) {
      if (followed.has(href)) continue;
      followed.add(href);
      const leads =
        href.endsWith('/download') && !connected
          ? 500
          : /\/(open(\?location=true)?|download)$/.test(href)
            ? 303
            : 200;
      expect([href, (await app.get(href, person)).status]).toEqual([href, leads]);
    }
  }
});

const AT_ONCE = 8;

async function together<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const rest = all.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const one of rest) await work(one);
    }),
  );
}

/**
 * A claim is refused in the midst of its transaction; whoever lacks sight or permission does not even get there, but that the set of
 * file links would change is only known inside.
 */
const mayWrite = ({ operation, outcome }: Cell) =>
  (deeds[operation].writes ?? false) &&
  (outcome === 'ok' ||
    outcome === '422' ||
    (outcome === '403' && /file link on (create|update)$/.test(operation)));

/** Refusals that must not tell whether the thing exists; whoever sees a storage is told what is wrong with it. */
const conceals = ({ operation, kind, caller, outcome }: Cell) =>
  outcome === '404' ||
  (outcome === '422' &&
    (/^claim (own|another)/.test(operation) ||
      (/^create (unclaimed )?file links$/.test(operation) && isHidden(kind, caller))));
const isHidden = (storage: Kind, caller: string) =>
  cells.some(
    (one) =>
      one.operation === 'browse files' &&
      one.kind === storage &&
      one.caller === caller &&
      one.outcome === '404',
  );

const askedOnce = new Map<string, Promise<Result>>();

/** The refusal of the same request about something that does not exist, asked once for each kind and each of signed in or not. */
async function refusedWhereMissing(
  { operation, kind, caller, outcome }: Cell,
  protocol: string,
  ask: () => Promise<Result>,
): Promise<string | undefined> {
  const key = [operation, kind, outcome, protocol, callers[caller]!.visitor].join();
  askedOnce.set(key, askedOnce.get(key) ?? ask());
  return (await askedOnce.get(key)!).refused;
}

/** Every address of a document that a GET of this interface is meant for. */
function hrefsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { href, method } = value as { href?: unknown; method?: unknown };
  if (typeof href === 'string')
    return method === undefined && href.startsWith('/api/v3') ? [href] : [];
  return Object.values(value).flatMap(hrefsIn);
}
