/** One operation of a sequence: who does what over which interface, what the model says to it, and what came. */
import { inspect, isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Caller, Outcome } from './caller.js';
import { pick, type Container, type Model, type Person, type Project } from './model.js';
import type { Refusal } from './rules.js';
import type { Api } from './normalized-answers.js';

/** Whole numbers that choose people and things; a smaller one chooses an earlier thing. */
export interface Draws {
  who: number;
  /** Whether it shall be somebody who may, where there is somebody. */
  able: boolean;
  api: Api;
  a: number;
  b: number;
  c: number;
  d: number;
}

/** What somebody is about to do. */
export interface Attempt {
  /** After the person's name. */
  says: string;
  /** Absent: it must succeed. */
  refusal?: Refusal | undefined;
  rest?(caller: Caller): Promise<Outcome>;
  graphql?(caller: Caller): Promise<Outcome>;
  /** What nobody asks over an interface: the commands and the background work of the service. */
  aside?(real: Real): Promise<Outcome>;
  /** How success changes the model. @param made ids of what is new */
  change?(made: number[]): void;
  /** What success shows, after the change; absent: nothing that is compared. */
  shows?(api: Api): unknown;
}

export type Deed = (model: Model, person: Person, draws: Draws) => Attempt;

/** The service that a sequence is made against. */
export interface Real {
  caller(person: Person): Caller;
  /** Imports a directory file with the project as the model has it: whether it is public, and the roles of its members. */
  importProject(project: Project): Promise<void>;
  /** In the database: no command ends a membership. */
  endMembership(project: Project, person: Person): Promise<void>;
  /** A direct upload, as a store that takes them would have left it. @returns its id */
  prepared(upload: {
    person: Person;
    container: Container | undefined;
    fileName: string;
    content: string;
    arrived: boolean;
  }): Promise<number>;
  /** Lets the background work finalise what was completed. */
  finalise(): Promise<void>;
  /** What happened so far, a line each. */
  lines: string[];
  /** By operation, how often it was done and refused, in all sequences. */
  tally: Tally;
}

export type Tally = Map<string, { done: number; refused: number }>;

export class Disagreement extends Error {}

export class Step implements fc.AsyncCommand<Model, Real> {
  constructor(
    readonly name: string,
    private readonly deed: Deed,
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
        `expected ${attempt.refusal ?? 'success'}\nbut came ${refusal ?? `success: ${told(shown)}`}`,
      );
    if (refusal === undefined) {
      attempt.change?.(made);
      const expected = attempt.shows?.(api ?? 'REST');
      if (attempt.shows && !isDeepStrictEqual(shown, expected))
        throw new Disagreement(`expected ${told(expected)}\nbut came ${told(shown)}`);
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
      attempt: this.deed(model, person, this.draws),
    }));
    return attempts.find(({ attempt }) => attempt.refusal === undefined) ?? attempts[0]!;
  }
}

/** What one interface alone offers is asked of it. */
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

const told = (value: unknown): string =>
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

/** @param weight how often it is drawn, compared with others */
export const steps = (name: string, deed: Deed, weight = 1): fc.Arbitrary<Step>[] => {
  const arbitrary = draws.map((drawn) => new Step(name, deed, drawn));
  return Array.from({ length: weight }, () => arbitrary);
};
