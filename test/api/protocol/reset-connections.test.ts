/** Browsers that go away at any moment: the log has no error of ours. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, type App } from '../../support/app.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

/** Sends a request, and resets its connection after some milliseconds. */
async function reset(text: string, ms: number): Promise<void> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(text);
  await sleep(ms);
  socket.resetAndDestroy();
}

const headers = 'Host: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n';
const body = 'grant_type=client_credentials';
const requests = [
  ...['/', '/login', '/oauth/authorize?client_id=x&response_type=code', '/oauth/jwks'].map(
    (path) => `GET ${path} HTTP/1.1\r\n${headers}\r\n`,
  ),
  ...['/login', '/oauth/token', '/oauth/introspect', '/oauth/revoke', '/graphql'].flatMap((path) =>
    [body.length, body.length + 9, body.length - 9].map(
      (length) => `POST ${path} HTTP/1.1\r\n${headers}Content-Length: ${length}\r\n\r\n${body}`,
    ),
  ),
];

test('a connection that is reset at any moment of a request is no error in the log', async () => {
  for (const ms of [0, 1, 2, 4, 8, 16]) for (const request of requests) await reset(request, ms);
  // The service is as before, and has logged what became of these connections.
  expect((await app.get('/api/v3/configuration')).status).toBe(200);
  expect(
    app.logLines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50),
  ).toEqual([]);
});
