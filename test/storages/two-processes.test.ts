/** Two server processes use one database. Only one of them refreshes a token. */
import { startApp, TEST_SECRET_KEY, type App } from '../support/app.js';
import { endCommands, environmentOf, serve } from '../support/cli.js';
import { startFileServer, type FileServer } from '../../demo/servers/file-server.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';

let app: App;
let server: FileServer;
beforeAll(async () => {
  server = await startFileServer();
  server.user('mia');
  server.setClient({ id: 'client', secret: 'secret', redirectUri: 'http://127.0.0.1/' });
  app = await startApp();
});
afterAll(async () => {
  await endCommands();
  await app.stop();
  await server.close();
});

test('50 parallel requests with an expired token make exactly one refresh', async () => {
  // On a busy machine, fifty requests at once need longer than one.
  const environment = {
    ...environmentOf(app),
    SECRET_KEY: TEST_SECRET_KEY,
    BACKGROUND_WORK: 'false',
    STORAGE_TIMEOUT_MS: '60000',
  };
  const processes = await Promise.all([serve(environment), serve(environment)]);
  const person = await app.given.user({ admin: true });
  const storage = await app.given.storage({
    origin: server.url,
    client: { id: 'client', secret: 'secret' },
  });
  await app.given.storageTokens(person, storage, { ...server.grant('mia'), expiresInSeconds: -1 });
  server.fault({ delayMs: 200 }, ({ path }) => path.endsWith('/token'));
  const states = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const answer = await fetch(processes[index % 2]!.banner.address + storage.path, {
        headers: { authorization: `Bearer ${person.key}` },
      });
      return ((await answer.json()) as { _links: { authorizationState: { title: string } } })._links
        .authorizationState.title;
    }),
  );
  expect(new Set(states)).toEqual(new Set(['Connected']));
  expect(server.requests.filter(({ path }) => path.endsWith('/token'))).toHaveLength(1);
  const [row] = await app.running.services.db.read('storage_tokens');
  expect(row).toMatchObject({ lease_token: null, lease_until: null });
}, 60_000);
