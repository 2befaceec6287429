/** The package moorage-client as its users get it: the lines of its README, the examples, its size. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { filesWithApollo } from '../../examples/apollo-client.js';
import { filesWithFetch } from '../../examples/fetch.js';
import { filesWithOwnDocument } from '../../examples/own-documents/main.js';
import { filesWithUrql } from '../../examples/urql.js';
import { startApp, type App } from '../support/app.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../support/jest.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const node = (args: string[], environment: { [name: string]: string } = {}) =>
  promisify(execFile)(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...environment },
  });

let app: App;
let person: Person;
let workPackage: ContainerHandle;
beforeAll(async () => {
  app = await startApp();
  const project = await app.given.project();
  person = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  workPackage = await app.given.workPackage(project, person);
});
afterAll(() => app?.stop());

test('the first lines of the README upload a file', async () => {
  const [, lines = ''] =
    /```js\n(.*?)```/s.exec(readFileSync(join(root, 'client/README.md'), 'utf8')) ?? [];
  const adapted = lines
    .replace('http://127.0.0.1:8080', app.url)
    .replace("id: '1'", `id: '${workPackage.id}'`);
  expect(adapted).toContain(app.url);
  const { stdout } = await node(['--input-type=module', '--eval', adapted], { KEY: person.key });
  expect(stdout.trim().split('\n').at(-1)).toBe(`README.md is attached to ${workPackage.title}`);
  const { body } = await app.get(workPackage.attachments, person);
  expect(body._embedded.elements.map(({ fileName }: any) => fileName)).toEqual(['README.md']);
});

describe('examples', () => {
  const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'];
  let container: ContainerHandle;
  beforeAll(async () => {
    container = await app.given.workPackage({ id: workPackage.projectId }, person);
    for (const fileName of names) await app.upload(container.attachments, { as: person, fileName });
  });

  test.each(
    Object.entries({ filesWithApollo, filesWithUrql, filesWithFetch, filesWithOwnDocument }),
  )('%s reads all files', async (_name, read) => {
    expect(await read(app.url, person.key, container.globalId)).toEqual(names);
  });

  test('an error is thrown', async () => {
    await expect(filesWithFetch(app.url, 'wrong', container.globalId)).rejects.toThrow(
      'UNAUTHENTICATED',
    );
  });

  test('the types of the own documents are those of the schema', async () => {
    const folder = 'examples/own-documents';
    const { stdout } = await node([`${folder}/generate.mjs`, 'schema.graphql']);
    expect(stdout).toBe(readFileSync(join(root, folder, 'generated/documents.ts'), 'utf8'));
  });
});

describe('the size in a browser', () => {
  const budgets = { core: 6_000, index: 14_000 };
  test.each(Object.entries(budgets))('%s is at most %d bytes with gzip', async (name, budget) => {
    const { outputFiles, metafile } = await build({
      entryPoints: [join(root, `client/dist/${name}.js`)],
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'browser',
    });
    const [file] = outputFiles;
    expect(gzipSync(file?.contents ?? '', { level: 9 }).length).toBeLessThanOrEqual(budget);
    // No package comes with it.
    expect(Object.keys(metafile.inputs).filter((path) => !path.startsWith('client/dist/'))).toEqual(
      [],
    );
  });
});
