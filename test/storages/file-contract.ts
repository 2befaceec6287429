/** What every adapter tells about files and does with them, driven directly against the fake of its storage. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Outbound, OutboundFailure } from '../../src/http.js';
import { makeMetrics } from '../../src/metrics.js';
import { FOLDER_TYPE, type Access, type Adapter, type Destination, type FileInfo, type Target } from '../../src/storages/adapter.js';
import { StorageFailure } from '../../src/storages/failure.js';
import type { Fault, FakeServer } from '../support/fakes/http-server.js';

/** One storage with one user, Mia Ray, who puts everything there. */
export interface FileRemote {
  adapter: Adapter;
  server: FakeServer;
  addresses: Pick<Target, 'apiUrl' | 'driveId' | 'loginUrl' | 'origin' | 'tenantId'>;
  /** The user's `Authorization`. */
  authorization(): string;
  /** That of the service itself, for types that need it. */
  application?(): string;
  /** One that the storage does not accept (any more). */
  refused(): string;
  /** Makes it with the folders above it; the id. */
  file(path: string, seed?: Seed): string;
  folder(path: string): string;
  /** Still there, but not for the user. */
  hide(id: string): void;
  remove(id: string): void;
  /** As if somebody did it in the storage's own pages. */
  rename(id: string, name: string): Promise<void> | void;
  /** Sends bytes to where an upload link points, as a browser does. */
  upload(to: Destination, name: string, content: string): Promise<void>;
  /** How many requests `filesInfo` may need for so many files, of which so many are not found by the user. */
  most(files: number, missing: number): number;
  /** What must hold in the end. */
  check(): void;
  close(): Promise<void>;
}

/** Dates are ISO 8601 in whole seconds. */
export interface Seed {
  content?: string;
  mimeType?: string;
  createdAt?: string;
  modifiedAt?: string;
}

export const ODD_NAME = "100% #1 [a] 'b' +&.txt";
const NAMES = [ODD_NAME, 'Größe – 日本語 🎉.txt', 'a%20b.txt', '(1) a=b;c,d!$@^`{}~.txt', '...dots.txt', 'no ending'];
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const outbounds: Outbound[] = [];
let targets = 0;

/** Each one with a deadline and a circuit of its own. */
export function accessOf(remote: Pick<FileRemote, 'addresses'>, authorization: string, storageTimeoutMs = 15_000): Access {
  const outbound = new Outbound({ storageConnectTimeoutMs: 500, storageTimeoutMs, storageAllowPrivate: true }, makeMetrics());
  outbounds.push(outbound);
  const deadline = outbound.deadline();
  const name = `storage ${(targets += 1)}`;
  return { ...remote.addresses, authorization, send: (request) => outbound.send(name, request, deadline), leftMs: () => deadline.leftMs };
}

export const closeOutbounds = async (): Promise<void> => void (await Promise.all(outbounds.splice(0).map((outbound) => outbound.close())));

/** The failure of what must fail as storages do. */
export async function failureOf(work: Promise<unknown>): Promise<OutboundFailure | StorageFailure> {
  const thrown = await work.then((value) => `succeeded with ${JSON.stringify(value)}`, (error: unknown) => error);
  if (!(thrown instanceof StorageFailure) && !(thrown instanceof OutboundFailure)) throw thrown;
  return thrown;
}

/** `value` stands for what is there. */
export const kindOf = (outcome: FileInfo | StorageFailure | undefined): string => (outcome instanceof StorageFailure ? outcome.kind : outcome ? 'value' : 'nothing');

