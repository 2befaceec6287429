/**
 * `npm run test:mutations [-- --seed 1 --count 6 --only "2.2 digest"]`: breaks one rule at a time in a copy of the checkout.
 * The test of that rule must pass before, and must fail by an assertion afterwards.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyOfSources, root } from '../../packaging/checkout.js';
import { titlesBelow } from '../../requirements/titles.js';
import { jestEnvironment, startRgw, type Rgw } from '../../support/rgw.js';
import { Random } from '../crash/random.js';
import { mutated, nameOf, targetOf, type Mutation, type Target } from './mutation.js';
import { mutations } from './mutations.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    count: { type: 'string' },
    /** Names of mutations. */
    only: { type: 'string', multiple: true },
  },
});
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);

/** A run that takes longer has failed. */
const LIMIT_MS = 180_000;

interface Planned {
  mutation: Mutation;
  target: Target;
}

interface TestResult {
  ancestorTitles: string[];
  title: string;
  status: string;
  failureMessages?: string[];
}

interface Report {
  testResults: { name: string; message?: string; assertionResults: TestResult[] }[];
}

const titles = titlesBelow(join(root, 'test'));
const planned = sample(
  mutations.filter((one) => values.only?.includes(nameOf(one)) ?? true),
  values.count === undefined ? undefined : Number(values.count),
).map((mutation): Planned => ({ mutation, target: targetOf(mutation, titles) }));

const folder = mkdtempSync(join(tmpdir(), 'moorage-mutations-'));
process.env['TMPDIR'] = folder;
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
};
let running: ReturnType<typeof spawn> | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    running?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
    process.exit(1);
  });

const copy = copyOfSources();
// The pages are built once: mutations change the service only.
cpSync(join(root, 'assets'), join(copy, 'assets'), { recursive: true, dereference: true });
const store = await storeFor(planned);
const counts = { passed: 0, failed: 0, skipped: 0 };
process.stdout.write(`${planned.length} mutations, seed ${seed}\n`);
try {
  const runnable = planned.filter(({ target }) => store !== undefined || !needsStore(target));
  counts.skipped = planned.length - runnable.length;
  const baseline = await runUnchanged(runnable);
  for (const { mutation, target } of runnable) {
    const before = resultsFor(target, baseline);
    const problem =
      before.length === 0
        ? 'no such test ran without the mutation'
        : before.some(({ status }) => status !== 'passed')
          ? `the test does not pass without the mutation: ${messageOf(before)}`
          : await problemWith(mutation, target);
    counts[problem === undefined ? 'passed' : 'failed'] += 1;
    process.stdout.write(
      `${problem === undefined ? 'noticed' : 'FAILED '}  ${nameOf(mutation)}  (${mutation.source})${problem === undefined ? '' : `: ${problem}`}\n`,
    );
  }
} finally {
  await store?.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(
  `\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`,
);
process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0);

/** A random sample; all of them without a number. */
function sample<T>(all: readonly T[], count = all.length): T[] {
  const left = [...all];
  const random = new Random(seed);
  return count >= left.length
    ? left
    : Array.from({ length: count }, () => left.splice(random.integer(left.length), 1)[0]!);
}

/** Whether the test file uses the S3 store of the run. */
function needsStore({ file }: Target): boolean {
  return readFileSync(join(root, 'test', file), 'utf8').includes('/rgw.js');
}

async function storeFor(all: readonly Planned[]): Promise<Rgw | undefined> {
  if (!all.some(({ target }) => needsStore(target))) return undefined;
  try {
    const server = await startRgw();
    Object.assign(environment, jestEnvironment(server));
    return server;
  } catch (error) {
    if (process.env['REQUIRE_S3'] === '1') throw error;
    process.stderr.write(`Mutations that need S3 are skipped: ${(error as Error).message}\n`);
    return undefined;
  }
}

/** Runs the tests of all mutations on unchanged sources, once for each project. */
async function runUnchanged(all: readonly Planned[]): Promise<Report['testResults']> {
  const results: Report['testResults'] = [];
  for (const project of new Set(all.map(({ target }) => target.project))) {
    const targets = all.filter(({ target }) => target.project === project);
    const report = await jest(
      project,
      [...new Set(targets.map(({ target }) => target.file))],
      targets.map(({ target }) => target.pattern).join('|'),
      LIMIT_MS * targets.length,
    );
    results.push(...(report?.testResults ?? []));
  }
  return results;
}

/** @returns undefined if the test fails as it should */
async function problemWith(mutation: Mutation, target: Target): Promise<string | undefined> {
  const path = join(copy, 'src', mutation.source);
  const content = readFileSync(path, 'utf8');
  writeFileSync(path, mutated(mutation, content));
  try {
    const report = await jest(target.project, [target.file], target.pattern, LIMIT_MS);
    if (!report) return 'the tests did not end';
    const results = resultsFor(target, report.testResults);
    if (results.length === 0)
      return `the tests did not run: ${report.testResults.map(({ message }) => message).join(' ')}`;
    const failed = results.filter(({ status }) => status === 'failed');
    if (failed.length === 0) return `no test noticed it: ${fullName(results[0]!)}`;
    const messages = failed.flatMap(({ failureMessages = [] }) => failureMessages);
    return messages.some(isAssertion)
      ? undefined
      : `the test failed, but by no assertion: ${messages[0]?.slice(0, 300)}`;
  } finally {
    writeFileSync(path, content);
  }
}

function messageOf(results: readonly TestResult[]): string {
  const messages = results.flatMap(({ failureMessages = [] }) => failureMessages);
  return messages[0]?.slice(0, 600) ?? 'no message';
}

/** A matcher of Jest, or an AssertionError of test/support: a wrong result or a condition that did not become true. */
function isAssertion(message: string): boolean {
  return /\bexpect\(|\bAssertionError\b/.test(message);
}

/** The full name, as Jest's `-t` sees it. */
function fullName({ ancestorTitles, title }: TestResult): string {
  return [...ancestorTitles, title].join(' ');
}

function resultsFor({ file, pattern }: Target, all: Report['testResults']): TestResult[] {
  return all
    .filter(({ name }) => name === join(copy, 'test', file))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(
      (result) =>
        new RegExp(pattern).test(fullName(result)) && /^(passed|failed)$/.test(result.status),
    );
}

/** Runs Jest in the copy. @returns undefined if it did not end in time */
async function jest(
  project: string,
  files: readonly string[],
  pattern: string,
  limitMs: number,
): Promise<Report | undefined> {
  const output = join(folder, 'report.json');
  rmSync(output, { force: true });
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      '--no-warnings',
      join(copy, 'node_modules/jest/bin/jest.js'),
      ...files.map((file) => `test/${file}`),
      '--runTestsByPath',
      '--selectProjects',
      project,
      '--maxWorkers',
      '1',
      '--silent',
      '--testNamePattern',
      pattern,
      '--json',
      '--outputFile',
      output,
    ],
    { cwd: copy, env: environment, stdio: 'ignore' },
  );
  running = child;
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  try {
    return JSON.parse(readFileSync(output, 'utf8')) as Report;
  } catch {
    return undefined;
  }
}
