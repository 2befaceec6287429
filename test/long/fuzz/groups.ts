/** The groups of cases: each operation of each storage, with its true responses and its true result. */
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { Outbound } from '../../../src/outbound/client.js';
import { Deadline } from '../../../src/outbound/deadline.js';
import { OutboundFailure } from '../../../src/outbound/failure.js';
import type { HttpAnswer, HttpRequest } from '../../../src/outbound/http.js';
import { makeMetrics } from '../../../src/observability/metrics.js';
import { FileLinkStatus } from '../../../src/models/file-link.js';
import { AuthorizationState } from '../../../src/models/storage.js';
import type { Access } from '../../../src/storages/adapter.js';
import { StorageFailure } from '../../../src/storages/failure.js';
import { FoldersUnavailable } from '../../../src/storages/managed-folders.js';
import type { Origin } from '../../../src/actions/storages/access/refresh-origins.js';
import type { Desk, Seat } from './service.js';
import { operationsOf } from './operations.js';
import type { Scenario } from './scenarios.js';
import { failure } from './invariants.js';
import { Book, keyOf } from './upstream.js';

const metrics = makeMetrics();

/** The outbound client, with prepared responses. */
export class Scripted extends Outbound {
  constructor(
    storageTimeoutMs: number,
    private readonly reply: (request: HttpRequest, deadline: Deadline) => Promise<HttpAnswer>,
  ) {
    super({ storageConnectTimeoutMs: 1_000, storageTimeoutMs, storageAllowPrivate: true }, metrics);
  }

  override send(
    _target: string,
    request: HttpRequest,
    deadline: Deadline = this.deadline(),
  ): Promise<HttpAnswer> {
    return this.reply(request, deadline);
  }
}

export interface Group {
  scenario: Scenario;
  name: string;
  weight: number;
  /** The true responses. */
  book: Book;
  /** @param lane the number of the case among those that run at the same time */
  run(outbound: Outbound, log: Logger, lane: number): Promise<unknown>;
  /** The error in a result, for any responses. */
  wrong(outcome: Outcome): string | undefined;
  /** The error in the result of a control. */
  truth: Outcome;
}

export type Outcome = { value: unknown } | { error: unknown };

export const settled = (work: Promise<unknown>): Promise<Outcome> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

/** Failures are equal if they have the same kind. */
export function same(one: Outcome, other: Outcome): boolean {
  return isDeepStrictEqual(comparable(one), comparable(other));
}

function comparable(value: unknown): unknown {
  if (value instanceof StorageFailure) return ['StorageFailure', value.kind, value.status];
  if (value instanceof Error) return [value.name, value.message];
  if (value instanceof Map) return [...value].map(([key, one]) => [key, comparable(one)]);
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, comparable(one)]))
    : value;
}

type Draft = Pick<Group, 'name' | 'weight' | 'run'> & {
  wrong(value: unknown): string | undefined;
  expected?: unknown;
};

/** Gets the true responses of a storage once, without those that recordings lack. @param lanes number of cases at the same time */
export async function groupsOf(
  scenario: Scenario,
  desk: Desk,
  lanes: number,
  log: Logger,
): Promise<Group[]> {
  const drafts = [...adapterDrafts(scenario), ...(await actionDrafts(scenario, desk, lanes))];
  const groups: Group[] = [];
  for (const { expected, wrong, ...draft } of drafts) {
    const book = scenario.recorded ?? new Book();
    const { outbound, missed } = source(scenario, book);
    const truth = await settled(draft.run(outbound, log, 0));
    if (missed.length > 0) continue;
    if (!scenario.recorded && !('value' in truth))
      throw new Error(`The ${scenario.name} refused ${draft.name}: ${JSON.stringify(truth)}`);
    if (expected !== undefined && !isDeepStrictEqual(truth, { value: expected }))
      throw new Error(`The ${scenario.name} said of ${draft.name}: ${JSON.stringify(truth)}`);
    groups.push({
      ...draft,
      scenario,
      book,
      truth,
      wrong: (outcome) => ('value' in outcome ? wrong(outcome.value) : wrongError(outcome.error)),
    });
  }
  return groups;
}

