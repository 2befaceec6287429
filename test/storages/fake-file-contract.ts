/** What adapters do if a storage hides files, fails, or has very many. Only a fake can do that. */
import type { Access } from '../../src/storages/adapter.js';
import { StorageFailure } from '../../src/storages/failure.js';
import type { Fault } from '../../demo/servers/http-server.js';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
} from '../support/jest.js';
import {
  accessOf,
  closeOutbounds,
  failureOf,
  hiddenKinds,
  kindOf,
  storageOperations,
  type FakeRemote,
} from './file-remote.js';

export function fakeFileContract(name: string, start: () => Promise<FakeRemote>): void {
  describe(`hidden files and faults of a ${name}`, () => {
    let remote: FakeRemote;
    beforeAll(async () => {
      remote = await start();
    });
    beforeEach(() => {
      remote.server.repair();
      remote.server.forget();
    });
    afterEach(() => remote.check());
    afterAll(async () => {
      await closeOutbounds();
      await remote.close();
    });

    const { user, application, info, named, fresh } = storageOperations(() => remote);

    test('no files need no request', async () => {
      expect([...(await info([]))]).toEqual([]);
      expect(remote.server.requests).toEqual([]);
    });

    test('a hidden file is forbidden, a removed one is not found, and other files are not affected', async () => {
      const path = fresh();
      const [seen, hidden, removed, below] = [
        remote.file(`${path}/seen.txt`),
        remote.file(`${path}/hidden.txt`),
        remote.file(`${path}/removed.txt`),
        remote.file(`${path}/secret/below.txt`),
      ];
      remote.hide(hidden);
      remote.hide(remote.folder(`${path}/secret`));
      remote.remove(removed);
      const found = await info([seen, hidden, removed, below]);
      expect([seen, hidden, removed, below].map((id) => kindOf(found.get(id)))).toEqual([
        'value',
        'forbidden',
        'notFound',
        'forbidden',
      ]);
    });

    test.each([
      [1, 0],
      [20, 0],
      [45, 0],
      [45, 25],
    ])(
      '%i files, of which the user does not find %i, need few requests',
      async (files, missing) => {
        const path = fresh();
        const ids = Array.from({ length: files }, (_, index) =>
          remote.file(`${path}/${index}.txt`),
        );
        for (const id of ids.slice(files - missing)) remote.hide(id);
        const kinds = [...(await info(ids)).values()].map(kindOf);
        expect([
          kinds.filter((kind) => kind === 'value').length,
          kinds.filter((kind) => kind === 'forbidden').length,
        ]).toEqual([files - missing, missing]);
        expect(remote.server.requests.length).toBeLessThanOrEqual(remote.most(files, missing));
      },
    );

    test('one file because of which the storage refuses every batch costs no other file its answer', async () => {
      const path = fresh();
      const ids = Array.from({ length: 30 }, (_, index) => remote.file(`${path}/${index}.txt`));
      const bad = ids[17]!;
      remote.server.fault({ status: 400 }, ({ body }) => body.includes(bad));
      const found = await info(ids);
      expect(ids.map((id) => kindOf(found.get(id)))).toEqual(
        ids.map((id) => (id === bad ? 'unexpected' : 'value')),
      );
    });

    test('a storage that refuses everything is not asked without an end', async () => {
      const path = fresh();
      const ids = Array.from({ length: 120 }, (_, index) => remote.file(`${path}/${index}.txt`));
      remote.server.fault({ status: 400 });
      expect(await failureOf(info(ids))).toMatchObject({ kind: 'unexpected', status: 400 });
      expect(remote.server.requests.length).toBeLessThanOrEqual(50 * remote.most(120, 0));
    });

    test('one file that the user cannot see', async () => {
      const id = remote.file(`${fresh()}/a.txt`);
      remote.hide(id);
      expect(hiddenKinds).toContain(
        ((await failureOf(remote.adapter.file(user(), id))) as StorageFailure).kind,
      );
    });

    test('lists leave out hidden files', async () => {
      const path = fresh();
      remote.file(`${path}/seen.txt`);
      remote.hide(remote.file(`${path}/hidden.txt`));
      expect(await named(path)).toEqual(['seen.txt']);
    });

    test('a folder with 10,000 entries is listed', async () => {
      const path = fresh();
      for (let index = 0; index < 10_000; index += 1)
        remote.file(`${path}/${index}.txt`, { content: '' });
      const { files, truncated } = await remote.adapter.files(user(100_000), path);
      expect([new Set(files.map(({ id }) => id)).size, truncated]).toEqual([10_000, false]);
    }, 120_000);

    test('of a larger folder, the first 10,000 entries by name are listed', async () => {
      const path = fresh();
      const names = Array.from({ length: 10_500 }, (_, index) => `${(index * 7919) % 10_500}.txt`);
      for (const each of names) remote.file(`${path}/${each}`, { content: '' });
      const { parent, files, truncated } = await remote.adapter.files(user(100_000), path);
      expect([parent.location, files.map(({ name: own }) => own), truncated]).toEqual([
        path,
        names.toSorted().slice(0, 10_000),
        true,
      ]);
    }, 120_000);

    test('hidden folders are not listed, and hidden files cannot be downloaded', async () => {
      const path = fresh();
      const id = remote.file(`${path}/a.txt`);
      const hidden = remote.folder(path);
      remote.hide(hidden);
      for (const work of [
        () => remote.adapter.files(user(), path),
        () => remote.adapter.files(user(), hidden),
        () => remote.adapter.downloadLink(user(), id),
      ]) {
        expect(hiddenKinds).toContain(((await failureOf(work())) as StorageFailure).kind);
      }
    });

    describe('a storage that fails', () => {
      const id = () => remote.file(`${fresh()}/a.txt`);
      const operations: { [operation: string]: (access: Access) => Promise<unknown> } = {
        filesInfo: (access) => remote.adapter.filesInfo(access, [id()], application),
        file: (access) => remote.adapter.file(access, id()),
        files: (access) => remote.adapter.files(access, '/'),
        createFolder: (access) => remote.adapter.createFolder(access, '/', fresh().slice(1)),
        uploadLink: (access) => remote.adapter.uploadLink(access, '/', 'a.txt'),
        downloadLink: (access) => remote.adapter.downloadLink(access, id()),
      };
      const faults: [what: string, fault: Fault][] = [
        ['a cut connection', 'reset'],
        ['silence', 'silence'],
        ['half an answer', 'half'],
        ['an endless answer', 'endless'],
        ['an answer of 1 GB', { bytes: 1024 ** 3 }],
        ['500', { status: 500, body: 'planted-body' }],
        ['503', { status: 503 }],
        ['429 for longer than the deadline', { status: 429, headers: { 'retry-after': '60' } }],
        [
          'a page',
          { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' },
        ],
        [
          'broken JSON',
          { status: 200, headers: { 'content-type': 'application/json' }, body: '{"id":' },
        ],
        [
          'JSON of another shape',
          { status: 200, headers: { 'content-type': 'application/json' }, body: '[]' },
        ],
        [
          'an empty object',
          { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' },
        ],
      ];

      test.each(faults)(
        'every operation fails after %s, within the deadline and without secrets',
        async (_what, fault) => {
          const token = remote.authorization();
          remote.server.fault(fault);
          for (const [operation, ask] of Object.entries(operations)) {
            const error = await failureOf(ask(accessOf(remote, token, 500)));
            expect([
              operation,
              error instanceof StorageFailure ? error.kind : 'unexpected',
            ]).toEqual([operation, 'unexpected']);
            const everything = JSON.stringify([String(error), error.stack, error]);
            for (const secret of [token.replace(/^\w+ /, ''), 'planted-body'])
              expect(everything).not.toContain(secret);
          }
        },
      );

      test('a throttled request is repeated', async () => {
        for (const ask of Object.values(operations)) {
          remote.server.repair();
          remote.server.fault({ status: 429, headers: { 'retry-after': '0.1' } }, () => true, 1);
          await ask(user());
        }
      });
    });
  });
}
