/** What every adapter does with files. The tests call the adapter directly, with the fake of its storage or a real one. */
import { FOLDER_TYPE } from '../../src/storages/adapter.js';
import type { StorageFailure } from '../../src/storages/failure.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '../support/jest.js';
import {
  accessOf,
  closeOutbounds,
  failureOf,
  hiddenKinds,
  ISO,
  kindOf,
  NAMES,
  ODD_NAME,
  storageOperations,
  type FileRemote,
} from './file-remote.js';

/** Creates everything in the folder `base`, without the adapter. Tests that need a fake are in `fakeFileContract`. */
export function fileContract(name: string, start: () => Promise<FileRemote>): void {
  describe(`files of a ${name}`, () => {
    let remote: FileRemote;
    beforeAll(async () => {
      remote = await start();
    });
    afterEach(() => remote.check());
    afterAll(async () => {
      await closeOutbounds();
      await remote?.close();
    });

    const { user, application, info, about, named, fresh, filesAt } = storageOperations(
      () => remote,
    );
    const top = () => remote.base || '/';
    const nameIn = (path: string) => path.slice(path.lastIndexOf('/') + 1);
    /** The folders above a path, the root first. */
    const above = (path: string) =>
      path
        .split('/')
        .slice(0, -1)
        .map((each, index, names) =>
          index === 0
            ? { name: 'Root', location: '/' }
            : { name: each, location: names.slice(0, index + 1).join('/') },
        );
    const linkOf = (id: string, at: 'file' | 'location', access = user()) => {
      const link = remote.adapter.fileLink(access, id, at);
      return typeof link === 'string' ? link : link(access);
    };

    describe('files by id', () => {
      test('a file is described completely', async () => {
        const path = `${fresh()}/Docs/brief.md`;
        const id = await remote.file(path, {
          content: 'hello',
          mimeType: 'text/markdown',
          createdAt: '2026-01-02T03:04:05Z',
          modifiedAt: '2026-02-03T04:05:06Z',
        });
        const { webUrl, folderWebUrl, ...described } = await about(id);
        expect(described).toEqual({
          id,
          name: 'brief.md',
          size: 5,
          createdAt: '2026-01-02T03:04:05.000Z',
          lastModifiedAt: '2026-02-03T04:05:06.000Z',
          location: path,
          permissions: ['readable', 'writeable'],
          ...remote.describes,
        });
        for (const url of [webUrl, folderWebUrl])
          expect(url === undefined || /^https?:\/\//.test(url)).toBe(true);
        expect(await remote.adapter.file(user(), id)).toMatchObject(described);
      });

      test('a folder has the folder type, and the size of its content', async () => {
        const path = fresh();
        await remote.file(`${path}/inner/a.txt`, { content: '123' });
        await remote.file(`${path}/b.txt`, { content: '4567' });
        const id = await remote.folder(path);
        expect(await about(id)).toMatchObject({
          id,
          name: nameIn(path),
          mimeType: FOLDER_TYPE,
          size: 7,
          location: path,
        });
      });

      test('a removed file is not found, and other files are not affected', async () => {
        const path = fresh();
        const [seen, removed] = [
          await remote.file(`${path}/seen.txt`),
          await remote.file(`${path}/removed.txt`),
        ];
        await remote.remove(removed);
        const found = await info([seen, removed]);
        expect([seen, removed].map((id) => kindOf(found.get(id)))).toEqual(['value', 'notFound']);
      });

      test('a renamed file is found by its id', async () => {
        const path = fresh();
        const id = await remote.file(`${path}/before.txt`);
        await remote.rename(id, 'after.txt');
        expect(await about(id)).toMatchObject({
          id,
          name: 'after.txt',
          location: `${path}/after.txt`,
        });
      });

      test('names and locations are returned unchanged', async () => {
        const path = `${fresh()}/100% (a) & 'b' #1 ü 日本`;
        const ids = await filesAt(NAMES.map((each) => `${path}/${each}`));
        const found = await info(ids);
        expect(ids.map((id) => found.get(id))).toMatchObject(
          NAMES.map((each, index) => ({ id: ids[index], name: each, location: `${path}/${each}` })),
        );
      });

      test('unknown ids are not found and cause no error', async () => {
        const id = await remote.file(`${fresh()}/a.txt`);
        const odd = [
          '999999999',
          'no-such-id',
          '..',
          '../..',
          '%2e%2e',
          'a/b',
          'a:b',
          '0',
          '-1',
          "'",
          '\ud800',
          'x'.repeat(300),
        ];
        const found = await info([id, ...odd]);
        expect(kindOf(found.get(id))).toBe('value');
        expect(odd.map((one) => kindOf(found.get(one)))).toEqual(odd.map(() => 'notFound'));
        for (const one of ['999999999', '..', 'a/b', 'a%b', '\ud800'])
          for (const work of [
            () => remote.adapter.file(user(), one),
            () => remote.adapter.files(user(), one),
            () => remote.adapter.createFolder(user(), one, 'new'),
            () => remote.adapter.uploadLink(user(), one, 'a.txt'),
          ])
            expect(await failureOf(work())).toMatchObject({ kind: 'notFound' });
      });

      test('no ids need no request, and an id that is named twice is requested once', async () => {
        expect([...(await info([]))]).toEqual([]);
        const id = await remote.file(`${fresh()}/a.txt`);
        expect([...(await info([id, id])).keys()]).toEqual([id]);
      });
    });

    describe('folders', () => {
      test('the root is requested by an empty path or a slash, and has no ancestors', async () => {
        const path = fresh();
        await remote.folder(path);
        for (const parent of [undefined, '/']) {
          const { parent: root, ancestors, files } = await remote.adapter.files(user(), parent);
          expect(root).toMatchObject({ name: 'Root', location: '/', mimeType: FOLDER_TYPE });
          expect(root.id).toMatch(/./);
          expect(ancestors).toEqual([]);
          const top = `/${path.split('/')[1]}`;
          expect(files.filter(({ location }) => location === top)).toMatchObject([
            { name: nameIn(top), mimeType: FOLDER_TYPE },
          ]);
        }
      });

      test('a folder is found by path and by id, and its ancestors can be listed by theirs', async () => {
        const path = fresh();
        const id = await remote.folder(`${path}/Ä & b/c%20d`);
        const file = await remote.file(`${path}/Ä & b/c%20d/${ODD_NAME}`, { content: 'hello' });
        await remote.folder(`${path}/Ä & b/c%20d/empty`);
        for (const parent of [`${path}/Ä & b/c%20d`, `${path}/Ä & b/c%20d/`, id]) {
          const { parent: folder, ancestors, files } = await remote.adapter.files(user(), parent);
          expect(folder).toMatchObject({
            id,
            name: 'c%20d',
            location: `${path}/Ä & b/c%20d`,
            mimeType: FOLDER_TYPE,
          });
          expect(ancestors).toMatchObject(above(`${path}/Ä & b/c%20d`));
          expect(files.map((one) => one.name).sort()).toEqual([ODD_NAME, 'empty']);
          expect(files.find((one) => one.id === file)).toMatchObject({
            name: ODD_NAME,
            size: 5,
            location: `${path}/Ä & b/c%20d/${ODD_NAME}`,
          });
          for (const ancestor of ancestors)
            expect((await remote.adapter.files(user(), ancestor.id)).parent.location).toBe(
              ancestor.location,
            );
        }
      });

      test('a folder whose name looks encoded is not confused with the decoded name', async () => {
        const path = fresh();
        const [looksSo, isSo] = [`${path}/plain%20folder`, `${path}/plain folder`];
        for (const top of [looksSo, isSo]) {
          const deeper = await remote.folder(`${top}/sub/deeper`);
          const file = await remote.file(`${top}/sub/deeper/a.txt`);
          for (const parent of [`${top}/sub/deeper`, deeper]) {
            const { parent: folder, ancestors, files } = await remote.adapter.files(user(), parent);
            expect([folder, ...files]).toMatchObject([
              { id: deeper, location: `${top}/sub/deeper` },
              { id: file, location: `${top}/sub/deeper/a.txt` },
            ]);
            expect(ancestors).toMatchObject(above(`${top}/sub/deeper`));
            for (const ancestor of ancestors)
              expect((await remote.adapter.files(user(), ancestor.id)).parent).toMatchObject({
                id: ancestor.id,
                location: ancestor.location,
              });
          }
          for (const [parent, name] of [
            [`${top}/sub/deeper`, 'new by path'],
            [deeper, 'new by id'],
          ] as const) {
            expect(await remote.adapter.createFolder(user(), parent, name)).toMatchObject({
              name,
              location: `${top}/sub/deeper/${name}`,
            });
          }
        }
      });

      test('entries have the same data as single files', async () => {
        const path = fresh();
        const ids = [
          ...(await filesAt(NAMES.map((each) => `${path}/${each}`))),
          await remote.folder(`${path}/inner`),
        ];
        const [{ files }, found] = await Promise.all([
          remote.adapter.files(user(), path),
          info(ids),
        ]);
        expect(files.map(({ id }) => id).sort()).toEqual([...ids].sort());
        for (const entry of files) {
          const known = Object.entries(entry).filter(
            ([field, value]) => value !== null && !field.endsWith('ebUrl'),
          );
          expect(found.get(entry.id)).toMatchObject(Object.fromEntries(known));
          for (const time of [entry.createdAt, entry.lastModifiedAt])
            expect(time ?? '2026-01-01T00:00:00.000Z').toMatch(ISO);
        }
      });

      test('an empty folder is empty', async () => {
        const path = fresh();
        await remote.folder(path);
        expect(await remote.adapter.files(user(), path)).toMatchObject({
          parent: { name: nameIn(path) },
          ancestors: above(path),
          files: [],
        });
      });

      test('a file is not a folder', async () => {
        const path = `${fresh()}/a.txt`;
        const id = await remote.file(path);
        for (const parent of [path, id])
          expect(await failureOf(remote.adapter.files(user(), parent))).toMatchObject({
            kind: 'notDirectory',
          });
      });

      test('a missing folder is not found', async () => {
        const path = fresh();
        await remote.file(`${path}/a.txt`);
        for (const parent of [`${path}/nowhere`, '999999999', '..'])
          expect(await failureOf(remote.adapter.files(user(), parent))).toMatchObject({
            kind: 'notFound',
          });
      });

      test('a path with dots is refused for lists, new folders and uploads', async () => {
        const path = fresh();
        await remote.folder(path);
        for (const parent of ['/..', '/.', `${path}/..`, `${path}/../..`, `/./${path}`]) {
          // Each one starts when the one before has ended: nobody would handle an early failure.
          for (const work of [
            () => remote.adapter.files(user(), parent),
            () => remote.adapter.createFolder(user(), parent, 'new'),
            () => remote.adapter.uploadLink(user(), parent, 'a.txt'),
          ]) {
            expect(await failureOf(work())).toMatchObject({ kind: 'notDirectory' });
          }
        }
      });
    });

    describe('new folders', () => {
      test('are created at the top, by path and by the id of their parent', async () => {
        const path = fresh();
        const parent = await remote.folder(path);
        const first = fresh();
        const made = [
          await remote.adapter.createFolder(user(), top(), nameIn(first)),
          await remote.adapter.createFolder(user(), path, 'by path'),
          await remote.adapter.createFolder(user(), parent, "Größe – 100% #1 [a] 'b' +&"),
        ];
        expect(made).toMatchObject([
          { name: nameIn(first), mimeType: FOLDER_TYPE, location: first },
          { name: 'by path', mimeType: FOLDER_TYPE, location: `${path}/by path` },
          {
            name: "Größe – 100% #1 [a] 'b' +&",
            mimeType: FOLDER_TYPE,
            location: `${path}/Größe – 100% #1 [a] 'b' +&`,
          },
        ]);
        const found = await info(made.map(({ id }) => id));
        for (const folder of made)
          expect(found.get(folder.id)).toMatchObject({
            id: folder.id,
            name: folder.name,
            location: folder.location,
            mimeType: FOLDER_TYPE,
          });
        expect(await named(path)).toEqual(["Größe – 100% #1 [a] 'b' +&", 'by path']);
      });

      test('a taken name is a conflict, for files and folders', async () => {
        const path = fresh();
        await remote.folder(`${path}/taken`);
        await remote.file(`${path}/taken.txt`);
        for (const each of ['taken', 'taken.txt'])
          expect(await failureOf(remote.adapter.createFolder(user(), path, each))).toMatchObject({
            kind: 'conflict',
          });
        expect(await named(path)).toEqual(['taken', 'taken.txt']);
      });

      test('a missing parent is not found', async () => {
        for (const parent of ['/nowhere/at/all', '999999999'])
          expect(await failureOf(remote.adapter.createFolder(user(), parent, 'new'))).toMatchObject(
            { kind: 'notFound' },
          );
      });
    });

    describe('upload links', () => {
      test('accept uploads without credentials, at the top and into a folder by path and by id', async () => {
        const path = fresh();
        const parent = await remote.folder(path);
        const first = `${nameIn(fresh())}.txt`;
        for (const [into, each] of [
          [top(), first],
          [path, ODD_NAME],
          [parent, 'Größe – 日本語.txt'],
        ] as const) {
          const to = await remote.adapter.uploadLink(user(), into, each);
          expect(['post', 'put']).toContain(to.method);
          await remote.upload(to, each, `content of ${each}`);
        }
        const { files } = await remote.adapter.files(user(), path);
        expect(files.map((one) => [one.name, one.size]).sort()).toEqual(
          [
            [ODD_NAME, `content of ${ODD_NAME}`.length],
            ['Größe – 日本語.txt', Buffer.byteLength('content of Größe – 日本語.txt')],
          ].sort(),
        );
        expect(await named(top())).toContain(first);
      });

      test('a missing parent is not found', async () => {
        for (const parent of ['/nowhere/at/all', '999999999'])
          expect(await failureOf(remote.adapter.uploadLink(user(), parent, 'a.txt'))).toMatchObject(
            { kind: 'notFound' },
          );
      });
    });

    describe('links of a file', () => {
      test('downloads need no credentials', async () => {
        for (const each of NAMES) {
          const link = await remote.adapter.downloadLink(
            user(),
            await remote.file(`${fresh()}/${each}`, { content: `content of ${each}` }),
          );
          const answer = await fetch(link);
          expect([answer.status, await answer.text()]).toEqual([200, `content of ${each}`]);
        }
      });

      test('a removed file cannot be downloaded', async () => {
        const removed = await remote.file(`${fresh()}/a.txt`);
        await remote.remove(removed);
        for (const id of [removed, '..'])
          expect(hiddenKinds).toContain(
            ((await failureOf(remote.adapter.downloadLink(user(), id))) as StorageFailure).kind,
          );
      });

      test('a browser can open the file and its folder', async () => {
        const id = await remote.file(`${fresh()}/a.txt`);
        const [file, location] = [await linkOf(id, 'file'), await linkOf(id, 'location')];
        for (const link of [file, location]) expect(new URL(link).protocol).toMatch(/^https?:$/);
      });
    });

    test('a refused token is unauthorized for every operation', async () => {
      const path = fresh();
      const id = await remote.file(`${path}/a.txt`);
      const refused = () => accessOf(remote, remote.refused());
      const { adapter } = remote;
      for (const work of [
        () => adapter.filesInfo(refused(), [id], application),
        () => adapter.file(refused(), id),
        () => adapter.files(refused(), path),
        () => adapter.createFolder(refused(), path, 'new'),
        () => adapter.uploadLink(refused(), path, 'b.txt'),
        () => adapter.downloadLink(refused(), id),
        () => adapter.user(refused()),
      ])
        expect(await failureOf(work())).toMatchObject({ kind: 'unauthorized' });
    });
  });
}
