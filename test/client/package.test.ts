/** The package moorage-client as its users get it: what is packed, its README, the examples, its size. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';
import {
  apolloClient,
  deleteWithApollo,
  filesWithApollo,
  followWithApollo,
  showWithApollo,
} from '../../examples/apollo-client.js';
import { filesWithFetch } from '../../examples/fetch.js';
import { filesWithOwnDocument } from '../../examples/own-documents/main.js';
import {
  deleteWithUrql,
  filesWithUrql,
  followWithUrql,
  showWithUrql,
  urqlClient,
} from '../../examples/urql.js';
import { globalId } from '../../src/contract/ids.js';
import { startApp, type App } from '../support/app.js';
import { eventually } from '../support/direct-upload.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../support/jest.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const node = (args: string[], environment: { [name: string]: string } = {}, cwd = root) =>
  run(process.execPath, args, { cwd, env: { ...process.env, ...environment } });

/** Types that programs rely on. */
const USES = `
import { createClient, MoorageError, type ErrorCode, type ResultOf } from 'moorage-client';
import { createClient as createCore, type ClientErrorCode } from 'moorage-client/core';
import { possibleTypes, typePolicies } from 'moorage-client/apollo';
import { AttachmentStatesDocument, type AttachmentPartsFragment } from 'moorage-client/documents';
import { config, schema } from 'moorage-client/codegen';

const moorage = createClient({ url: '', auth: 'session' });
const nodes: ResultOf<typeof AttachmentStatesDocument>['nodes'] = (
  await moorage.query(AttachmentStatesDocument, { ids: ['1'] })
).nodes;
// @ts-expect-error: the document needs ids
await moorage.query(AttachmentStatesDocument, {});
try {
  await createCore({ url: '', auth: { key: 'k' } }).query('{ viewer { id } }');
} catch (error) {
  if (error instanceof MoorageError && error.code === 'NOT_FOUND') {
    const code: ErrorCode | ClientErrorCode = error.code;
    console.log(code, error.isUnanswered);
  }
  // @ts-expect-error: no such code
  if (error instanceof MoorageError && error.code === 'NOT_FOUMD') throw error;
}
export type Parts = AttachmentPartsFragment;
console.log(nodes, possibleTypes['Node'], typePolicies['Query'], config.documentMode, schema);
`;

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