/** The source of the true responses: a fake, or the recordings. */
function source(
  { recorded }: Scenario,
  book: Book,
): { outbound: Outbound; missed: readonly HttpRequest[] } {
  const real = new Outbound(
    { storageConnectTimeoutMs: 5_000, storageTimeoutMs: 20_000, storageAllowPrivate: true },
    metrics,
  );
  const missed: HttpRequest[] = [];
  const outbound = new Scripted(20_000, async (request, deadline) => {
    const answer = recorded
      ? recorded.find(request)
      : await real.send('recording', request, deadline);
    if (!answer) missed.push(request);
    else if (!recorded) book.note(keyOf(request), answer);
    return answer ?? { status: 404, headers: {}, body: Buffer.alloc(0) };
  });
  return { outbound, missed };
}

function adapterDrafts(scenario: Scenario): Draft[] {
  const { adapter, addresses, client, userId } = scenario;
  return operationsOf(scenario).map(({ name, weight, ask, wrong }): Draft => ({
    name,
    weight,
    wrong,
    run(outbound) {
      const deadline = outbound.deadline();
      const access: Access = {
        ...addresses,
        authorization: `Bearer ${scenario.token()}`,
        send: (request) => outbound.send(name, request, deadline),
        leftMs: () => deadline.leftMs,
        userId: name.length % 2 === 0 ? userId : null,
      };
      return ask(access, async () => ({
        ...access,
        authorization: `Bearer ${(await adapter.applicationToken!(access, client)).token}`,
      }));
    },
  }));
}

async function actionDrafts(scenario: Scenario, desk: Desk, lanes: number): Promise<Draft[]> {
  const seats: Seat[] = [];
  while (seats.length < lanes) seats.push(await desk.seat(scenario));
  const statuses = scenario.statuses.map(([, status]) => status);
  return [
    {
      name: 'the refresh of links',
      weight: 30,
      run: async (outbound, log, lane) => statusesOf(await seats[lane]!.refresh(outbound, log)),
      wrong: (value) => wrongStatuses(value, statuses.length),
      expected: statuses,
    },
    {
      name: 'the state of a connection',
      weight: 6,
      run: (outbound, log, lane) => seats[lane]!.state(outbound, log),
      wrong: (value) =>
        Object.values<unknown>(AuthorizationState).includes(value)
          ? undefined
          : `the state ${String(value)}`,
      expected: AuthorizationState.CONNECTED,
    },
  ];
}

/** The statuses. A link that could not be shown has none. */
const statusesOf = (origins: Origin[]): unknown[] =>
  origins.map(({ status, link }) => {
    const { originName, originSize, originCreatedAt, originLastModifiedAt } = link;
    const times = [originCreatedAt, originLastModifiedAt].every(
      (time) => time === null || /^\d{4}-/.test(time),
    );
    return originName !== '' && times && (originSize === null || Number.isSafeInteger(originSize))
      ? status
      : `a link that is ${JSON.stringify(link.stored).slice(0, 300)}`;
  });

function wrongStatuses(value: unknown, length: number): string | undefined {
  const wrong = (value as unknown[]).find(
    (status) => !Object.values<unknown>(FileLinkStatus).includes(status),
  );
  if (wrong !== undefined) return `the status ${String(wrong)}`;
  return (value as unknown[]).length === length ? undefined : 'another number of links';
}

function wrongError(error: unknown): string | undefined {
  const known =
    error instanceof StorageFailure ||
    error instanceof OutboundFailure ||
    error instanceof FoldersUnavailable;
  if (!known)
    return `an exception that is no failure of a storage: ${error instanceof Error ? error.stack : String(error)}`;
  if (/planted-/.test(`${error.message} ${error.stack} ${JSON.stringify(error)}`))
    return `a secret in a message: ${error.message}`;
  return error instanceof StorageFailure ? failure(error) : undefined;
}
