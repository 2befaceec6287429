/** Client credentials belong to the host for which they were typed, whoever moves the storage in that moment. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startApp, type App } from '../support/app.js';
import { until } from '../support/cli.js';
import { errorBody } from '../support/expected.js';
import type { Person, StorageHandle } from '../support/factories.js';

let app: App;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  admin = await app.given.user({ admin: true });
});
afterAll(() => app.stop());

const conflict = 'The resource was changed since you last read it. Read it again and repeat your change.';
const kept = (storage: StorageHandle) => app.running.services.db.read('oauth_client_credentials').where({ storage_id: storage.id }).pluck('client_id');

/** A request that has read the storage, and only then somebody else's change is there. */
async function amid<T>(storage: StorageHandle, change: object, request: () => Promise<T>): Promise<T> {
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

const overRest = (storage: StorageHandle) => app.post(`${storage.path}/oauth_client_credentials`, admin, { clientId: 'typed', clientSecret: 'for the old host' });
const overGraphql = (storage: StorageHandle) => app.graphql('mutation($id: ID!) { setOAuthClientCredentials(input: { storageId: $id, clientId: "typed", clientSecret: "for the old host" }) { oauthClientCredentials { clientId } } }', { id: storage.globalId }, admin);

describe.each([
  ['host', { origin: 'https://moved.example.test', origin_key: 'moved.example.test' }],
  ['scheme', { origin: 'http://files.example.test' }],
])('a %s that changes while credentials are set', (what, change) => {
  const origin = 'https://files.example.test';

  test('is a conflict, and nothing is kept', async () => {
    const storage = await app.given.storage({ origin });
    const { status, body } = await amid(storage, change, () => overRest(storage));
    expect({ status, body }).toEqual({ status: 409, body: errorBody('UpdateConflict', conflict) });
    await app.running.services.db.write('storages').where({ id: storage.id }).update({ origin, origin_key: 'files.example.test' });
    const { data, errors } = await amid(storage, change, () => overGraphql(storage));
    expect({ data, errors }).toEqual({ data: null, errors: [expect.objectContaining({ message: conflict, extensions: { code: 'UPDATE_CONFLICT', errorIdentifier: 'urn:service-org:api:v3:errors:UpdateConflict', status: 409 } })] });
    expect({ what, kept: await kept(storage) }).toEqual({ what, kept: [] });
    // Whoever has seen the new host sets them for that one.
    expect([(await overRest(storage)).status, await kept(storage)]).toEqual([201, ['typed']]);
    await app.running.services.db.write('storages').where({ id: storage.id }).delete();
  });
});

test('a name that changes in that moment is none', async () => {
  const storage = await app.given.storage();
  const { status } = await amid(storage, { name: 'Renamed' }, () => overRest(storage));
  expect([status, await kept(storage)]).toEqual([201, ['typed']]);
});
