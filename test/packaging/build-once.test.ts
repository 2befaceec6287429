/** `npm run moorage` builds the program when needed. */
import {
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { endCommands } from '../support/cli.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { bash, copyOfCheckout, root, succeeded } from './checkout.js';

let folder: string;
const builtAt = () => statSync(join(folder, 'dist/cli/moorage.cjs')).mtimeMs;
const printSchema = () => bash('npm run --silent moorage -- schema print', folder);
const printed = async () => succeeded(await printSchema());
beforeAll(async () => {
  folder = await copyOfCheckout();
}, 120_000);
afterAll(async () => {
  await endCommands();
  rmSync(folder, { recursive: true, force: true });
});

test('npm run moorage works in a fresh checkout', async () => {
  rmSync(join(folder, 'dist'), { recursive: true });
  expect(succeeded(await bash('npm run --silent moorage -- migrate', folder))).toMatch(
    /^applied +001-foundation\.js$/m,
  );
  expect(statSync(join(folder, 'data/moorage.sqlite3')).size).toBeGreaterThan(0);
}, 120_000);

test('npm run moorage builds again only after its source has changed, was removed or does not compile', async () => {
  const first = builtAt();
  expect(await printed()).toBe(readFileSync(join(folder, 'schema.graphql'), 'utf8'));
  expect(builtAt()).toBe(first);

  replaceProgram();
  const source = join(folder, 'src/extra.ts');
  expect(await printed()).toBe('small\n');
  let before = builtAt();
  expect(before).toBeGreaterThan(first);
  expect(await printed()).toBe('small\n');
  expect(builtAt()).toBe(before);
  writeFileSync(source, 'export const extra: number = 1;\n');
  await printed();
  expect(builtAt()).toBeGreaterThan(before);
  before = builtAt();
  rmSync(source);
  await printed();
  expect(builtAt()).toBeGreaterThan(before);

  writeFileSync(source, "export const extra: number = 'x';\n");
  for (const attempt of [1, 2]) {
    const { status, stdout, stderr } = await printSchema();
    expect([attempt, status === 0, stdout, stderr]).toEqual([
      attempt,
      false,
      '',
      expect.stringContaining('src/extra.ts'),
    ]);
    utimesSync(source, 0, 0);
  }
}, 240_000);

/** Puts a program of one line into the copy. The whole program takes long to compile. */
function replaceProgram(): void {
  rmSync(join(folder, 'src'), { recursive: true });
  mkdirSync(join(folder, 'src/cli'), { recursive: true });
  // What the pages look like is built too.
  cpSync(join(root, 'src/pages/static'), join(folder, 'src/pages/static'), { recursive: true });
  writeFileSync(join(folder, 'src/cli/moorage.cts'), "process.stdout.write('small\\n');\n");
}
