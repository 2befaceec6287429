/** One operation of a sequence: the user, the interface, the prediction of the model, and the response. */
import { inspect, isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Caller, Outcome } from './caller.js';
import { pick, type Container, type Model, type Person, type Project } from './model.js';
import type { Refusal } from './rules.js';
import type { Api } from './normalized-answers.js';

/** Whole numbers that choose users and records. A smaller number chooses an earlier record. */
export interface Draws {
  who: number;
  /** Whether a user with permission is preferred. */
  able: boolean;
  api: Api;
  a: number;
  b: number;
  c: number;
  d: number;
}

/** An operation that is about to run. */
export interface Attempt {
  /** Words after the user's name. */
  says: string;
  /** The expected error. Absent: it must succeed. */
  refusal?: Refusal | undefined;
  rest?(caller: Caller): Promise<Outcome>;
  graphql?(caller: Caller): Promise<Outcome>;
  /** Work without an interface: commands and background work of the service. */
  aside?(real: Real): Promise<Outcome>;
  /** Changes the model after a success. @param made ids of new records */
  change?(made: number[]): void;
  /** The expected data, after the change. Absent: nothing is compared. */
  shows?(api: Api): unknown;
}

export type Operation = (model: Model, person: Person, draws: Draws) => Attempt;

/** The service under test. */
export interface Real {
  caller(person: Person): Caller;
  /** Imports a directory file with the visibility of the project and the roles of its members in the model. */
  importProject(project: Project): Promise<void>;
  /** Directly in the database, because no command ends a membership. */
  endMembership(project: Project, person: Person): Promise<void>;
  /** A direct upload, as an object store would have left it. @returns its id */
  prepared(upload: {
    person: Person;
    container: Container | undefined;
    fileName: string;
    content: string;
    arrived: boolean;
  }): Promise<number>;
  /** Runs the background work for completed uploads. */
  finalise(): Promise<void>;
  /** The operations so far, one a line. */
  lines: string[];
  /** The number of successes and errors in all sequences, by operation. */
  tally: Tally;
}

export type Tally = Map<string, { done: number; refused: number }>;

export class Disagreement extends Error {}

export class Step implements fc.AsyncCommand<Model, Real> {
  constructor(
    readonly name: string,
    private readonly operation: Operation,
    private readonly draws: Draws,
  ) {}

  check = () => true;

  async run(model: Model, real: Real): Promise<void> {
    const { person, attempt } = this.#attemptOf(model);
    const { api, ask } = wayOf(attempt, this.draws.api, real, person);
    const line = `${person.name} ${attempt.says}${api ? ` over ${api}` : ''}`;
    real.lines.push(`${line} …`);
    const { refusal, shown, made = [] } = await ask();
    if (refusal !== attempt.refusal)
      throw new Disagreement(
        `expected ${attempt.refusal ?? 'success'}\nbut came ${refusal ?? `success: ${printed(shown)}`}`,
      );
    if (refusal === undefined) {
      attempt.change?.(made);
      const expected = attempt.shows?.(api ?? 'REST');
      if (attempt.shows && !isDeepStrictEqual(shown, expected))
        throw new Disagreement(`expected ${printed(expected)}\nbut came ${printed(shown)}`);
    }
    const counts = real.tally.get(this.name) ?? { done: 0, refused: 0 };
    real.tally.set(this.name, counts);
    counts[refusal === undefined ? 'done' : 'refused'] += 1;
    real.lines[real.lines.length - 1] = `${line}: ${refusal ?? 'done'}`;
  }

  toString = () => this.name;

  #attemptOf(model: Model): { person: Person; attempt: Attempt } {
    const { who, able } = this.draws;
    const drawn = pick(model.people, who);
    const candidates = [drawn, ...(able ? model.people.filter((person) => person !== drawn) : [])];
    const attempts = candidates.map((person) => ({
      person,
      attempt: this.operation(model, person, this.draws),
    }));
    return attempts.find(({ attempt }) => attempt.refusal === undefined) ?? attempts[0]!;
  }
}

/** An operation of one interface only uses that one. */
function wayOf(
  { rest, graphql, aside }: Attempt,
  wanted: Api,
  real: Real,
  person: Person,
): { api: Api | undefined; ask: () => Promise<Outcome> } {
  if (aside) return { api: undefined, ask: () => aside(real) };
  const api = rest && graphql ? wanted : rest ? 'REST' : 'GraphQL';
  return { api, ask: () => (api === 'REST' ? rest! : graphql!)(real.caller(person)) };
}

const printed = (value: unknown): string =>
  inspect(value, { depth: 8, breakLength: 160, maxArrayLength: 40 });

const draws = fc.record({
  who: fc.nat(6),
  able: fc.constantFrom(true, true, false),
  api: fc.constantFrom<Api>('REST', 'GraphQL'),
  a: fc.nat(60),
  b: fc.nat(60),
  c: fc.nat(60),
  d: fc.nat(60),
});

/** @param weight in the draw, relative to the others */
export const steps = (name: string, operation: Operation, weight = 1): fc.Arbitrary<Step>[] => {
  const arbitrary = draws.map((drawn) => new Step(name, operation, drawn));
  return Array.from({ length: weight }, () => arbitrary);
};
