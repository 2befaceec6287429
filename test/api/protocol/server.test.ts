/** Health and logs, for operators. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';

import pg from 'pg';
import type { Config } from '../../../src/config.js';
import { startApp, type App } from '../../support/app.js';
import { on } from '../../support/database.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

let app: App;
let editor: Person;
let page: ContainerHandle;

beforeAll(async () => {
  app = await startApp({ CORS_ORIGINS: 'https://app.example.test' });
  const project = await app.given.project();
  editor = await app.given.member(project, ['view_wiki_pages', 'edit_wiki_pages']);
  page = await app.given.wikiPage(project, editor);
});
afterAll(() => app.stop());

const lines = () => app.logLines.map((line) => JSON.parse(line) as { [member: string]: unknown });
/** The line is written after the whole answer was sent, so the client can have the answer before. */
async function lineOf(requestId: string | null) {
  for (;;) {
    const found = lines().filter(
      (line) => line['requestId'] === requestId && line['msg'] === 'request',
    );
    if (found.length > 0) return found;
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

test('pages of a configured origin can read the headers of answers', async () => {
  const { headers } = await app.get('/api/v3', undefined, {
    headers: { origin: 'https://app.example.test' },
  });
  expect(headers.get('access-control-expose-headers')).toBe(
    'X-Request-Id,Location,WWW-Authenticate,Retry-After,' +
      'ETag,Content-Length,Content-Range,Accept-Ranges,Content-Disposition,' +
      'Tus-Resumable,Tus-Version,Tus-Extension,Tus-Max-Size,' +
      'Upload-Offset,Upload-Length,Upload-Metadata,Upload-Expires',
  );
});

describe('the log', () => {
  test.each([
    ['GET', '/api/v3/users/me', 401],
    ['GET', '/api/v3/nowhere', 404],
    ['GET', '/health/live', 200],
    ['GET', '/', 200],
    ['POST', '/graphql', 400],
  ])(
    'has one line for %s %s, with its id, method, path and status',
    async (method, path, status) => {
      const answer = await app.request(
        method,
        path,
        path === '/api/v3/users/me' ? { headers: { authorization: 'Bearer wrong' } } : {},
      );
      expect(answer.status).toBe(status);
      expect(await lineOf(answer.headers.get('x-request-id'))).toEqual([
        expect.objectContaining({
          level: 30,
          method,
          path,
          status,
          ms: expect.any(Number),
          time: expect.anything(),
        }),
      ]);
    },
  );

  test('marks a request whose client disconnected', async () => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${page.attachments} HTTP/1.1\r\nHost: x\r\nX-Request-Id: gone\r\nAuthorization: Bearer ${editor.key}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\n--b\r\n`,
    );
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
    socket.destroy();
    expect(await lineOf('gone')).toEqual([
      expect.objectContaining({ method: 'POST', path: page.attachments, aborted: true }),
    ]);
  });

  test('never has an API key, wherever the request had it and however the request ended', async () => {
    const wrong = 'mrg-00000000000000000000000000000000deadbeef';
    const basic = Buffer.from(`apikey:${editor.key}`).toString('base64');
    const everywhere = `key=${editor.key}&wrong=${wrong}`;
    await app.get(`/api/v3/users/me?${everywhere}`, editor);
    await app.get('/api/v3/users/me', undefined, { headers: { authorization: `Basic ${basic}` } });
    await app.get(`/api/v3/nowhere?${everywhere}`, undefined, {
      headers: { authorization: `Bearer ${wrong}` },
    });
    await app.get(
      `/graphql?query=${encodeURIComponent(`{ node(id: "${editor.key}") { id } nonsense(key: "${wrong}") }`)}`,
      editor,
    );
    await app.post('/graphql', editor, {
      query: 'query ($key: Int!) { workPackage(id: $key) { id } }',
      variables: { key: editor.key },
    });
    await app.request('POST', '/graphql', {
      as: editor,
      headers: { 'content-type': 'application/json' },
      body: `{"key":"${editor.key}",`,
    });
    await app.request('POST', page.attachments, {
      as: editor,
      headers: { 'content-type': 'application/json' },
      body: `"${editor.key}"`,
    });
    await app.upload(page.attachments, {
      as: editor,
      metadata: `{"fileName": "${editor.key}`,
      content: editor.key,
    });
    const last = await app.upload(`${page.attachments}?${everywhere}`, {
      as: editor,
      content: editor.key,
    });
    // The query has parameters that the operation does not have.
    expect(last.status).toBe(400);
    await lineOf(last.headers.get('x-request-id'));
    const log = app.logLines.join('');
    for (const secret of [editor.key, wrong, basic]) expect(log).not.toContain(secret);
  });
});

describe('X-Request-Id', () => {
  test.each(['abc', '4bf92f3577b34da6-a3ce929d0e0e4736', 'x'.repeat(64)])(
    '%s is kept',
    async (id) => {
      const { headers } = await app.get('/health/live', undefined, {
        headers: { 'x-request-id': id },
      });
      expect(headers.get('x-request-id')).toBe(id);
    },
  );

  test.each(['x'.repeat(65), 'a b', '{"level":50}', '../../etc', 'é'])(
    '%s is replaced',
    async (id) => {
      const { headers } = await app.get('/health/live', undefined, {
        headers: { 'x-request-id': id },
      });
      expect(headers.get('x-request-id')).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    },
  );

  test('is different for every request without one', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await app.get('/health/live')).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(3);
  });
});

