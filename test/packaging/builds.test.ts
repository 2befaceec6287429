/** Builds: when one is made, and that servers keep the files of theirs. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { endCommands, serve } from '../support/cli.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { bash, copyOfCheckout, succeeded } from './checkout.js';

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
  rmSync(join(folder, 'builds'), { recursive: true });
  expect(succeeded(await bash('npm run --silent moorage -- migrate', folder))).toMatch(
    /^applied +001-foundation\.js$/m,
  );
  expect(statSync(join(folder, 'data/moorage.sqlite3')).size).toBeGreaterThan(0);
}, 120_000);

test('npm run moorage builds again only after its source has changed, was removed or does not compile', async () => {
  const first = builtAt();
  expect(await printed()).toBe(readFileSync(join(folder, 'schema.graphql'), 'utf8'));
  expect(builtAt()).toBe(first);

  replaceProgram(folder, 'small');
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

test('a server keeps the files of its build while another one is made, and the build goes after it', async () => {
  const copy = await copyOfCheckout();
  const build = () => bash('npm run --silent build', copy);
  const { command, banner } = await serve(
    {},
    { cwd: copy, by: [join(copy, 'dist/cli/moorage.cjs')] },
  );
  const mine = realpathSync(join(copy, 'dist'));
  const page = await (await fetch(banner.address + '/login')).text();
  const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  expect(assets).toContain('/assets/pages.css');

  for (const program of ['first', 'second', 'third']) {
    replaceProgram(copy, program);
    succeeded(await build());
    expect(succeeded(await bash('node dist/cli/moorage.cjs', copy))).toBe(`${program}\n`);
  }
  // Both are loaded when somebody asks for them.
  for (const path of ['/api/v3/spec.json', '/.well-known/oauth-authorization-server', ...assets])
    expect([path, (await fetch(banner.address + path)).status]).toEqual([path, 200]);

  command.signal('SIGTERM');
  expect((await command.outcome).status).toBe(0);
  expect(existsSync(mine)).toBe(true);
  replaceProgram(copy, 'last');
  succeeded(await build());
  expect(existsSync(mine)).toBe(false);
  rmSync(copy, { recursive: true, force: true });
}, 240_000);

/** Puts a program of one line into a copy. The whole program takes long to compile. */
function replaceProgram(copy: string, text: string): void {
  const source = join(copy, 'src');
  for (const name of readdirSync(source).filter((one) => one !== 'pages'))
    rmSync(join(source, name), { recursive: true });
  mkdirSync(join(source, 'cli'));
  // What the pages look like is built too, and does not change.
  for (const name of readdirSync(join(source, 'pages')).filter((one) => one !== 'static'))
    rmSync(join(source, 'pages', name), { recursive: true });
  writeFileSync(join(source, 'cli/moorage.cts'), `process.stdout.write('${text}\\n');\n`);
}
