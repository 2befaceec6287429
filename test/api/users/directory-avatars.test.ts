/** Pictures that the directory file names: fetched once, checked, given up; and those of persons. */
import { createHash } from 'node:crypto';
import { acquireDownload } from '../../../src/actions/files/avatars/directory-avatars.js';
import { fetchAvatar } from '../../../src/actions/files/avatars/fetch-avatar.js';
import { runCleanup } from '../../../src/actions/operate/cleanup/run-cleanup.js';
import {
  BadDirectory,
  importDirectory,
} from '../../../src/actions/people/directory/import-directory.js';
import { startApp, startBeside, type App } from '../../support/app.js';
import type { Person } from '../../support/factories.js';
import { serveFake, type FakeServer } from '../../../demo/servers/http-server.js';
import { jpeg, png, SET_AVATAR } from '../../support/images.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '../../support/jest.js';

let app: App;
let admin: Person;
let pictures: FakeServer;
beforeAll(async () => {
  pictures = await serveFake(({ path }, response) => {
    const [, width = '8'] = /^\/(\d+)/.exec(path) ?? [];
    response.writeHead(200).end(png(Number(width), 8));
  });
  app = await startApp({ STORAGE_ALLOW_PRIVATE: 'true' });
  admin = await app.given.user({ admin: true });
});
afterAll(async () => {
  await app?.stop();
  await pictures?.close();
});
afterEach(async () => {
  await app.running.services.db.write('directory_avatars').delete();
  app.running.services.outbound.forget(`avatars 127.0.0.1:${pictures.port}`);
  app.logLines.length = 0;
  pictures.repair();
  pictures.forget();
});

const row = (login: string, avatarUrl?: string | null) => ({
  login,
  firstName: 'Some',
  lastName: 'Body',
  ...(avatarUrl !== undefined && { avatarUrl }),
});
/** Imports users by their addresses. @returns their ids */
async function take(urls: { [login: string]: string | null | undefined }): Promise<number[]> {
  const users = Object.entries(urls).map(([login, url]) => row(login, url));
  const ids = await importDirectory(app.running.services, async function* () {
    yield Buffer.from(JSON.stringify({ users }));
  });
  return users.map(({ login }) => ids.users[login]!);
}
const takeOne = async (login: string, url?: string | null): Promise<number> =>
  (await take({ [login]: url }))[0]!;

/** The background work of one process at a given time. */
async function work(later = 0): Promise<void> {
  const services = { ...app.running.services, clock: () => new Date(Date.now() + later) };
  for (let next = await acquireDownload(services); next; next = await acquireDownload(services))
    await fetchAvatar(services, next);
}
const HOURS = 3_600_000;

