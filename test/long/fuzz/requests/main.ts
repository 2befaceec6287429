/**
 * `npm run test:fuzz:requests [-- --requests 100000 --seed 1 --seconds 3600 --case 4711 --database postgres]`: valid and
 * invalid requests for every HAL operation, every root field of the graph and resumable uploads. The callers are an administrator, a member, a
 * user who is no member, and the anonymous user. No response may be a 500, show internals, or reveal that a hidden record exists.
 * `--sabotage N` counts the response of that case as a 500, to show that it would be found.
 */
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { Random } from '../../crash/random.js';
import { oneOf } from '../hostile-values.js';
import { watch } from '../watchdog.js';
import { roles, type Draw, type Role } from './callers.js';
import { openDatabases } from './databases.js';
import { anything, Twins } from './draws.js';
import { operations } from './operations.js';
import { wrongLines, wrongs } from './oracle.js';
import { routes } from './routes.js';
import { uploads } from './uploads.js';
import { Wire, type Reply, type Wanted } from './wire.js';
import { openWorld, type World } from './world.js';

/** The number of cases in one world. Requests use a world up. */
const CASES_OF_A_WORLD = 1_500;
/** One of this number of cases compares a hidden record with a missing one, for callers without membership. */
const TWINS = 3;
/** A request may block the process for this time, also on a busy machine. */
const COMPUTES_SECONDS = 20;
const MOST_FINDINGS = 10;
/** Keeps the cases of neighbouring seeds apart, and the numbers of a pair from those that chose it. */
const SPREAD = 1_000_003;
const TWIN = 0x5bd1e995;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    seconds: { type: 'string', default: '3600' },
    case: { type: 'string' },
    database: { type: 'string', default: 'sqlite' },
    sabotage: { type: 'string' },
  },
});
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
const only = values.case === undefined ? undefined : Number(values.case);
const sabotaged = values.sabotage === undefined ? undefined : Number(values.sabotage);
const until = performance.now() + Number(values.seconds) * 1000;

interface Target {
  name: string;
  ask(random: Random, draw: Draw): Wanted;
  outbound: boolean;
}

/** Callers with permissions are drawn more often. */
const drawn: readonly Role[] = [...roles, 'admin', 'member', 'member'];
const targets: Target[] = [
  ...routes(),
  ...uploads(),
  ...operations().map((operation) => ({ ...operation, outbound: true })),
];
const databases = await openDatabases(values.database);
const dog = watch(seed, COMPUTES_SECONDS, 'test:fuzz:requests');
const counts = { requests: 0, twins: 0, good: 0, refused: 0, worlds: 0, findings: 0 };
const answered = new Set<Target>();
const succeeded = new Set<Target>();
const failed = new Set<Target>();
let underWay = 0;
process.on('unhandledRejection', (reason) =>
  found(undefined, underWay, [
    `nobody waits for ${reason instanceof Error ? reason.stack : String(reason)}`,
  ]),
);

// A case is repeated in its world, after the cases before it.
let next = only === undefined ? 0 : only - (only % CASES_OF_A_WORLD);
const more = () =>
  only === undefined
    ? counts.requests < Number(values.requests) &&
      performance.now() < until &&
      counts.findings < MOST_FINDINGS
    : next <= only;
while (more()) await oneWorld();
await Promise.all([dog.end(), databases.stop()]);
report();

async function oneWorld(): Promise<void> {
  const world = await openWorld(await databases.fresh());
  const wire = new Wire(world.address);
  counts.worlds += 1;
  const before = await world.hiddenRows();
  for (let done = 0; done < CASES_OF_A_WORLD && more(); done += 1) {
    underWay = next;
    next += 1;
    dog.alive(underWay);
    await oneCase(world, wire, underWay);
  }
  const unharmed = await wire
    .ask({ operation: 'the end', method: 'GET', path: '/health/ready', headers: {}, reads: true })
    .then(({ status }) => status, String);
  const problems = [
    ...(unharmed === 200 ? [] : [`the service is not ready afterwards: ${unharmed}`]),
    ...((await world.hiddenRows()) === before ? [] : ['hidden rows have changed']),
    ...wrongLines(world),
  ];
  if (problems.length > 0) found(undefined, underWay, problems);
  wire.close();
  await world.stop();
}

async function oneCase(world: World, wire: Wire, number: number): Promise<void> {
  const random = new Random(seed * SPREAD + number);
  // First each operation once in a world, then random ones.
  const target = targets[number % CASES_OF_A_WORLD] ?? oneOf(random, targets);
  const role = oneOf(random, drawn);
  const hidden = (role === 'stranger' || role === 'anonymous') && random.integer(TWINS) === 0;
  const problems = hidden
    ? await twins(world, wire, target, role, number)
    : await single(world, wire, target, role, random, number);
  problems.push(...wrongLines(world));
  if (problems.length > 0) found(target, number, [`${role} asks ${target.name}`, ...problems]);
}

