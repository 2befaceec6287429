/** Checks one cell of the matrix over each of its protocols, and returns everything that is wrong. */
import { isDeepStrictEqual } from 'node:util';
import { callers, cells, protocolsOf, type Cell, type Kind, type Outcome } from './expected.js';
import type { Fixtures } from './fixtures.js';
import { protocolRequests, requests } from './operations.js';
import type { Client, Result } from './requests.js';
import { missing, type Subject } from './targets.js';

type Protocol = 'REST' | 'GraphQL';

/** What the cells of one caller share. */
export interface CallerSession {
  fixtures: Fixtures;
  client: Client;
  /** Links that were followed already. */
  followed: Set<string>;
}

const refusals: { readonly [outcome in Outcome]?: { identifier: string; code: string } } = {
  400: { identifier: 'InvalidQuery', code: 'INVALID_QUERY' },
  403: { identifier: 'MissingPermission', code: 'MISSING_PERMISSION' },
  404: { identifier: 'NotFound', code: 'NOT_FOUND' },
  422: { identifier: 'PropertyConstraintViolation', code: 'PROPERTY_CONSTRAINT_VIOLATION' },
  500: { identifier: 'OutboundRequest:NotFound', code: 'OUTBOUND_REQUEST_NOT_FOUND' },
};

const expectedRefusal = (protocol: Protocol, outcome: Cell['outcome']) => {
  const refusal = refusals[outcome as Outcome];
  return refusal && (protocol === 'REST' ? { identifier: refusal.identifier } : refusal);
};

/** One wrong result. */
export interface Wrong {
  cell: Cell;
  protocol: string;
  /** The check that failed, e.g. `answer` or the name of a link. */
  what: string;
  expected: unknown;
  got: unknown;
}

export const CHANGE = 'change of the database';

export const lineOf = ({ cell, protocol, what, expected, got }: Wrong): string =>
  [
    cell.operation,
    cell.kind,
    callers[cell.caller]!.name,
    protocol,
    `${what}: expected ${text(expected)}, got ${text(got)}`,
  ].join(' | ');

/** For example `403 MissingPermission`. Over GraphQL the code follows. */
const answerOf = (outcome: string, refusal?: Result['refusal']): string =>
  [outcome, ...Object.values(refusal ?? {})].join(' ');

/** @returns everything that is wrong, or nothing */
export async function wrongIn(session: CallerSession, cell: Cell): Promise<Wrong[]> {
  const wrong: Wrong[] = [];
  const { operation, kind, outcome } = cell;
  /** Compares, and notes a difference. */
  const check = (protocol: string, what: string, got: unknown, expected: unknown): boolean => {
    const right = isDeepStrictEqual(got, expected);
    if (!right) wrong.push({ cell, protocol, what, expected, got });
    return right;
  };
  /** Runs a check that sends requests, and notes an error as a wrong result. */
  const attempt = async (protocol: string, what: string, run: () => Promise<void>) => {
    try {
      await run();
    } catch (error) {
      check(
        protocol,
        what,
        `an error: ${error instanceof Error ? error.message : error}`,
        'no error',
      );
    }
  };
  const subject = () => subjectOf(session, cell);

  for (const { protocol, run } of protocolRequests(operation, kind))
    await attempt(protocol, 'request', async () =>
      checkProtocol(session, cell, protocol, run, await subject(), check, attempt),
    );
  const { alsoVisible } = requests[operation];
  if (alsoVisible)
    await attempt('both', 'second way to read it', async () => {
      check(
        'both',
        'second way to read it',
        await alsoVisible(session.client, await subject()),
        outcome === 'ok',
      );
    });
  return wrong;
}

type Check = (protocol: string, what: string, got: unknown, expected: unknown) => boolean;
type Attempt = (protocol: string, what: string, run: () => Promise<void>) => Promise<void>;

