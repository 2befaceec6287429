/** The permission matrix: every operation, for every kind of thing, as every kind of caller, over both protocols. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openS3 } from '../../src/blobs/s3.js';
import { startApp, type App } from '../support/app.js';
import type { Person } from '../support/factories.js';
import { callers, cells, exclusions, isExcluded, kinds, oneProtocol, operations, protocolsOf, type Cell, type Kind, type Operation, type Outcome } from './cells.js';
import { deeds, over, type Asker, type Result } from './deeds.js';
import { missing, World, type Subject } from './world.js';

let app: App;
let world: World;
beforeAll(async () => {
  app = await startApp();
  // The bytes stay on disk; forms are signed without asking the store, which is not there.
  const { directUpload } = openS3({ endpoint: 'http://127.0.0.1:9', region: 'us-east-1', bucket: 'none', credentials: { accessKeyId: 'key', secretAccessKey: 'secret' }, forcePathStyle: true });
  app.running.services.blobs.directUpload = directUpload!;
  world = await World.make(app);
});
afterAll(() => app.stop());

const refusals: { readonly [outcome in Outcome]?: { identifier: string; code: string } } = {
  403: { identifier: 'MissingPermission', code: 'MISSING_PERMISSION' },
  404: { identifier: 'NotFound', code: 'NOT_FOUND' },
  422: { identifier: 'PropertyConstraintViolation', code: 'PROPERTY_CONSTRAINT_VIOLATION' },
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
  const everything = Object.keys(operations).flatMap((operation) => Object.keys(kinds).flatMap((kind) => Object.keys(callers).map((caller) => ({ operation, kind, caller }) as Cell)));
  const keyOf = ({ operation, kind, caller }: Omit<Cell, 'outcome'>) => `${operation} | ${kind} | ${caller}`;
  const told = new Map<string, Cell[]>();
  for (const cell of cells) told.set(keyOf(cell), [...(told.get(keyOf(cell)) ?? []), cell]);

  test('every combination of operation, kind and caller is a cell or a listed exclusion', () => {
    const unaccounted = everything.filter((one) => Number((told.get(keyOf(one)) ?? []).some(({ outcome }) => outcome !== '-')) + Number(isExcluded(one)) !== 1);
    expect(unaccounted.map(keyOf)).toEqual([]);
  });

  test('every cell belongs to the cross product, is told once and has a known outcome', () => {
    const known = new Set(everything.map(keyOf));
    expect([...told].filter(([key, all]) => !known.has(key) || all.length > 1 || !['ok', '403', '404', '422', 'out', '-'].includes(all[0]!.outcome)).map(([key]) => key)).toEqual([]);
  });

  test('every exclusion and every missing protocol excludes something and has a reason', () => {
    for (const { reason, kinds: of, operations: what } of [...exclusions, ...oneProtocol]) expect([reason.length > 20, of.length > 0, what.length > 0]).toEqual([true, true, true]);
  });

  test('every cell can be asked over each of its protocols', () => {
    for (const { operation, kind, outcome } of cells) if (outcome !== '-') expect(over(operation, kind).map(({ run }) => typeof run)).toEqual(protocolsOf(operation, kind).map(() => 'function'));
  });
});

describe.each(Object.entries(callers))('%s', (code, caller) => {
  let person: Person | undefined;
  const followed = new Set<string>();
  beforeAll(async () => {
    person = await world.enter(caller);
  });
  const looks: Asker['looks'] = new Map();
  const asker = (): Asker => ({ app, person, looks });
  const subjectOf = (operation: Operation, kind: Kind, outcome: string) =>
    outcome === 'ok' && deeds[operation].consumes ? world.fresh(caller, person, operation, kind) : world.shared(caller, person, operation, kind);

  for (const cell of cells.filter((one) => one.caller === code && one.outcome !== '-')) {
    const { operation, kind, outcome } = cell;
    test(nameOf(cell), async () => {
      const asked = over(operation, kind).map(({ protocol, run }) => async () => expectCell(cell, protocol, run));
      // Two requests that change nothing do not disturb each other.
      if (mayWrite(cell)) for (const one of asked) await one();
      else await Promise.all(asked.map((one) => one()));
      const { alsoSees } = deeds[operation];
      if (alsoSees) expect(await alsoSees(asker(), await subjectOf(operation, kind, outcome))).toBe(outcome === 'ok');
    });
  }

  async function expectCell(cell: Cell, protocol: 'REST' | 'GraphQL', run: (asker: Asker, subject: Subject) => Promise<Result>) {
    const { operation, kind, outcome } = cell;
    const subject = await subjectOf(operation, kind, outcome);
    if (outcome !== '404') await expectOffers(operation, subject, outcome === 'ok');
    const { result, changed } = await world.watch(subject, () => run(asker(), subject), mayWrite(cell));
    expect([protocol, result.outcome, result.refusal]).toEqual([protocol, outcome, expectedRefusal(protocol, outcome)]);
    expect([protocol, changed]).toEqual([protocol, outcome === 'ok' && (deeds[operation].writes ?? false)]);
    if (conceals(cell)) expect(result.refused).toBe(await refusedWhereMissing(cell, protocol, () => run(asker(), missing(subject, outcome))));
    if (outcome === 'ok' && protocol === 'REST' && operation.startsWith('view')) await expectLinks(result.body);
  }

  const expectedRefusal = (protocol: string, outcome: Cell['outcome']) => {
    const refusal = refusals[outcome as Outcome];
    return refusal && (protocol === 'REST' ? { identifier: refusal.identifier } : refusal);
  };

  /** Links and `viewerCan…` fields say what the deed will answer. */
  async function expectOffers(operation: Operation, subject: Subject, expected: boolean) {
    for (const [offer, { only, ask }] of Object.entries(deeds[operation].offers ?? {})) {
      if (only?.(subject.kind) ?? true) expect([offer, await ask(asker(), subject)]).toEqual([offer, expected]);
    }
  }

  /** Whoever sees a representation can follow its links; those that open something lead elsewhere. */
  async function expectLinks(body: object) {
    for (const href of hrefsIn(body)) {
      if (followed.has(href)) continue;
      followed.add(href);
      expect([href, (await app.get(href, person)).status]).toEqual([href, href.endsWith('/open') ? 303 : 200]);
    }
  }
});

/** A claim is refused in the midst of its transaction; whoever lacks sight or permission does not even get there. */
const mayWrite = ({ operation, outcome }: Cell) => (deeds[operation].writes ?? false) && (outcome === 'ok' || outcome === '422');

/** Refusals that must not tell whether the thing exists. */
const conceals = ({ operation, outcome }: Cell) => outcome === '404' || (outcome === '422' && !operation.startsWith('claim claimed'));

const askedOnce = new Map<string, Promise<Result>>();

/** The refusal of the same request about something that does not exist, asked once for each kind and each of signed in or not. */
async function refusedWhereMissing({ operation, kind, caller, outcome }: Cell, protocol: string, ask: () => Promise<Result>): Promise<string | undefined> {
  const key = [operation, kind, outcome, protocol, callers[caller]!.visitor].join();
  askedOnce.set(key, askedOnce.get(key) ?? ask());
  return (await askedOnce.get(key)!).refused;
}

/** Every address of a document that a GET of this interface is meant for. */
function hrefsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { href, method } = value as { href?: unknown; method?: unknown };
  if (typeof href === 'string') return method === undefined && href.startsWith('/api/v3') ? [href] : [];
  return Object.values(value).flatMap(hrefsIn);
}
