/** Small pictures of people, as people notice them. */
import sharp from 'sharp';
import { runCleanup } from '../../../src/actions/operate/cleanup/run-cleanup.js';
import { verifyBlobs } from '../../../src/actions/files/attachments/verify-blobs.js';
import { startApp, type App } from '../../support/app.js';
import { eventually, Work } from '../../support/direct-upload.js';
import { notFound } from '../../support/expected.js';
import type { Person } from '../../support/factories.js';
import { png, SET_AVATAR } from '../../support/images.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { flag, pathOf } from '../../support/pictures.js';

const SMALL = `query ($id: ID!) {
  user(id: $id) {
    small: avatarThumbnail(size: SMALL) { href width height contentType }
    large: avatarThumbnail(size: LARGE) { href width height contentType }
  }
}`;
const REMOVE = 'mutation ($id: ID!) { removeAvatar(input: { userId: $id }) { user { id } } }';
const face = () => flag(900, 600).png().toBuffer();

let app: App;
let work: Work;
let person: Person;
let other: Person;

async function start(environment: { [name: string]: string } = {}) {
  app = await startApp({ PATH: process.env['PATH']!, ...environment });
  work = new Work(app);
  person = await app.given.user();
  other = await app.given.user();
  work.start();
}
async function stop() {
  await work.stop();
  await app.stop();
}

const set = async (content: Buffer, as = person) => {
  const { errors } = await app.graphqlUpload(SET_AVATAR, { id: String(as.id) }, content, as);
  expect(errors).toBeUndefined();
};
const shown = async (of: Person, as: Person | undefined = other): Promise<any> =>
  (await app.graphql(SMALL, { id: String(of.id) }, as)).data.user;
const made = (of = person): Promise<any> =>
  eventually(
    () => shown(of),
    ({ small }) => small !== null,
  );
const keys = async (): Promise<string[]> => {
  const found: string[] = [];
  for await (const { key } of app.running.services.blobs.list()) found.push(key);
  return found;
};

describe('a small picture of a person', () => {
  beforeAll(() => start());
  afterAll(stop);

  test('is made when somebody asks first, for everybody who sees the person', async () => {
    expect(await shown(person)).toEqual({ small: null, large: null });
    await set(await face());
    const { small, large } = await made();
    expect([small, large]).toEqual([
      { href: expect.any(String), width: 128, height: 85, contentType: 'image/webp' },
      { href: expect.any(String), width: 900, height: 600, contentType: 'image/webp' },
    ]);
    const { status, bytes, headers } = await app.get(pathOf(app, small), other);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'image/webp',
      'private, max-age=31536000, immutable',
    ]);
    const { width, height } = await sharp(bytes).metadata();
    expect({ width, height }).toEqual({ width: 128, height: 85 });
    const { status: hidden, body } = await app.get(pathOf(app, small));
    expect([hidden, body]).toEqual([404, notFound]);
  });

  test('follows the picture, and goes with it', async () => {
    await set(await face());
    const { small: first } = await made();
    await set(await flag(300, 600).png().toBuffer());
    const { small } = await made();
    expect(small).toMatchObject({ width: 64, height: 128 });
    expect((await app.get(pathOf(app, first), person)).status).toBe(404);
    await app.graphql(REMOVE, { id: String(person.id) }, person);
    expect(await shown(person)).toEqual({ small: null, large: null });
    expect((await app.get(pathOf(app, small), person)).status).toBe(404);
    expect(await keys()).toEqual([]);
    expect(await app.running.services.db.read('previews')).toEqual([]);
  });

  test('of a picture whose process died while it was replaced is removed by the cleanup', async () => {
    await set(await face());
    await made();
    const { services } = app.running;
    const { avatar_key: key } = await services.db.read('users').where({ id: person.id }).first();
    await services.db.write('users').where({ id: person.id }).update({ avatar_key: null });
    await services.db
      .write('stray_blobs')
      .insert({ blob_key: key, remove_after: '2020-01-01T00:00:00.000Z' });
    await runCleanup(services);
    expect(await keys()).toEqual([]);
    expect(await services.db.read('previews')).toEqual([]);
  });

  test('is known to verify and to the cleanup', async () => {
    await set(await face());
    await made();
    const before = (await keys()).sort();
    expect(before).toHaveLength(4);
    await runCleanup(app.running.services);
    expect((await keys()).sort()).toEqual(before);
    const found: unknown[] = [];
    await verifyBlobs(app.running.services, { found: (one) => found.push(one) });
    expect(found).toEqual([]);
  });

  test('of a picture that cannot be read is none, and the picture itself stays', async () => {
    await set(png(400, 400, 5_000), other);
    expect(await shown(other, person)).toEqual({ small: null, large: null });
    await eventually(
      async () => await app.running.services.db.read('previews').where({ state: 'failed' }),
      (rows: unknown[]) => rows.length === 1,
    );
    expect(await shown(other, person)).toEqual({ small: null, large: null });
    expect((await app.get(`/api/v3/users/${other.id}/avatar`, person)).status).toBe(200);
  });
});

describe('without small pictures', () => {
  beforeAll(() => start({ PREVIEWS: 'false' }));
  afterAll(stop);

  test('a person has the whole picture only', async () => {
    await set(await face());
    expect(await shown(person)).toEqual({ small: null, large: null });
    expect(await app.running.services.db.read('previews')).toEqual([]);
  });
});