async function checkProtocol(
  { fixtures, client, followed }: CallerSession,
  cell: Cell,
  protocol: Protocol,
  run: (client: Client, subject: Subject) => Promise<Result>,
  subject: Subject,
  check: Check,
  attempt: Attempt,
): Promise<void> {
  const { operation, kind, outcome } = cell;
  // Links and `viewerCan…` fields are the same for both protocols, so one check is enough.
  if (outcome !== '404' && protocol === protocolsOf(operation, kind)[0])
    for (const [offer, { appliesTo, isOffered }] of Object.entries(
      requests[operation].offers ?? {},
    ))
      if (appliesTo?.(kind) ?? true)
        await attempt(protocol, offer, async () => {
          check(protocol, offer, await isOffered(client, subject), outcome === 'ok');
        });
  const { result, changed } = await fixtures.observe(
    subject,
    () => run(client, subject),
    mayWrite(cell),
  );
  const asExpected = check(
    protocol,
    'answer',
    answerOf(result.outcome, result.refusal),
    answerOf(outcome, expectedRefusal(protocol, outcome)),
  );
  check(protocol, CHANGE, changed, outcome === 'ok' && (requests[operation].writes ?? false));
  if (!asExpected) return;
  if (isConcealed(cell))
    await attempt(protocol, 'same refusal as for a missing record', async () => {
      const expected = await refusalWhereMissing(fixtures, cell, protocol, () =>
        run(client, missing(subject, outcome)),
      );
      check(protocol, 'same refusal as for a missing record', result.refusalText, expected);
    });
  if (outcome === 'ok' && protocol === 'REST' && operation.startsWith('view'))
    for (const href of hrefsIn(result.body)) {
      if (followed.has(href)) continue;
      followed.add(href);
      await attempt(protocol, `link ${href}`, async () => {
        const { status } = await client.app.get(href, client.person);
        check(protocol, `link ${href}`, status, expectedStatus(href, subject));
      });
    }
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');

/** The records of the requests of a cell. They are shared with other cells unless the request uses them up. */
export function subjectOf({ fixtures, client }: CallerSession, cell: Cell): Promise<Subject> {
  const { operation, kind, outcome } = cell;
  const caller = callers[cell.caller]!;
  return outcome === 'ok' && requests[operation].consumes
    ? fixtures.fresh(caller, client.person, operation, kind)
    : fixtures.shared(caller, client.person, operation, kind);
}

/**
 * Whether the request may start to write.
 * Claims are refused inside their transaction. Without visibility or permission there is no transaction.
 * A mark of all rows of a list leaves out rows that the caller does not see.
 * One exception: only the transaction finds out whether the set of file links changes.
 */
export const mayWrite = ({ operation, outcome }: Cell): boolean =>
  (requests[operation].writes ?? false) &&
  (outcome === 'ok' ||
    outcome === '422' ||
    outcome === 'out' ||
    (outcome === '403' && /file link on (create|update)$/.test(operation)));

/** Whether the refusal must be the same for a missing record. Callers who see a storage get a specific error. */
const isConcealed = ({ operation, kind, caller, outcome }: Cell): boolean =>
  outcome === '404' ||
  outcome === '400' ||
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

/** The refusal for a missing record. It is requested once per kind, signed in and anonymously. */
async function refusalWhereMissing(
  { refusalsWhereMissing }: Fixtures,
  { operation, kind, caller, outcome }: Cell,
  protocol: Protocol,
  send: () => Promise<Result>,
): Promise<string | undefined> {
  const key = [operation, kind, outcome, protocol, callers[caller]!.isAnonymous].join();
  const known = refusalsWhereMissing.get(key) ?? send();
  refusalsWhereMissing.set(key, known);
  return (await known).refusalText;
}

/** The status of a link in an answer. Links that open or download a file are redirects. */
function expectedStatus(href: string, { connected }: Subject): number {
  if (href.endsWith('/download') && !connected) return 500;
  return /\/(open(\?location=true)?|download)$/.test(href) ? 303 : 200;
}

/** The addresses of an answer that can be read with GET. */
function hrefsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { href, method } = value as { href?: unknown; method?: unknown };
  if (typeof href === 'string')
    return method === undefined && href.startsWith('/api/v3') ? [href] : [];
  return Object.values(value).flatMap(hrefsIn);
}