/** What others see: the digest of the picture, or nothing. */
async function shown(id: number): Promise<string | undefined> {
  const answer = await fetch(`${app.running.baseUrl}/api/v3/users/${id}/avatar`, {
    headers: { authorization: `Bearer ${admin.key}` },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return answer.status === 200 ? digestOf(bytes) : undefined;
}
const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const asked = () => pictures.requests.map(({ path }) => path);
const queued = (): Promise<any[]> =>
  app.running.services.db.read('directory_avatars').orderBy('id');
const warnings = () =>
  app.logLines
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level >= 40)
    .map(({ msg, user, attempts, reason }) => ({ msg, user, attempts, reason }));
const LATER = 'the picture of a user could not be fetched yet';
const ENDED = 'the picture of a user was given up';

const set = (id: number, content: Buffer) =>
  app.graphqlUpload(SET_AVATAR, { id: String(id) }, content, admin);
const remove = (id: number) =>
  app.graphql(
    'mutation ($id: ID!) { removeAvatar(input: { userId: $id }) { user { avatarUrl } } }',
    { id: String(id) },
    admin,
  );

describe('a picture of the directory', () => {
  test('is fetched after the import, shown, and not fetched again', async () => {
    pictures.fault({ status: 200, body: jpeg(9, 9) }, ({ path }) => path === '/photo');
    const [one, two, none] = await take({
      'dir-one': `${pictures.url}/8?size=1`,
      'dir-two': `${pictures.url}/photo`,
      'dir-none': undefined,
    });
    expect(asked()).toEqual([]);
    await work();
    expect(asked().sort()).toEqual(['/8', '/photo']);
    expect(pictures.requests.map(({ method, headers }) => [method, headers.accept])).toEqual(
      Array.from({ length: 2 }, () => ['GET', 'image/png, image/jpeg']),
    );
    expect(await Promise.all([one!, two!, none!].map(shown))).toEqual([
      digestOf(png(8, 8)),
      digestOf(jpeg(9, 9)),
      undefined,
    ]);
    const { data } = await app.graphql(
      'query ($id: ID!) { user(id: $id) { avatarUrl } }',
      { id: String(one) },
      admin,
    );
    expect(data.user.avatarUrl).toBe(`${app.running.baseUrl}/api/v3/users/${one}/avatar`);

    pictures.forget();
    await take({ 'dir-one': `${pictures.url}/8?size=1`, 'dir-two': undefined });
    await work(24 * HOURS);
    expect(asked()).toEqual([]);
    await take({ 'dir-one': `${pictures.url}/16` });
    await work();
    expect(asked()).toEqual(['/16']);
    expect(await shown(one!)).toBe(digestOf(png(16, 8)));
    expect(warnings()).toEqual([]);
    // The object of the first picture is gone, and the cleanup removes nothing that is shown.
    await runCleanup({
      ...app.running.services,
      clock: () => new Date(Date.now() + 24 * HOURS),
    });
    expect(await Promise.all([one!, two!].map(shown))).toEqual([
      digestOf(png(16, 8)),
      digestOf(jpeg(9, 9)),
    ]);
  });

  test('is taken back by null, but a picture of the person stays', async () => {
    const ids = await take({ 'back-one': `${pictures.url}/8`, 'back-two': `${pictures.url}/8` });
    const [one, two] = ids as [number, number];
    await work();
    await set(two, png(20, 20));
    await take({ 'back-one': null, 'back-two': null, 'back-three': null });
    expect(await shown(one)).toBe(digestOf(png(8, 8)));
    await work();
    expect([await shown(one), await shown(two)]).toEqual([undefined, digestOf(png(20, 20))]);
    expect(await queued()).toEqual([]);
    await take({ 'back-one': `${pictures.url}/8` });
    await work();
    expect(await shown(one)).toBe(digestOf(png(8, 8)));
  });

  test('is replaced by the person until the address changes', async () => {
    const id = await takeOne('own', `${pictures.url}/8`);
    await work();
    for (const [change, now] of [
      [() => set(id, png(20, 20)), digestOf(png(20, 20))],
      [() => remove(id), undefined],
    ] as const) {
      await change();
      await takeOne('own', `${pictures.url}/8`);
      await work(24 * HOURS);
      expect(await shown(id)).toBe(now);
    }
    expect(asked()).toEqual(['/8']);
    await takeOne('own', `${pictures.url}/16`);
    await work();
    expect(await shown(id)).toBe(digestOf(png(16, 8)));
  });

  test('that waits or arrives does not replace what the person did meanwhile', async () => {
    const id = await takeOne('meanwhile', `${pictures.url}/8`);
    await set(id, png(20, 20));
    await work(24 * HOURS);
    expect(asked()).toEqual([]);

    await takeOne('meanwhile', `${pictures.url}/16`);
    const services = app.running.services;
    const taken = (await acquireDownload(services))!;
    pictures.fault({ hold: async () => void (await remove(id)) });
    await fetchAvatar(services, taken);
    expect(asked()).toEqual(['/16']);
    expect(await shown(id)).toBeUndefined();
    expect((await queued()).map(({ due_at, url }) => [due_at, url])).toEqual([
      [null, `${pictures.url}/16`],
    ]);
  });

  test('that arrives after the address changed is not shown', async () => {
    const id = await takeOne('changed', `${pictures.url}/8`);
    const services = app.running.services;
    const taken = (await acquireDownload(services))!;
    pictures.fault(
      { hold: async () => void (await takeOne('changed', `${pictures.url}/16`)) },
      undefined,
      1,
    );
    await fetchAvatar(services, taken);
    expect(await shown(id)).toBeUndefined();
    await work();
    expect(await shown(id)).toBe(digestOf(png(16, 8)));
  });

  test('is fetched by another process after one that died', async () => {
    const id = await takeOne('dead', `${pictures.url}/8`);
    expect(await acquireDownload(app.running.services)).toMatchObject({ userId: id });
    await work();
    expect(asked()).toEqual([]);
    await work(61_000);
    expect(await shown(id)).toBe(digestOf(png(8, 8)));
  });

  test('is fetched by background work by itself', async () => {
    const id = await takeOne('alone', `${pictures.url}/8`);
    const working = await startBeside(app, { BACKGROUND_WORK: 'true' });
    try {
      for (const end = Date.now() + 30_000; (await queued())[0].due_at && Date.now() < end;)
        await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      await working.stop();
    }
    app.running.services.forgetIdentities();
    expect(await shown(id)).toBe(digestOf(png(8, 8)));
  });
});

describe('a failure', () => {
  test.each([
    ['another status', { status: 404, body: png() }, 'URL answered 404.'],
    ['a redirect', { status: 302, headers: { location: '/8' } }, 'URL answered 302.'],
    ['another type', { status: 200, body: 'GIF89a' }, 'File is no PNG or JPEG image.'],
    [
      'too many pixels',
      { status: 200, body: png(1_025, 8) },
      'File has too many pixels (maximum is 1,024 by 1,024).',
    ],
    [
      'too many bytes',
      { status: 200, body: png(8, 8, 512 * 1024 + 1) },
      'URL answered with more than 524288 bytes.',
    ],
    ['no connection', 'reset', 'The connection to URL failed (UND_ERR_SOCKET).'],
  ] as const)('by %s keeps the picture before it, and is logged', async (name, fault, reason) => {
    const login = `bad-${name}`;
    const id = await takeOne(login, `${pictures.url}/8`);
    await work();
    await takeOne(login, `${pictures.url}/16?secret=planted`);
    pictures.fault(fault);
    await work();
    expect(await shown(id)).toBe(digestOf(png(8, 8)));
    expect(warnings()).toEqual([
      { msg: LATER, user: id, attempts: 1, reason: reason.replace('URL', pictures.url) },
    ]);
    expect(app.logLines.join('')).not.toContain('planted');
    pictures.repair();
    await work(6_000);
    expect(await shown(id)).toBe(digestOf(png(16, 8)));
    expect(await queued()).toEqual([
      expect.objectContaining({ due_at: null, lease_token: null, last_error: null }),
    ]);
  });

  test('is tried ten times in 7.5 hours and logged for each reason, and at the end', async () => {
    const id = await takeOne('ten', `${pictures.url}/8`);
    pictures.fault({ status: 404 }, undefined, 3);
    pictures.fault({ status: 403 });
    const waits = [];
    for (let elapsed = 0; (await queued())[0].due_at;) {
      const [{ due_at: dueAt }] = await queued();
      elapsed = Math.max(elapsed, Date.parse(dueAt) - Date.now() + 1);
      await work(elapsed);
      waits.push(Math.round(elapsed / 1000));
    }
    expect(asked()).toHaveLength(10);
    expect(waits.at(-1)! / 3600).toBeCloseTo(7.5, 0);
    const reason = (status: number) => `${pictures.url} answered ${status}.`;
    expect(warnings()).toEqual([
      { msg: LATER, user: id, attempts: 1, reason: reason(404) },
      { msg: LATER, user: id, attempts: 4, reason: reason(403) },
      { msg: ENDED, user: id, attempts: 10, reason: reason(403) },
    ]);
    pictures.repair();
    await takeOne('ten', `${pictures.url}/8`);
    await work(100 * HOURS);
    expect(asked()).toHaveLength(10);
    await takeOne('ten', `${pictures.url}/8?again`);
    await work();
    expect(await shown(id)).toBe(digestOf(png(8, 8)));
  });

  test('while the server is left alone does not count', async () => {
    const id = await takeOne('circuit', `${pictures.url}/8`);
    pictures.fault('reset', undefined, 5);
    for (let attempt = 0; attempt < 5; attempt += 1) await work(attempt * HOURS);
    expect((await queued())[0].attempts).toBe(5);
    pictures.forget();
    await work(10 * HOURS);
    expect([asked(), (await queued())[0].attempts]).toEqual([[], 5]);
    app.running.services.outbound.forget(`avatars 127.0.0.1:${pictures.port}`);
    await work(10 * HOURS + 11_000);
    expect(await shown(id)).toBe(digestOf(png(8, 8)));
  });

  test('of the store ends no attempt', async () => {
    await takeOne('store', `${pictures.url}/8`);
    const services = app.running.services;
    const taken = (await acquireDownload(services))!;
    const put = () => Promise.reject(new Error('the disk is full'));
    await expect(
      fetchAvatar({ ...services, blobs: { ...services.blobs, put } }, taken),
    ).rejects.toThrow('the disk is full');
    expect((await queued())[0]).toMatchObject({ attempts: 0, lease_token: taken.leaseToken });
  });

  test('is an address that must not be called', async () => {
    const guarded = await startBeside(app, { STORAGE_ALLOW_PRIVATE: 'false' });
    try {
      const id = await takeOne('guarded', `${pictures.url}/8`);
      const taken = (await acquireDownload(guarded.running.services))!;
      await fetchAvatar(guarded.running.services, taken);
      expect(asked()).toEqual([]);
      expect((await queued()).map(({ user_id, last_error }) => [user_id, last_error])).toEqual([
        [id, '127.0.0.1 is at an address that must not be called.'],
      ]);
    } finally {
      await guarded.stop();
    }
  });
});

test.each([
  [
    'http://pictures.example.test/1.png',
    'The address must be reached by https; plain http is accepted for this machine only.',
  ],
  ['https://me:secret@pictures.example.test/', 'The address is not a valid URL.'],
  ['ftp://pictures.example.test/', 'The address is not a valid URL.'],
  ['1.png', 'The address is not a valid URL.'],
  [`https://pictures.example.test/${'x'.repeat(2_000)}`, 'must have at most 2000 characters'],
])('the address %.60s is a bad row', async (url, message) => {
  const error: unknown = await takeOne('bad-address', url).catch((fault: unknown) => fault);
  if (!(error instanceof BadDirectory)) throw error;
  expect(error.rows).toEqual([{ path: 'users[0].avatarUrl', message }]);
});