async function single(
  world: World,
  wire: Wire,
  target: Target,
  role: Role,
  random: Random,
  number: number,
): Promise<string[]> {
  const wanted = target.ask(random, anything(random, world, role));
  const { reply, problems } = await asked(world, wire, target, role, wanted, number);
  if (reply) note(target, reply);
  return problems;
}

/** The response for a hidden record must equal that for a missing one. */
async function twins(
  world: World,
  wire: Wire,
  target: Target,
  role: Role,
  number: number,
): Promise<string[]> {
  const replies: { twin: Twins; reply: Reply | undefined; problems: string[]; wanted: Wanted }[] =
    [];
  for (const twin of [new Twins(world, false), new Twins(world, true)]) {
    const random = new Random(seed * SPREAD + number + TWIN);
    const wanted = target.ask(random, twin.draw(random));
    replies.push({ twin, wanted, ...(await asked(world, wire, target, role, wanted, number)) });
    if (!twin.used) break;
  }
  const problems = replies.flatMap((one) => one.problems);
  const [one, other] = replies;
  if (!one?.reply || !other?.reply) return problems;
  // If the request succeeded without the record, it changed other data, so the second response may differ.
  if (!one.wanted.reads && good(one.reply)) return problems;
  counts.twins += 1;
  const [bareReplyOfMissing, bareReply] = [one.twin.bare(one.reply), other.twin.bare(other.reply)];
  return bareReply === bareReplyOfMissing
    ? problems
    : [
        ...problems,
        `distinguishes hidden from missing:\n${bareReply.slice(0, 1_500)}\ninstead of\n${bareReplyOfMissing.slice(0, 1_500)}`,
        shown(other.wanted),
      ];
}

async function asked(
  world: World,
  wire: Wire,
  target: Target,
  role: Role,
  plain: Wanted,
  number: number,
): Promise<{ reply: Reply | undefined; problems: string[] }> {
  const person = world.people[role];
  const wanted = {
    ...plain,
    headers: { ...(person && { authorization: `Bearer ${person.key}` }), ...plain.headers },
  };
  counts.requests += 1;
  try {
    const answer = await wire.ask(wanted);
    const reply = number === sabotaged ? { ...answer, status: 500 } : answer;
    answered.add(target);
    const problems = wrongs(world, role, wanted, reply, target.outbound);
    return {
      reply,
      problems:
        problems.length > 0
          ? [...problems, shown(plain), `answered ${reply.status} ${reply.text.slice(0, 600)}`]
          : [],
    };
  } catch (error) {
    return {
      reply: undefined,
      problems: [
        `no answer: ${error instanceof Error ? error.stack : String(error)}`,
        shown(plain),
      ],
    };
  }
}

/** Whether the request succeeded, at least in part. */
function good({ status, body, text }: Reply): boolean {
  if (status >= 400 || body === undefined) return status < 400 && !text.includes('"errors"');
  const { data, errors } = body as { data?: object | null; errors?: unknown };
  return errors === undefined || Object.values(data ?? {}).some((value) => value !== null);
}

function note(target: Target, reply: Reply): void {
  if (good(reply)) {
    counts.good += 1;
    succeeded.add(target);
  } else counts.refused += 1;
}

function shown({ method, path, headers, body }: Wanted): string {
  return `${method} ${path.slice(0, 1_000)} ${JSON.stringify(headers).slice(0, 600)} ${body?.toString().slice(0, 1_200) ?? ''}`;
}

function found(target: Target | undefined, number: number, what: string[]): void {
  if (only !== undefined && number !== only) return;
  counts.findings += 1;
  if (target) failed.add(target);
  process.stdout.write(
    `FOUND case ${number}: ${what.join('\n  ')}\nreplay with: npm run test:fuzz:requests -- --seed ${seed} --case ${number}${values.database === 'sqlite' ? '' : ` --database ${values.database}`}\n`,
  );
}

/** The result counts routes and root fields. One passes if it got requests and no error was found. */
function report(): void {
  const unasked = only === undefined ? targets.filter((target) => !answered.has(target)) : [];
  for (const { name } of unasked) process.stdout.write(`never asked: ${name}\n`);
  const never = targets
    .filter((target) => answered.has(target) && !succeeded.has(target))
    .map(({ name }) => name);
  if (only === undefined && never.length > 0)
    process.stdout.write(`always refused: ${never.join(', ')}\n`);
  process.stdout.write(
    `seed ${seed}, ${values.database}: ${counts.requests} requests to ${targets.length} operations in ${counts.worlds} worlds; ${counts.good} done, ${counts.refused} refused, ${counts.twins} pairs of hidden and missing compared, ` +
      `${succeeded.size} operations succeeded at least once, ${counts.findings} findings\n`,
  );
  const failures =
    new Set([...failed, ...unasked]).size + (counts.findings > 0 && failed.size === 0 ? 1 : 0);
  process.stdout.write(
    `\n${targets.filter((target) => answered.has(target) && !failed.has(target)).length} passed, ${failures} failed, 0 skipped\n`,
  );
  process.exit(failures > 0 ? 1 : 0);
}