export function fileContract(name: string, start: () => Promise<FileRemote>): void {
  describe(`files of a ${name}`, () => {
    let remote: FileRemote;
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

    let folders = 0;
    /** A folder's path that no other test uses. */
    const fresh = () => `/folder-${(folders += 1)}`;
    const user = (storageTimeoutMs?: number) => accessOf(remote, remote.authorization(), storageTimeoutMs);
    const application = async (): Promise<Access> => {
      if (!remote.application) throw new Error('This type needs no access of the service itself.');
      return accessOf(remote, remote.application());
    };
    const info = (ids: readonly string[], access = user()) => remote.adapter.filesInfo(access, ids, application);
    const about = async (id: string) => (await info([id])).get(id) as FileInfo;
    const named = async (parent: string | undefined) => (await remote.adapter.files(user(), parent)).files.map((one) => one.name).sort();
    const linkOf = (id: string, at: 'file' | 'location', access = user()) => {
      const link = remote.adapter.fileLink(access, id, at);
      return typeof link === 'string' ? link : link(access);
    };
    const hiddenKinds = ['forbidden', 'notFound'];

    describe('files by id', () => {
      test('a file is described whole', async () => {
        const path = `${fresh()}/Docs/brief.md`;
        const id = remote.file(path, { content: 'hello', mimeType: 'text/markdown', createdAt: '2026-01-02T03:04:05Z', modifiedAt: '2026-02-03T04:05:06Z' });
        const { webUrl, folderWebUrl, ...described } = await about(id);
        expect(described).toEqual({
          id, name: 'brief.md', mimeType: 'text/markdown', size: 5, createdAt: '2026-01-02T03:04:05.000Z', lastModifiedAt: '2026-02-03T04:05:06.000Z',
          createdByName: 'Mia Ray', lastModifiedByName: 'Mia Ray', location: path, permissions: ['readable', 'writeable'],
        });
        for (const url of [webUrl, folderWebUrl]) expect(url === undefined || /^https?:\/\//.test(url)).toBe(true);
        expect(await remote.adapter.file(user(), id)).toMatchObject(described);
      });

      test('a folder is one, and has the size of what is in it', async () => {
        const path = fresh();
        remote.file(`${path}/inner/a.txt`, { content: '123' });
        remote.file(`${path}/b.txt`, { content: '4567' });
        const id = remote.folder(path);
        expect(await about(id)).toMatchObject({ id, name: path.slice(1), mimeType: FOLDER_TYPE, size: 7, location: path });
      });

      test('what is hidden is forbidden, what is removed is not found, and both leave the others alone', async () => {
        const path = fresh();
        const [seen, hidden, removed, below] = [remote.file(`${path}/seen.txt`), remote.file(`${path}/hidden.txt`), remote.file(`${path}/removed.txt`), remote.file(`${path}/secret/below.txt`)];
        remote.hide(hidden!);
        remote.hide(remote.folder(`${path}/secret`));
        remote.remove(removed!);
        const found = await info([seen!, hidden!, removed!, below!]);
        expect([seen, hidden, removed, below].map((id) => kindOf(found.get(id!)))).toEqual(['value', 'forbidden', 'notFound', 'forbidden']);
      });

      test('what was renamed is found under its id', async () => {
        const path = fresh();
        const id = remote.file(`${path}/before.txt`);
        await remote.rename(id, 'after.txt');
        expect(await about(id)).toMatchObject({ id, name: 'after.txt', location: `${path}/after.txt` });
      });

      test('names and locations are told as they are', async () => {
        const path = `${fresh()}/100% (a) & 'b' #1 ü 日本`;
        const ids = NAMES.map((each) => remote.file(`${path}/${each}`));
        const found = await info(ids);
        expect(ids.map((id) => found.get(id))).toMatchObject(NAMES.map((each, index) => ({ id: ids[index], name: each, location: `${path}/${each}` })));
      });

      test('ids that no storage gave are not found, and hurt nobody', async () => {
        const id = remote.file(`${fresh()}/a.txt`);
        const odd = ['999999999', 'no-such-id', '..', '../..', '%2e%2e', 'a/b', 'a:b', '0', '-1', "'", '\ud800', 'x'.repeat(300)];
        const found = await info([id, ...odd]);
        expect(kindOf(found.get(id))).toBe('value');
        expect(odd.map((one) => kindOf(found.get(one)))).toEqual(odd.map(() => 'notFound'));
        for (const one of ['999999999', '..', 'a/b', '\ud800']) expect(await failureOf(remote.adapter.file(user(), one))).toMatchObject({ kind: 'notFound' });
      });

      test('nothing is asked for nothing, and twice the same is asked once', async () => {
        expect([...(await info([]))]).toEqual([]);
        expect(remote.server.requests).toEqual([]);
        const id = remote.file(`${fresh()}/a.txt`);
        expect([...(await info([id, id])).keys()]).toEqual([id]);
      });

      test.each([[1, 0], [20, 0], [45, 0], [45, 25]])('%i files, of which the user finds %i less, need few requests', async (files, missing) => {
        const path = fresh();
        const ids = Array.from({ length: files }, (_, index) => remote.file(`${path}/${index}.txt`));
        for (const id of ids.slice(files - missing)) remote.hide(id);
        const kinds = [...(await info(ids)).values()].map(kindOf);
        expect([kinds.filter((kind) => kind === 'value').length, kinds.filter((kind) => kind === 'forbidden').length]).toEqual([files - missing, missing]);
        expect(remote.server.requests.length).toBeLessThanOrEqual(remote.most(files, missing));
      });

      test('one file that the user does not see', async () => {
        const id = remote.file(`${fresh()}/a.txt`);
        remote.hide(id);
        expect(hiddenKinds).toContain((await failureOf(remote.adapter.file(user(), id)) as StorageFailure).kind);
      });
    });

    describe('folders', () => {
      test('the root is asked for by nothing or by a slash, and has no ancestors', async () => {
        const path = fresh();
        remote.folder(path);
        for (const parent of [undefined, '/']) {
          const { parent: root, ancestors, files } = await remote.adapter.files(user(), parent);
          expect(root).toMatchObject({ name: 'Root', location: '/', mimeType: FOLDER_TYPE });
          expect(root.id).toMatch(/./);
          expect(ancestors).toEqual([]);
          expect(files.filter(({ location }) => location === path)).toMatchObject([{ name: path.slice(1), mimeType: FOLDER_TYPE }]);
        }
      });

      test('a folder by its path and by its id, with ancestors that can be listed by theirs', async () => {
        const path = fresh();
        const id = remote.folder(`${path}/Ä & b/c%20d`);
        const file = remote.file(`${path}/Ä & b/c%20d/${ODD_NAME}`, { content: 'hello' });
        remote.folder(`${path}/Ä & b/c%20d/empty`);
        for (const parent of [`${path}/Ä & b/c%20d`, `${path}/Ä & b/c%20d/`, id]) {
          const { parent: folder, ancestors, files } = await remote.adapter.files(user(), parent);
          expect(folder).toMatchObject({ id, name: 'c%20d', location: `${path}/Ä & b/c%20d`, mimeType: FOLDER_TYPE });
          expect(ancestors).toMatchObject([{ name: 'Root', location: '/' }, { name: path.slice(1), location: path }, { name: 'Ä & b', location: `${path}/Ä & b` }]);
          expect(files.map((one) => one.name).sort()).toEqual([ODD_NAME, 'empty']);
          expect(files.find((one) => one.id === file)).toMatchObject({ name: ODD_NAME, size: 5, location: `${path}/Ä & b/c%20d/${ODD_NAME}` });
          for (const ancestor of ancestors) expect((await remote.adapter.files(user(), ancestor.id)).parent.location).toBe(ancestor.location);
        }
      });

      test('entries agree with what is told about each of them', async () => {
        const path = fresh();
        const ids = [...NAMES.map((each) => remote.file(`${path}/${each}`)), remote.folder(`${path}/inner`)];
        const [{ files }, found] = await Promise.all([remote.adapter.files(user(), path), info(ids)]);
        expect(files.map(({ id }) => id).sort()).toEqual([...ids].sort());
        for (const entry of files) {
          const known = Object.entries(entry).filter(([field, value]) => value !== null && !field.endsWith('ebUrl'));
          expect(found.get(entry.id)).toMatchObject(Object.fromEntries(known));
          for (const time of [entry.createdAt, entry.lastModifiedAt]) expect(time ?? '2026-01-01T00:00:00.000Z').toMatch(ISO);
        }
      });

      test('an empty folder is empty', async () => {
        const path = fresh();
        remote.folder(path);
        expect(await remote.adapter.files(user(), path)).toMatchObject({ parent: { name: path.slice(1) }, ancestors: [{ location: '/' }], files: [] });
      });

      test('what the user does not see is left out', async () => {
        const path = fresh();
        remote.file(`${path}/seen.txt`);
        remote.hide(remote.file(`${path}/hidden.txt`));
        expect(await named(path)).toEqual(['seen.txt']);
      });

      test('a file is no folder', async () => {
        const path = `${fresh()}/a.txt`;
        const id = remote.file(path);
        for (const parent of [path, id]) expect(await failureOf(remote.adapter.files(user(), parent))).toMatchObject({ kind: 'notDirectory' });
      });

      test('what is missing is not found, hidden folders are not listed', async () => {
        const path = fresh();
        remote.file(`${path}/a.txt`);
        for (const parent of [`${path}/nowhere`, '/..', `${path}/../..`, '999999999', '..']) expect(await failureOf(remote.adapter.files(user(), parent))).toMatchObject({ kind: 'notFound' });
        const hidden = remote.folder(path);
        remote.hide(hidden);
        for (const parent of [path, hidden]) expect(hiddenKinds).toContain((await failureOf(remote.adapter.files(user(), parent)) as StorageFailure).kind);
      });

      test('10,000 entries', async () => {
        const path = fresh();
        for (let index = 0; index < 10_000; index += 1) remote.file(`${path}/${index}.txt`, { content: '' });
        const { files } = await remote.adapter.files(user(100_000), path);
        expect(new Set(files.map(({ id }) => id)).size).toBe(10_000);
      }, 120_000);
    });

    describe('new folders', () => {
      test('are made in the root, by the path and by the id of their parent', async () => {
        const path = fresh();
        const parent = remote.folder(path);
        const top = fresh().slice(1);
        const made = [await remote.adapter.createFolder(user(), '/', top), await remote.adapter.createFolder(user(), path, 'by path'), await remote.adapter.createFolder(user(), parent, "Größe – 100% #1 [a] 'b' +&")];
        expect(made).toMatchObject([
          { name: top, mimeType: FOLDER_TYPE, location: `/${top}` },
          { name: 'by path', mimeType: FOLDER_TYPE, location: `${path}/by path` },
          { name: "Größe – 100% #1 [a] 'b' +&", mimeType: FOLDER_TYPE, location: `${path}/Größe – 100% #1 [a] 'b' +&` },
        ]);
        const found = await info(made.map(({ id }) => id));
        for (const folder of made) expect(found.get(folder.id)).toMatchObject({ id: folder.id, name: folder.name, location: folder.location, mimeType: FOLDER_TYPE });
        expect(await named(path)).toEqual(["Größe – 100% #1 [a] 'b' +&", 'by path']);
      });

      test('a taken name is a conflict, whatever has it', async () => {
        const path = fresh();
        remote.folder(`${path}/taken`);
        remote.file(`${path}/taken.txt`);
        for (const each of ['taken', 'taken.txt']) expect(await failureOf(remote.adapter.createFolder(user(), path, each))).toMatchObject({ kind: 'conflict' });
        expect(await named(path)).toEqual(['taken', 'taken.txt']);
      });

      test('a missing parent is not found', async () => {
        for (const parent of ['/nowhere/at/all', '999999999']) expect(await failureOf(remote.adapter.createFolder(user(), parent, 'new'))).toMatchObject({ kind: 'notFound' });
      });
    });

    describe('upload links', () => {
      test('take bytes from whoever has them, into the root and into a folder by path and by id', async () => {
        const path = fresh();
        const parent = remote.folder(path);
        const top = `${fresh().slice(1)}.txt`;
        for (const [into, each] of [['/', top], [path, ODD_NAME], [parent, 'Größe – 日本語.txt']] as const) {
          const to = await remote.adapter.uploadLink(user(), into, each);
          expect(['post', 'put']).toContain(to.method);
          await remote.upload(to, each, `content of ${each}`);
        }
        const { files } = await remote.adapter.files(user(), path);
        expect(files.map((one) => [one.name, one.size]).sort()).toEqual([[ODD_NAME, `content of ${ODD_NAME}`.length], ['Größe – 日本語.txt', Buffer.byteLength('content of Größe – 日本語.txt')]].sort());
        expect(await named('/')).toContain(top);
      });

      test('a missing parent is not found', async () => {
        for (const parent of ['/nowhere/at/all', '999999999']) expect(await failureOf(remote.adapter.uploadLink(user(), parent, 'a.txt'))).toMatchObject({ kind: 'notFound' });
      });
    });

    describe('links of a file', () => {
      test('downloads need no credentials', async () => {
        for (const each of NAMES) {
          const link = await remote.adapter.downloadLink(user(), remote.file(`${fresh()}/${each}`, { content: `content of ${each}` }));
          const answer = await fetch(link);
          expect([answer.status, await answer.text()]).toEqual([200, `content of ${each}`]);
        }
      });

      test('there are no downloads of what is hidden or gone', async () => {
        const [hidden, removed] = [remote.file(`${fresh()}/a.txt`), remote.file(`${fresh()}/a.txt`)];
        remote.hide(hidden!);
        remote.remove(removed!);
        for (const id of [hidden!, removed!, '..']) expect(hiddenKinds).toContain((await failureOf(remote.adapter.downloadLink(user(), id)) as StorageFailure).kind);
      });

      test('a browser finds the file and its folder', async () => {
        const id = remote.file(`${fresh()}/a.txt`);
        const [file, location] = [await linkOf(id, 'file'), await linkOf(id, 'location')];
        for (const link of [file, location]) expect(new URL(link).protocol).toMatch(/^https?:$/);
      });
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
        ['a cut connection', 'reset'], ['silence', 'silence'], ['half an answer', 'half'], ['an endless answer', 'endless'], ['an answer of 1 GB', { bytes: 1024 ** 3 }],
        ['500', { status: 500, body: 'planted-body' }], ['503', { status: 503 }], ['429 for longer than the deadline', { status: 429, headers: { 'retry-after': '60' } }],
        ['a page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' }],
        ['broken JSON', { status: 200, headers: { 'content-type': 'application/json' }, body: '{"id":' }],
        ['JSON of another shape', { status: 200, headers: { 'content-type': 'application/json' }, body: '[]' }],
        ['an empty object', { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' }],
      ];

      test.each(faults)('%s is a failure of every operation, within the deadline and without secrets', async (_what, fault) => {
        const token = remote.authorization();
        remote.server.fault(fault);
        for (const [operation, ask] of Object.entries(operations)) {
          const began = performance.now();
          const error = await failureOf(ask(accessOf(remote, token, 500)));
          expect([operation, error instanceof StorageFailure ? error.kind : 'unexpected']).toEqual([operation, 'unexpected']);
          expect(performance.now() - began).toBeLessThan(2500);
          const told = JSON.stringify([String(error), error.stack, error]);
          for (const secret of [token.replace(/^\w+ /, ''), 'planted-body']) expect(told).not.toContain(secret);
        }
      });

      test.each(Object.keys(operations))('%s with a token that is refused is unauthorized', async (operation) => {
        expect(await failureOf(operations[operation]!(accessOf(remote, remote.refused())))).toMatchObject({ kind: 'unauthorized' });
      });

      test('one that is throttled is asked again', async () => {
        for (const ask of Object.values(operations)) {
          remote.server.repair();
          remote.server.fault({ status: 429, headers: { 'retry-after': '0.1' } }, () => true, 1);
          await ask(user());
        }
      });
    });
  });
}
