/** Prometheus metrics: requests by route, queues, and cleanup. */
import { version } from '../../../src/contract/version.js';
import { startApp, startBeside, type App } from '../../support/app.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

let app: App;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  admin = await app.given.user({ admin: true });
});
afterAll(() => app?.stop());

/** All lines of this service's metrics, except durations and the version. */
const ours = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('moorage_') && !/_(bucket|sum|info)\{/.test(line));
const numbers = async (from: App) => (await from.get('/metrics', admin)).text;

const nothing = [
  'finalization',
  'removal',
  'new_scan',
  'old_scan',
  'webhook_delivery',
  'avatar_download',
  'preview',
  'mail',
  'folder_sync',
  'project_folder',
  'event_dispatch',
].map((queue) => `moorage_queue_oldest_seconds{queue="${queue}"} 0`);

test('requests are counted by method, path template and status; unknown methods and paths count as unknown', async () => {
  const one = await startBeside(app);
  try {
    const project = await one.given.project();
    const workPackage = await one.given.workPackage(project, admin);
    for (const id of [1, 2, 3]) await one.get(`/api/v3/attachments/${id}`, admin);
    await one.get(workPackage.path, admin);
    await one.get('/API/v3/Work_Packages/99999?secret=planted', admin);
    await one.get('/api/v3', admin);
    await one.get('/api/v3/nothing/of/the/kind', admin);
    await one.get('/planted.php?x=1');
    await one.request('PUT', workPackage.path, { as: admin });
    await one.get(workPackage.path, { ...admin, key: 'planted-key-that-is-nobody-s' });
    await one.graphql('{ viewer { name } }', {}, admin);
    await one.graphql('{ viewer { planted } }', {}, admin);
    await one.get(`/graphql?query=${encodeURIComponent('{ viewer { name } }')}`, admin, {
      headers: { accept: 'application/json' },
    });
    for (const path of ['/oauth/token', '/oauth/introspect'])
      await one.request('POST', path, {
        body: new URLSearchParams().toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    await one.get('/health/live');
    await one.get('/metrics');
    const text = await numbers(one);
    expect(ours(text)).toEqual([
      ...[
        ['GET', '/api/v3/attachments/:id', 404, 3],
        ['GET', '/api/v3/work_packages/:id', 200, 1],
        ['GET', '/api/v3/work_packages/:id', 400, 1],
        ['GET', '/api/v3', 200, 1],
        ['GET', 'unknown', 404, 2],
        ['PUT', '/api/v3/work_packages/:id', 405, 1],
        ['GET', '/api/v3', 401, 1],
        ['POST', '/graphql', 200, 1],
        ['POST', '/graphql', 400, 1],
        ['GET', '/graphql', 200, 1],
        ['POST', '/oauth/token', 401, 1],
        ['POST', '/oauth/introspect', 401, 1],
        ['GET', '/health/live', 200, 1],
        ['GET', '/metrics', 403, 1],
      ].map(
        ([method, route, status, count]) =>
          `moorage_http_request_seconds_count{method="${method}",route="${route}",status="${status}"} ${count}`,
      ),
      'moorage_pending_uploads 0',
      ...nothing,
    ]);
    expect(text.includes('planted')).toBe(false);
    expect(
      text
        .split('\n')
        .filter((line) =>
          line.startsWith(
            'moorage_http_request_seconds_bucket{le="+Inf",method="GET",route="/api/v3/attachments/:id"',
          ),
        ),
    ).toEqual([
      'moorage_http_request_seconds_bucket{le="+Inf",method="GET",route="/api/v3/attachments/:id",status="404"} 3',
    ]);
  } finally {
    await one.stop();
  }
});

test('invented paths do not become labels', async () => {
  const one = await startBeside(app);
  try {
    const labels = async () =>
      new Set(
        (await numbers(one)).match(/(?<=moorage_http_request_seconds_count\{.*route=")[^"]*/g),
      );
    const below = [
      '',
      '/api/v3',
      '/API/V3/attachments',
      '/api/docs',
      '/assets/api-page',
      '/graphql',
      '/GraphQL/stream',
      '/assets/explorer',
      '/login',
      '/Logout',
      '/oauth',
      '/oauth/interactions',
      '/oauth/token',
      '/oauth_clients',
      '/oauth_clients/x',
      '/assets',
      '/assets/web',
      '/wp',
      '/projects',
      '/notifications/details',
      '/login/demo',
      '/health',
      '/metrics',
    ];
    const round = async (n: number) => {
      for (const path of below)
        for (const method of ['GET', 'POST', 'PUT'])
          await one.request(method, `${path}/planted${n}`, {
            headers: { origin: 'https://elsewhere.example.test', 'sec-fetch-site': 'cross-site' },
          });
    };
    await numbers(one);
    await round(0);
    const before = await labels();
    for (let n = 1; n < 20; n += 1) await round(n);
    expect(await labels()).toEqual(before);
    expect([...before].join()).not.toContain('planted');
  } finally {
    await one.stop();
  }
});

test('while the database is unavailable, all other metrics are shown', async () => {
  const one = await startBeside(app, { METRICS_PORT: '0' });
  try {
    const { address } = JSON.parse(one.logLines.find((line) => line.includes('"metrics"'))!) as {
      address: string;
    };
    const { write } = one.running.services.db;
    const read = async () => {
      const answer = await fetch(`${address}/metrics`);
      return { status: answer.status, lines: ours(await answer.text()) };
    };
    const waits = ['moorage_pending_uploads 0', ...nothing];
    expect(await read()).toEqual({ status: 200, lines: waits });
    await write.raw('alter table attachments rename to attachments_away');
    try {
      expect(await read()).toEqual({ status: 200, lines: [] });
      expect(
        one.logLines.filter((line) => line.includes('what waits could not be counted')),
      ).toHaveLength(2);
    } finally {
      await write.raw('alter table attachments_away rename to attachments');
    }
    expect(await read()).toEqual({ status: 200, lines: waits });
  } finally {
    await one.stop();
  }
});

test('every metric has a description, those of the process included', async () => {
  const text = await numbers(app);
  expect(text).toContain(`\nmoorage_build_info{version="${version}"} 1\n`);
  expect(text.split('\n').filter((line) => line.startsWith('# HELP moorage_'))).toEqual([
    '# HELP moorage_build_info Always 1. The label is the version of the program.',
    '# HELP moorage_outbound_requests_total Requests to storages, receivers of webhooks and the OpenID provider, by target and HTTP status or failure.',
    '# HELP moorage_outbound_request_seconds Duration of requests to storages, receivers of webhooks and the OpenID provider.',
    "# HELP moorage_token_refresh_failures_total Users' tokens for storages and the OpenID provider that could not be refreshed.",
    '# HELP moorage_http_request_seconds Duration of incoming requests, by method, template of the path, and status.',
    '# HELP moorage_swept_total Rows and objects that cleanups of this process removed, by kind.',
    '# HELP moorage_folder_sync_steps_total Steps of synchronisations of project folders, by kind and outcome.',
    '# HELP moorage_folder_sync_seconds Duration of synchronisations of project folders, by outcome: `ok` or `failed`.',
    '# HELP moorage_pending_uploads Prepared uploads of all processes that are not finalised yet.',
    '# HELP moorage_queue_oldest_seconds Age of the oldest waiting row of each queue, of all processes; zero when none waits.',
  ]);
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_seconds',
    'nodejs_heap_size_used_bytes',
  ])
    expect(text).toMatch(new RegExp(`^${name} [\\d.e-]+$`, 'm'));
});

describe('waiting jobs', () => {
  const NOW = Date.parse('2026-05-06T07:08:09.000Z');
  const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();

  test('are shown as the age of the oldest row of each queue; running, future or disabled jobs do not count', async () => {
    const one = await startApp();
    try {
      const { services } = one.running;
      services.clock = () => new Date(NOW);
      const root = await one.given.user({ admin: true });
      const keep = async (columns: object) => {
        const { id } = await one.given.attachment({ author: root, blob: false });
        await services.db.write('attachments').where({ id }).update(columns);
      };
      await keep({ status: 'prepared' });
      await keep({ status: 'prepared', lease_until: ago(40) });
      await keep({ status: 'prepared', lease_until: ago(70) });
      await keep({ status: 'prepared', lease_until: ago(-60), lease_token: 'held' });
      await keep({ phase: 'deleting', lease_until: ago(3.5) });
      await keep({ status: 'uploaded', lease_until: ago(20) });
      await keep({ status: 'rescan', lease_until: ago(3_600) });
      const event = {
        kind: 'attachment:created',
        subject_id: 1,
        internal: false,
        author_id: root.id,
        data: '{}',
        created_at: ago(2),
        updated_at: ago(2),
      };
      await services.db.write('events').insert([
        { ...event, delivery_id: 'a', dispatched: true, created_at: ago(500) },
        { ...event, delivery_id: 'b', dispatched: false },
      ]);
      const hook = async (enabled: boolean) => {
        const [row]: { id: number }[] = await services.db
          .write('webhooks')
          .insert({
            url: 'https://hooks.example.test',
            secret: 'sealed',
            events: '[]',
            enabled,
            creator_id: root.id,
            created_at: ago(0),
            updated_at: ago(0),
          })
          .returning('id');
        return row!.id;
      };
      const delivery = async (webhookId: number, state: string, seconds: number) =>
        void (await services.db.write('webhook_deliveries').insert({
          webhook_id: webhookId,
          delivery_id: `${webhookId}-${state}-${seconds}`,
          kind: 'attachment:created',
          body: '{}',
          state,
          attempts: 0,
          due_at: ago(seconds),
          created_at: ago(0),
          updated_at: ago(0),
        }));
      const [on, off] = [await hook(true), await hook(false)];
      for (const [state, seconds] of [
        ['pending', 15],
        ['pending', -15],
        ['delivered', 900],
        ['dead', 900],
      ] as const)
        await delivery(on, state, seconds);
      await delivery(off, 'pending', 900);
      for (const due of [ago(30), ago(-30), null]) {
        const { id } = await one.given.user();
        await services.db.write('directory_avatars').insert({
          user_id: id,
          attempts: 0,
          due_at: due,
          created_at: ago(0),
          updated_at: ago(0),
        });
      }

      const projects = [await one.given.project(), await one.given.project()];
      for (const [index, seconds] of [12, -12].entries()) {
        const storage = await one.given.storage();
        await services.db.write('folder_syncs').insert({
          storage_id: storage.id,
          due_at: ago(seconds),
          unknown_people: '{}',
          hidden_folders: '[]',
          foreign_folders: '[]',
          created_at: ago(0),
          updated_at: ago(0),
        });
        const { id } = await one.given.projectStorage(projects[index]!, storage, {
          mode: 'automatic',
        });
        await services.db
          .write('project_storages')
          .where({ id })
          .update(
            index === 0 ? { updated_at: ago(40) } : { updated_at: ago(900), folder_state: 'ready' },
          );
      }

      expect(ours((await one.get('/metrics', root)).text)).toEqual([
        'moorage_pending_uploads 4',
        ...[
          ['finalization', 70],
          ['removal', 3.5],
          ['new_scan', 20],
          ['old_scan', 3_600],
          ['webhook_delivery', 15],
          ['avatar_download', 30],
          ['preview', 0],
          ['mail', 0],
          ['folder_sync', 12],
          ['project_folder', 40],
          ['event_dispatch', 2],
        ].map(([queue, seconds]) => `moorage_queue_oldest_seconds{queue="${queue}"} ${seconds}`),
      ]);
    } finally {
      await one.stop();
    }
  });

  test('are counted by kind when the cleanup removes them', async () => {
    const one = await startApp();
    const root = await one.given.user({ admin: true });
    const { db } = one.running.services;
    for (const n of [1, 2]) {
      const { id } = await one.given.attachment({ author: root, fileName: `${n}.txt` });
      await db
        .write('attachments')
        .where({ id })
        .update({ expires_at: '2026-01-01T00:00:00.000Z' });
    }
    await db.write('sign_in_failures').insert({
      key_hash: 'a',
      failures: 1,
      expires_at: '2026-01-01T00:00:00.000Z',
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    });
    const working = await startBeside(one, { BACKGROUND_WORK: 'true' });
    try {
      const swept = async () =>
        ours((await working.get('/metrics', root)).text).filter((line) =>
          line.startsWith('moorage_swept_total'),
        );
      while ((await swept()).length < 9) await new Promise((resolve) => setTimeout(resolve, 50));
      expect((await swept()).sort()).toEqual(
        [
          ['abandoned', 0],
          ['audit', 0],
          ['credentials', 1],
          ['deliveries', 0],
          ['events', 0],
          ['expired', 2],
          ['fileLinks', 0],
          ['notifications', 0],
          ['staged', 0],
          ['trash', 0],
          ['unfinished', 0],
          ['usage', 0],
        ].map(([kind, count]) => `moorage_swept_total{kind="${kind}"} ${count}`),
      );
    } finally {
      await working.stop();
      await one.stop();
    }
  });
});