describe('in a folder of its own', () => {
  const readme = readFileSync(join(root, 'client/README.md'), 'utf8');
  const blocks = [...readme.matchAll(/```(?:ts|js)\n(.*?)```/gs)].map(([, text = '']) => text);
  /** What the first block has made, and the later ones use. */
  const before =
    "import type { Client } from 'moorage-client';\n" +
    'declare const moorage: Client;\ndeclare const workPackage: { id: string };\n';
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'moorage-client-'));
    const installed = join(folder, 'node_modules/moorage-client');
    mkdirSync(installed, { recursive: true });
    // Without its scripts, which would remove what other tests use. The tests have built it.
    const { stdout } = await run(
      'npm',
      ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder],
      { cwd: join(root, 'client') },
    );
    await run('tar', [
      '-xzf',
      join(folder, stdout.trim()),
      '-C',
      installed,
      '--strip-components=1',
    ]);
    for (const name of ['@graphql-codegen', '@graphql-typed-document-node', '@types', 'graphql'])
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    cpSync(join(root, 'examples/own-documents'), folder, { recursive: true });
    rmSync(join(folder, 'generated/documents.ts'));
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('it has the schema of the service', () => {
    const { resolve } = createRequire(join(folder, 'package.json'));
    const text = (path: string) => readFileSync(path, 'utf8');
    expect(text(resolve('moorage-client/schema.graphql'))).toBe(text(join(root, 'schema.graphql')));
  });

  test.each([
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ])(
    'with the resolution %s, all lines of the README and own documents compile',
    async (moduleResolution, module) => {
      const { stdout } = await node(['generate.mjs'], {}, folder);
      writeFileSync(join(folder, 'generated/documents.ts'), stdout);
      blocks.forEach((text, index) =>
        writeFileSync(join(folder, `readme-${index}.ts`), (index > 0 ? before : '') + text),
      );
      writeFileSync(join(folder, 'uses.ts'), USES);
      const compilerOptions = {
        strict: true,
        noEmit: true,
        target: 'es2022',
        lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
        types: ['node'],
        module,
        moduleResolution,
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
      const tsc = join(root, 'node_modules/typescript/bin/tsc');
      const compiled = await node([tsc, '-p', folder]).catch((error: object) => error);
      expect(compiled).toMatchObject({ stdout: '', stderr: '' });
      expect(blocks.length).toBeGreaterThan(4);
    },
    60_000,
  );

  test('the first lines of the README upload a file', async () => {
    const { code } = await transform(blocks[0] ?? '', { loader: 'ts', format: 'esm' });
    const adapted = code
      .replace('http://127.0.0.1:8080', app.url)
      .replace('id: "1"', `id: '${workPackage.id}'`);
    expect(adapted).toContain(app.url);
    writeFileSync(join(folder, 'first.js'), adapted);
    writeFileSync(join(folder, 'README.md'), 'To be uploaded.');
    const { stdout } = await node(['first.js'], { KEY: person.key }, folder);
    expect(stdout.trim().split('\n').at(-1)).toBe(`README.md is attached to ${workPackage.title}`);
    const { body } = await app.get(workPackage.attachments, person);
    expect(body._embedded.elements.map(({ fileName }: any) => fileName)).toEqual(['README.md']);
  });

  test('the README has all codes of the client', () => {
    const types = readFileSync(
      join(folder, 'node_modules/moorage-client/dist/errors.d.ts'),
      'utf8',
    );
    const [, union = ''] = /type ClientErrorCode = ([^;]*);/.exec(types) ?? [];
    const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code);
    const described = [...readme.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
    expect(described.sort()).toEqual(codes.sort());
    expect(codes.length).toBeGreaterThan(10);
  });
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

  const recipes = {
    'Apollo Client': {
      clientOf: () => apolloClient(app.url, person.key),
      show: showWithApollo,
      follow: followWithApollo,
      remove: deleteWithApollo,
    },
    urql: {
      clientOf: () => urqlClient(app.url, person.key),
      show: showWithUrql,
      follow: followWithUrql,
      remove: deleteWithUrql,
    },
  };

  test.each(Object.entries(recipes))(
    '%s: lists and counts follow own deletions, and changes of others',
    async (_name, { clientOf, show, follow, remove }) => {
      const own = await app.given.workPackage({ id: workPackage.projectId }, person);
      const add = async (fileName: string) => {
        const { body } = await app.upload(own.attachments, { as: person, fileName });
        return globalId('Attachment', body.id);
      };
      const [a, b] = [await add('a.txt'), await add('b.txt')];
      // Cast: each recipe has its own client.
      const client = clientOf() as never;
      let last: object | undefined;
      const hide = show(client, own.globalId, (files) => void (last = files));
      const isShown = (names: string[]) => (seen: unknown) =>
        JSON.stringify(seen) === JSON.stringify({ names, totalCount: names.length });
      await eventually(() => last, isShown(['a.txt', 'b.txt']));
      await remove(client, a);
      await eventually(() => last, isShown(['b.txt']));

      const leave = follow(client, own.globalId);
      await add('c.txt');
      // Events that happen before the stream is open are not sent.
      await eventually(
        async () => {
          await app.graphql(
            'mutation ($id: ID!) { updateAttachment(input: { id: $id }) { attachment { id } } }',
            { id: b },
            person,
          );
          return last;
        },
        isShown(['b.txt', 'c.txt']),
      );
      leave();
      hide();
    },
    30_000,
  );

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
