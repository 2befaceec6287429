/** The application token of a cloud drive. It shows whether a file is hidden or removed. Many requests share one grant. */
import { startApp, type App } from '../support/app.js';
import type { CloudDrive } from '../support/fakes/cloud-drive.js';
import { afterAll, beforeAll, beforeEach, expect, test } from '../support/jest.js';
import {
  linkIn,
  placeIn,
  stockedCloudDrive,
  type Place,
  type Stocked,
} from './storages-with-files.js';

let remote: Stocked;
let drive: CloudDrive;
let app: App;
let place: Place;
beforeAll(async () => {
  remote = await stockedCloudDrive();
  drive = remote.server as CloudDrive;
  app = await startApp(remote.environment);
});
beforeEach(async () => {
  place = await placeIn(app, [remote], { expiresInSeconds: 30 * 86_400 });
  const hidden = remote.file(`/of-${place.project.id}.txt`);
  await linkIn(app, place, place.storages[0]!, hidden);
  remote.hide(hidden);
  drive.repair();
  drive.forget();
});
afterAll(async () => {
  remote?.check();
  await app?.stop();
  await remote?.close();
});

/** The status of the hidden file, in a new request. */
const status = async (): Promise<string> =>
  (await app.get(place.list, place.person)).body._embedded.elements[0]._links.status.title;
const grants = () =>
  drive.requests.filter(
    ({ path, body }) => path.endsWith('/token') && body.includes('client_credentials'),
  );

test('twenty requests at once, and later ones, need one grant', async () => {
  expect(await Promise.all(Array.from({ length: 20 }, status))).toEqual(
    Array.from({ length: 20 }, () => 'View not allowed'),
  );
  expect(await status()).toBe('View not allowed');
  expect(grants()).toHaveLength(1);
});

test('a token that the drive refuses with 401 is replaced once, in the same request', async () => {
  await status();
  drive.advance(2 * 3600);
  expect(await status()).toBe('View not allowed');
  expect(grants()).toHaveLength(2);
});

test('after 403 the next request gets a new token, which may have more permissions', async () => {
  drive.fault(
    { status: 403 },
    ({ path, headers }) =>
      path === '/v1.0/$batch' && headers.authorization !== undefined && grants().length > 0,
    1,
  );
  expect(await status()).toBe('Error');
  expect(await status()).toBe('View not allowed');
  expect(grants()).toHaveLength(2);
});

test.each([429, 503])(
  'a token endpoint that asks to wait with %i is not asked by the next request',
  async (code) => {
    drive.fault(
      { status: code, headers: { 'retry-after': '60' } },
      ({ path, body }) => path.endsWith('/token') && body.includes('client_credentials'),
    );
    expect([await status(), await status()]).toEqual(['Error', 'Error']);
    expect(grants()).toHaveLength(1);
  },
);

test('the same happens if a response inside a batch is 401 or 403', async () => {
  const ofApplication = ({ query }: { query: URLSearchParams }) => query.get('$select') === 'id';
  drive.throttle({ members: true, times: 1, status: 403, when: ofApplication });
  expect(await status()).toBe('Error');
  expect(await status()).toBe('View not allowed');
  expect(grants()).toHaveLength(2);
  drive.throttle({ members: true, times: 1, status: 401, when: ofApplication });
  expect(await status()).toBe('View not allowed');
  expect(grants()).toHaveLength(3);
});

test('a failed grant is not cached', async () => {
  drive.fault(
    { status: 500 },
    ({ path, body }) => path.endsWith('/token') && body.includes('client_credentials'),
    1,
  );
  expect(await status()).toBe('Error');
  expect(await status()).toBe('View not allowed');
  expect(grants()).toHaveLength(2);
});

test('new credentials get a new token', async () => {
  await status();
  const admin = await app.given.user({ admin: true });
  const { id } = place.storages[0]!;
  await app.post(`/api/v3/storages/${id}/oauth_client_credentials`, admin, {
    clientId: 'client-id-of-ours',
    clientSecret: 'planted-client-secret',
  });
  // New credentials disconnect all users.
  const [{ id: credentialsId }] = await app.running.services.db
    .read('oauth_client_credentials')
    .where({ storage_id: id });
  await app.given.storageTokens(
    place.person,
    { ...place.storages[0]!, credentialsId },
    { ...remote.grant(), expiresInSeconds: 3600, originUserId: remote.userId },
  );
  expect(await status()).toBe('View not allowed');
  expect(grants()).toHaveLength(2);
});
