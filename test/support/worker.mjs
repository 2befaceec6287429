/** Runs test files in a process of the pool, each with the globals of its project. */
import 'reflect-metadata';

const partOfRunner = (name) => import(new URL(name, import.meta.resolve('jest-light-runner')).href);
const { default: run } = await partOfRunner('worker-runner.js');
// Defines `expect` and the other globals of Jest.
await partOfRunner('global-setup.js');

// The process ends with the runner, also if the runner was killed.
process.once('disconnect', () => process.exit());

// Set here and not for the whole process, so that tsx keeps what it compiled for the next run.
const folder = process.env.MOORAGE_TEST_TMPDIR;
if (folder) process.env.TMPDIR = folder;

export default async function runFile({ path, globals }) {
  Object.assign(globalThis, globals);
  // Files without a database start no service, so they do not load it.
  if (globals.DATABASE !== 'none') await import('./check-answers.ts');
  return run(path);
}