describe('health', () => {
  const well = { status: 'ok', checks: { database: 'ok', blobs: 'ok' } };

  test('is live and ready when all checks succeed', async () => {
    expect((await app.get('/health/live')).body).toEqual({ status: 'ok' });
    const { status, body } = await app.get('/health/ready');
    expect({ status, body }).toEqual({ status: 200, body: well });
  });

  /** The result is cached for a second. */
  const whenReadyIs = async (status: number) => {
    for (;;) {
      const answer = await app.get('/health/ready');
      if (answer.status === status) return answer;
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    }
  };

  test('concurrent readiness requests check the database and the store once', async () => {
    const { blobs } = app.running.services;
    const { check } = blobs;
    let looks = 0;
    blobs.check = () => {
      looks += 1;
      return check.call(blobs);
    };
    // The cached result has expired by then.
    await new Promise((resolve) => {
      setTimeout(resolve, 1_100);
    });
    const asked = await app.statements(async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => app.get('/health/ready')));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    });
    blobs.check = check;
    expect([asked.length, looks]).toEqual([1, 1]);
  });

  test('is not ready while the file folder is not writable, and logs the reason', async () => {
    const { root } = (app.running.services.settings as Config).blobs as { root: string };
    renameSync(root, `${root}-elsewhere`);
    writeFileSync(root, 'not a folder');
    const { status, body } = await whenReadyIs(503);
    expect({ status, body }).toEqual({
      status: 503,
      body: { status: 'unavailable', checks: { database: 'ok', blobs: 'failed' } },
    });
    expect((await app.get('/health/live')).status).toBe(200);
    expect(lines()).toContainEqual(
      expect.objectContaining({
        level: 50,
        msg: 'not ready',
        check: 'blobs',
        err: expect.objectContaining({
          message: expect.stringMatching(/^The folder of BLOB_STORE cannot be used: ENOTDIR/),
        }),
      }),
    );
    rmSync(root);
    renameSync(`${root}-elsewhere`, root);
    await whenReadyIs(200);
  });

  on('postgres')(
    'is not ready while the database is unavailable, and is ready again afterwards without a restart',
    async () => {
      const url = new URL(
        (app.running.services.settings as Config & { database: { url: string } }).database.url,
      );
      const name = url.pathname.slice(1);
      url.pathname = '/postgres';
      const admin = new pg.Client({ connectionString: url.href });
      await admin.connect();
      await app.get('/api/v3/users/me', editor);
      await admin.query(`alter database ${name} allow_connections false`);
      await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
        [name],
      );
      const { status, body } = await whenReadyIs(503);
      expect({ status, body }).toEqual({
        status: 503,
        body: { status: 'unavailable', checks: { database: 'failed', blobs: 'ok' } },
      });
      expect((await app.get('/health/live')).status).toBe(200);
      expect((await app.get(page.attachments, editor)).status).toBeGreaterThanOrEqual(500);
      await admin.query(`alter database ${name} allow_connections true`);
      await admin.end();
      await whenReadyIs(200);
      expect((await app.get(page.attachments, editor)).status).toBe(200);
    },
  );
});
