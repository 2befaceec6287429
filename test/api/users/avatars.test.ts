/** Pictures of users: set, removed and shown; what they may be, and who may do it. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { runCleanup } from '../../../src/actions/operate/cleanup/run-cleanup.js';
import { verifyBlobs, type Finding } from '../../../src/actions/files/attachments/verify-blobs.js';
import { startApp, type App } from '../../support/app.js';
import type { Person } from '../../support/factories.js';
import { jpeg, png, SET_AVATAR } from '../../support/images.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

let app: App;
let person: Person;
let other: Person;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  person = await app.given.user();
  other = await app.given.user();
  admin = await app.given.user({ admin: true });
});
afterAll(() => app.stop());

const REMOVE =
  'mutation ($id: ID!) { removeAvatar(input: { userId: $id }) { user { databaseId avatarUrl } } }';
const set = (id: number, content: Buffer, as?: Person) =>
  app.graphqlUpload(SET_AVATAR, { id: String(id) }, content, as);
const remove = (id: number, as?: Person) => app.graphql(REMOVE, { id: String(id) }, as);
const addressOf = (id: number) => `${app.running.baseUrl}/api/v3/users/${id}/avatar`;

const digestOf = (bytes: Buffer): string =>
  bytes.length === 0 ? '' : createHash('sha256').update(bytes).digest('hex');

async function shown(id: number, as?: Person) {
  const { status, headers } = await app.get(`/api/v3/users/${id}/avatar`, as);
  const answer = await fetch(addressOf(id), {
    headers: as ? { authorization: `Bearer ${as.key}` } : {},
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status, type: headers.get('content-type'), digest: digestOf(bytes) };
}

const keyOf = async ({ id }: Person): Promise<string> =>
  (await app.running.services.db.read('users').where({ id }).first())!.avatar_key;
const problems = async (): Promise<Finding[]> => {
  const found: Finding[] = [];
  await verifyBlobs(app.running.services, { found: (one) => found.push(one) });
  return found;
};

describe('an avatar', () => {
  test('is set by the person and shown with its type, in GraphQL and in the HAL document', async () => {
    expect(await shown(person.id, other)).toEqual({ status: 404, type: null, digest: '' });
    for (const [content, type] of [
      [png(1_024, 1_024, 512 * 1024), 'image/png'],
      [jpeg(1_024, 3), 'image/jpeg'],
      [png(1, 1, 33), 'image/png'],
    ] as const) {
      const { data, errors } = await set(person.id, content, person);
      expect({ data, errors }).toEqual({
        data: {
          setAvatar: {
            user: {
              databaseId: person.id,
              avatarUrl: addressOf(person.id),
            },
          },
        },
        errors: undefined,
      });
      expect(await shown(person.id, other)).toEqual({
        status: 200,
        type,
        digest: digestOf(content),
      });
    }
    const { headers } = await app.get(`/api/v3/users/${person.id}/avatar`, other);
    expect(
      ['cache-control', 'x-content-type-options', 'content-security-policy', 'content-length'].map(
        (name) => headers.get(name),
      ),
    ).toEqual(['private, no-cache', 'nosniff', "default-src 'none'; sandbox", '33']);
    expect((await app.get(`/api/v3/users/${person.id}`, other)).body.avatar).toBe(
      addressOf(person.id),
    );
    expect((await app.get(`/api/v3/users/${other.id}`, other)).body.avatar).toBe('');
  });

  test('has the digest of its bytes as entity tag, with the conditions of RFC 9110', async () => {
    const { db } = app.running.services;
    const content = png(6, 6);
    await set(person.id, content, person);
    const etag = `"${digestOf(content)}"`;
    const ask = async (headers: { [name: string]: string }, method = 'GET') => {
      const answer = await fetch(addressOf(person.id), {
        method,
        headers: { authorization: `Bearer ${other.key}`, ...headers },
      });
      const text = await answer.text();
      const [tag, type, length] = ['etag', 'content-type', 'content-length'].map((name) =>
        answer.headers.get(name),
      );
      return [answer.status, tag, type, length, text.length > 0];
    };
    const whole = [200, etag, 'image/png', '100', true];
    const known = [304, etag, null, null, false];
    const conditions = async () => [
      await ask({}),
      await ask({ 'if-none-match': `"a", W/${etag}` }),
      await ask({ 'if-none-match': '*' }),
      await ask({ 'if-none-match': '"a"' }),
      await ask({ 'if-match': `"a", ${etag}` }),
      (await ask({ 'if-match': `W/${etag}` })).slice(0, 3),
      await ask({}, 'HEAD'),
    ];
    const expected = [
      whole,
      known,
      known,
      whole,
      whole,
      [412, null, 'application/hal+json; charset=utf-8'],
      [200, etag, 'image/png', '100', false],
    ];
    expect(await conditions()).toEqual(expected);
    const { body } = await app.get(`/api/v3/users/${person.id}/avatar`, other, {
      headers: { 'if-match': '"a"' },
    });
    expect(body).toEqual({
      _type: 'Error',
      errorIdentifier: 'urn:service-org:api:v3:errors:PreconditionFailed',
      message: expect.any(String),
    });
    // A picture of an older version has no stored digest.
    await db.write('users').where({ id: person.id }).update({ avatar_digest: null });
    app.running.services.forgetIdentities();
    expect(await conditions()).toEqual(expected);
  });

  test('is shown to those who see the user, and is an empty 404 for all others', async () => {
    await set(person.id, png(), person);
    expect((await shown(person.id, admin)).status).toBe(200);
    for (const [id, as] of [
      [person.id, undefined],
      [999_999, person],
      [0, person],
    ] as const)
      expect(await shown(id, as)).toEqual({ status: 404, type: null, digest: '' });
  });

  test('is removed, also by administrators, and its object with it', async () => {
    await set(person.id, png(), admin);
    const key = await keyOf(person);
    const removed = {
      removeAvatar: { user: { databaseId: person.id, avatarUrl: null } },
    };
    expect((await remove(person.id, admin)).data).toEqual(removed);
    expect((await remove(person.id, person)).data).toEqual(removed);
    expect(await shown(person.id, person)).toEqual({ status: 404, type: null, digest: '' });
    expect(await app.running.services.blobs.stat(key)).toBeNull();
  });

  test('of another user is not changed', async () => {
    await set(person.id, png(), person);
    const code = ({ errors }: { errors: any[] | undefined }) =>
      errors?.map(({ extensions }) => extensions.code);
    for (const [as, expected] of [
      [other, 'MISSING_PERMISSION'],
      [undefined, 'NOT_FOUND'],
    ] as const)
      for (const answer of [await set(person.id, png(), as), await remove(person.id, as)])
        expect(code(answer)).toEqual([expected]);
    expect(code(await set(999_999, png(), admin))).toEqual(['NOT_FOUND']);
    const anonymous = (await app.graphql('{ viewer { databaseId } }')).data.viewer.databaseId;
    expect(code(await set(anonymous, png(), undefined))).toEqual(['MISSING_PERMISSION']);
    expect((await shown(person.id, person)).status).toBe(200);
  });

  test.each([
    ['text', Buffer.from('no picture'), 'File is no PNG or JPEG image.'],
    ['an empty file', Buffer.alloc(0), 'File is no PNG or JPEG image.'],
    ['a GIF', Buffer.from('GIF89a'.padEnd(60)), 'File is no PNG or JPEG image.'],
    ['a cut PNG', png().subarray(0, 30), 'File is no PNG or JPEG image.'],
    ['a PNG without height', png(8, 0), 'File is no PNG or JPEG image.'],
    ['a JPEG without a frame', jpeg(8, 8, 0xc4), 'File is no PNG or JPEG image.'],
    ['a JPEG whose scan comes first', jpeg(8, 8, 0xda), 'File is no PNG or JPEG image.'],
    ['a wide PNG', png(1_025, 8), 'File has too many pixels (maximum is 1,024 by 1,024).'],
    ['a high JPEG', jpeg(8, 1_025), 'File has too many pixels (maximum is 1,024 by 1,024).'],
    [
      'a large file',
      png(8, 8, 512 * 1024 + 1),
      'File is too large (maximum size is 524288 Bytes).',
    ],
  ])('is not %s', async (_name, content, message) => {
    await set(person.id, png(9, 9), person);
    const key = await keyOf(person);
    const { data, errors } = await set(person.id, content, person);
    expect({ data, errors }).toEqual({
      data: null,
      errors: [
        {
          message,
          path: ['setAvatar'],
          locations: [expect.any(Object)],
          extensions: {
            code: 'PROPERTY_CONSTRAINT_VIOLATION',
            errorIdentifier: 'urn:service-org:api:v3:errors:PropertyConstraintViolation',
            status: 422,
            attribute: 'file',
          },
        },
      ],
    });
    expect(await keyOf(person)).toBe(key);
  });
});

test('has an address without credentials, for this picture and with present rights', async () => {
  const owner = await app.given.user();
  await set(owner.id, png(2, 2), owner);
  await set(other.id, png(3, 3), other);
  const address = async (id: number, as: Person): Promise<string | undefined> =>
    (await app.graphql('query ($id: ID!) { user(id: $id) { avatarAddress { href } } }', { id }, as))
      .data.user.avatarAddress?.href;
  const follow = (href: string) => app.get(href.slice(app.url.length));
  const href = (await address(owner.id, owner))!;
  const { status, bytes, headers } = await follow(href);
  expect([status, bytes.equals(png(2, 2)), headers.get('referrer-policy')]).toEqual([
    200,
    true,
    'no-referrer',
  ]);
  expect((await follow(href.replace(`/${owner.id}/`, `/${other.id}/`))).status).toBe(403);
  await remove(owner.id, owner);
  expect((await follow(href)).status).toBe(404);
  expect(await address(owner.id, owner)).toBeUndefined();
  await app.running.services.db.write('users').where({ id: owner.id }).update({ status: 'locked' });
  const over = await follow(href);
  expect([over.status, over.body.message]).toEqual([
    403,
    'The address of this picture is over. Ask for a new one.',
  ]);
});

describe('the object of an avatar', () => {
  const OLD = '2020-01-01T00:00:00.000Z';

  test('is known to verify and to the cleanup; a replaced one is removed', async () => {
    await set(person.id, png(2, 2), person);
    const first = await keyOf(person);
    await set(person.id, png(3, 3), person);
    const { db, blobs } = app.running.services;
    expect(await blobs.stat(first)).toBeNull();
    expect(await db.read('stray_blobs').where({ blob_key: await keyOf(person) })).toEqual([]);
    await db.write('stray_blobs').update({ remove_after: OLD });
    await runCleanup(app.running.services);
    expect(await db.read('stray_blobs')).toEqual([]);
    expect((await shown(person.id, person)).status).toBe(200);
    expect(await problems()).toEqual([]);
  });

  test('of a process that died before it named the object is removed by the cleanup', async () => {
    const { db, blobs } = app.running.services;
    const key = 'avatar-00112233445566778899aabbccddeeff';
    await db
      .write('stray_blobs')
      .insert({ blob_key: key, remove_after: '2100-01-01T00:00:00.000Z' });
    await blobs.put(key, Readable.from([png()]));
    await runCleanup(app.running.services);
    expect(await blobs.stat(key)).not.toBeNull();
    expect(await problems()).toEqual([]);
    await db.write('stray_blobs').where({ blob_key: key }).update({ remove_after: OLD });
    await runCleanup(app.running.services);
    expect(await blobs.stat(key)).toBeNull();
  });

  test('that no row names is reported by verify', async () => {
    const key = 'avatar-ffeeddccbbaa99887766554433221100';
    await app.running.services.blobs.put(key, Readable.from([png()]));
    expect(await problems()).toEqual([{ problem: 'unnamed', key, size: 100 }]);
    await app.running.services.blobs.remove(key);
  });
});
