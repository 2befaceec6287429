/** The service's own tokens of a cloud drive: one grant for many requests, another one when it must be. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { reachAsApplication } from '../../src/actions/reach-as-application.js';
import { makeContext } from '../../src/context.js';
import { Storage } from '../../src/models/storage.js';
import { User } from '../../src/models/user.js';
import { failureOf } from '../../src/storages/failure.js';
import { startApp, type App } from '../support/app.js';
import { startCloudDrive, type CloudDrive } from '../support/fakes/cloud-drive.js';

let drive: CloudDrive;
let app: App;
let storage: Storage;
beforeAll(async () => {
  drive = await startCloudDrive();
  drive.setClient({ id: 'our-client', secret: 'our-secret' });
  app = await startApp({ CLOUD_DRIVE_LOGIN_URL: drive.loginUrl, CLOUD_DRIVE_API_URL: drive.apiUrl });
});
beforeEach(async () => {
  const { id } = await app.given.storage({ type: 'CloudDrive', tenantId: drive.tenantId, driveId: drive.driveId, client: { id: 'our-client', secret: 'our-secret' } });
  storage = await Storage.query(app.running.services.db.read).findById(id).throwIfNotFound();
  drive.repair();
  drive.forget();
});
afterAll(async () => {
  expect(drive.violations).toEqual([]);
  await app.stop();
  await drive.close();
});

/** A request of its own that reads the drive. */
async function ask(): Promise<number> {
  const { services } = app.running;
  const context = makeContext(services, await User.query(services.db.read).findOne({ admin: true }).throwIfNotFound());
  return reachAsApplication(context, storage, async ({ send, authorization, apiUrl, driveId }) => {
    const { status } = await send({ method: 'GET', url: `${apiUrl}/drives/${encodeURIComponent(driveId!)}`, headers: { authorization } });
    if (status === 401) throw failureOf(status);
    return status;
  });
}
const grants = () => drive.requests.filter(({ path }) => path.endsWith('/token'));

test('twenty requests at once, and those after them, need one grant', async () => {
  expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array.from({ length: 20 }, () => 200));
  expect(await ask()).toBe(200);
  expect(grants()).toHaveLength(1);
});

test('a token that the drive refuses is replaced once', async () => {
  await ask();
  drive.advance(2 * 3600);
  expect(await ask()).toBe(200);
  expect(grants()).toHaveLength(2);
});

test('a grant that failed is not remembered', async () => {
  drive.fault({ status: 500 }, ({ path }) => path.endsWith('/token'), 1);
  await expect(ask()).rejects.toThrow(/status 500/);
  expect(await ask()).toBe(200);
});

test('replaced credentials have a token of their own', async () => {
  await ask();
  const admin = await app.given.user({ admin: true });
  await app.post(`/api/v3/storages/${storage.id}/oauth_client_credentials`, admin, { clientId: 'our-client', clientSecret: 'our-secret' });
  await ask();
  expect(grants()).toHaveLength(2);
});
