/** Client credentials belong to the host for which they were entered. They are sent to no other host, even if the storage moves. */
import { connectionTo } from '../../src/actions/storages/access/authorization-state.js';
import { makeContext } from '../../src/context.js';
import { Storage } from '../../src/models/storage.js';
import { User } from '../../src/models/user.js';
import { startApp, type App } from '../support/app.js';
import { until } from '../support/cli.js';
import { errorBody } from '../support/expected.js';
import type { Person, StorageHandle } from '../support/factories.js';
import { startFileServer } from '../../demo/servers/file-server.js';
import { afterAll, beforeAll, describe, expect, test } from '../support/jest.js';

let app: App;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  admin = await app.given.user({ admin: true });
});
afterAll(() => app.stop());

const conflict =
  'The resource was changed since you last read it. Read it again and repeat your change.';
const kept = (storage: StorageHandle) =>
  app.running.services.db
    .read('oauth_client_credentials')
    .where({ storage_id: storage.id })
    .pluck('client_id');

/** A request that has read the storage before another user changes it. */
async function amid<T>(
  storage: StorageHandle,
  change: object,
  request: () => Promise<T>,
): Promise<T> {
  const { read, write } = app.running.services.db;
  const other = await write.transaction();
  await other('storages').where({ id: storage.id }).update(change);
  let seen = false;
  const note = (_answer: unknown, { sql }: { sql: string }) => {
    seen ||= /^select .*storages/.test(sql);
  };
  read.on('query-response', note);
  try {
    const answer = request();
    await until(() => seen, 'the request has read the storage');
    await other.commit();
    return await answer;
  } finally {
    read.off('query-response', note);
  }
}

const overRest = (storage: StorageHandle) =>
  app.post(`${storage.path}/oauth_client_credentials`, admin, {
    clientId: 'typed',
    clientSecret: 'for the old host',
  });
const overGraphql = (storage: StorageHandle) =>
  app.graphql(
    'mutation($id: ID!) { setOAuthClientCredentials(input: { storageId: $id, clientId: "typed", clientSecret: "for the old host" }) { oauthClientCredentials { clientId } } }',
    { id: storage.globalId },
    admin,
  );

describe.each([
  ['host', { origin: 'https://moved.example.test', origin_key: 'moved.example.test' }],
  ['scheme', { origin: 'http://files.example.test' }],
])('a %s that changes while credentials are set', (what, change) => {
  const origin = 'https://files.example.test';

  test('is a conflict, and nothing is kept', async () => {
    const storage = await app.given.storage({ origin });
    const { status, body } = await amid(storage, change, () => overRest(storage));
    expect({ status, body }).toEqual({ status: 409, body: errorBody('UpdateConflict', conflict) });
    await app.running.services.db
      .write('storages')
      .where({ id: storage.id })
      .update({ origin, origin_key: 'files.example.test' });
    const { data, errors } = await amid(storage, change, () => overGraphql(storage));
    expect({ data, errors }).toEqual({
      data: null,
      errors: [
        expect.objectContaining({
          message: conflict,
          extensions: {
            code: 'UPDATE_CONFLICT',
            errorIdentifier: 'urn:service-org:api:v3:errors:UpdateConflict',
            status: 409,
          },
        }),
      ],
    });
    expect({ what, kept: await kept(storage) }).toEqual({ what, kept: [] });
    // A user who has seen the new host can set them for it.
    expect([(await overRest(storage)).status, await kept(storage)]).toEqual([201, ['typed']]);
    await app.running.services.db.write('storages').where({ id: storage.id }).delete();
  });
});

test('a name that changes at the same time is no conflict', async () => {
  const storage = await app.given.storage();
  const { status } = await amid(storage, { name: 'Renamed' }, () => overRest(storage));
  expect([status, await kept(storage)]).toEqual([201, ['typed']]);
});

test('a request that read the storage before it moved sends no credentials of the new host to the old one', async () => {
  const [old, moved] = [await startFileServer(), await startFileServer()];
  try {
    for (const server of [old, moved]) {
      server.user('mia');
      server.setClient({ id: 'client', secret: 'secret', redirectUri: 'http://127.0.0.1/' });
    }
    const project = await app.given.project();
    const person = await app.given.member(project, ['view_work_packages', 'view_file_links']);
    const storage = await app.given.storage({
      origin: old.url,
      client: { id: 'client', secret: 'secret' },
    });
    await app.given.projectStorage(project, storage);
    const services = app.running.services;
    const context = makeContext(
      services,
      await User.query(services.db.read).findById(person.id).throwIfNotFound(),
    );
    const before = await Storage.query(services.db.read).findById(storage.id).throwIfNotFound();
    await services.db
      .write('storages')
      .where({ id: storage.id })
      .update({ origin: `${moved.url}/`, origin_key: new URL(moved.url).host });
    await app.given.storageTokens(person, storage, moved.grant('mia'));
    expect((await connectionTo(context, before)).state).toBe('FailedAuthorization');
    expect(old.requests).toEqual([]);
    // The next request uses the new host.
    expect((await app.get(storage.path, person)).body._links.authorizationState.title).toBe(
      'Connected',
    );
    expect([old.requests.length, moved.requests.length]).toEqual([0, 1]);
  } finally {
    await Promise.all([old.close(), moved.close()]);
  }
});
