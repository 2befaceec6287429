/** The service's own tokens of a cloud drive, which tell hidden files from those that are gone: one grant for many requests, another one when it must be. */
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

/** What a request of its own says of the hidden file. */
const status = async (): Promise<string> =>
  (await app.get(place.list, place.person)).body._embedded.elements[0]._links.status.title;
const grants = () =>
  drive.requests.filter(
    ({ path, body }) => path.endsWith('/token') && body.includes('client_credentials'),
  );

test('twenty requests at once, and those after them, need one grant', async () => {
  expect(await Promise.all(Array.from({ length: 20 }, status))).toEqual(
    Array.from({ length: 20 }, () => 'View not allowed'),
  );
  expect(await status()).toBe('View not allowed');
  expect(grants()).toHaveLength(1);
});

test('a token that the drive refuses is replaced once, within the request', async () => {
  await status();
  drive.advance(2 * 3600);
  expect(await status()).toBe('View not allowed');
  expect(grants()).toHaveLength(2);
});

test('after a token was forbidden, the next request asks for another one, which may do more', async () => {
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

test('the same where it is forbidden, or refused, within the answer of a batch', async () => {
  const ofApplication = ({ query }: { query: URLSearchParams }) => query.get('$select') === 'id';
  drive.throttle({ members: true, times: 1, status: 403, when: ofApplication });
  expect(await status()).toBe('Error');
  expect(await status()).toBe('View not allowed');
  expect(grants()).toHaveLength(2);
  drive.throttle({ members: true, times: 1, status: 401, when: ofApplication });
  expect(await status()).toBe('View not allowed');
  expect(grants()).toHaveLength(3);
});

test('a grant that failed is not remembered', async () => {
  drive.fault(
    { status: 500 },
    ({ path, body }) => path.endsWith('/token') && body.includes('client_credentials'),
    1,
  );
  expect(await status()).toBe('Error');
  expect(await status()).toBe('View not allowed');
  expect(grants()).toHaveLength(2);
});

test('replaced credentials have a token of their own', async () => {
  await status();
  const admin = await app.given.user({ admin: true });
  const { id } = place.storages[0]!;
  await app.post(`/api/v3/storages/${id}/oauth_client_credentials`, admin, {
    clientId: 'client-id-of-ours',
    clientSecret: 'planted-client-secret',
  });
  // They end the connections of users.
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
