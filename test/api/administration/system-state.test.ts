/** The state of the service, for administrators. */
import { version } from '../../../src/contract/version.js';
import { startApp, type App } from '../../support/app.js';
import { endCommands, environmentOf, run } from '../../support/cli.js';
import { databaseKind } from '../../support/database.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

let app: App;
let ada: Person;
beforeAll(async () => {
  app = await startApp();
  ada = await app.given.user({ admin: true });
});
afterAll(async () => {
  await app?.stop();
  await endCommands();
});

const ask = (fields: string, as: Person | undefined = ada) =>
  app.graphql(`{ systemState { ${fields} } }`, {}, as);

test('versions, the database and the parts that were tried', async () => {
  const { data, errors } = await ask(
    'version nodeVersion database pendingUploads checks { name isDone detail }',
  );
  expect(errors).toBeUndefined();
  expect(data.systemState).toEqual({
    version,
    nodeVersion: process.versions.node,
    database: databaseKind() === 'sqlite' ? 'SQLite' : 'PostgreSQL',
    pendingUploads: 0,
    checks: [
      { name: 'blob store', isDone: true, detail: 'stores, reads, lists and removes' },
      { name: 'scanner', isDone: false, detail: 'off; CLAMD_URL names a scanner' },
      { name: 'e-mail', isDone: false, detail: 'off; SMTP_URL names a mail server' },
      { name: 'OpenID provider', isDone: false, detail: 'off; OIDC_ISSUER names one' },
      { name: 'storages', isDone: false, detail: 'none; administrators connect them' },
    ],
  });
});

test('queues say how much waits, and since when', async () => {
  const project = await app.given.project();
  const container = await app.given.workPackage(project, ada);
  for (const [index, minutes] of [5, 3].entries()) {
    const { id } = await app.given.attachment({ container, author: ada, fileName: `${index}.txt` });
    await app.running.services.db
      .write('attachments')
      .where({ id })
      .update({
        phase: 'deleting',
        lease_until: new Date(Date.now() - minutes * 60_000).toISOString(),
      });
  }
  const { queues } = (await ask('queues { name waiting oldestSeconds }')).data.systemState;
  expect(queues.map(({ name }: { name: string }) => name).sort()).toEqual([
    'avatar_download',
    'event_dispatch',
    'finalization',
    'folder_sync',
    'mail',
    'new_scan',
    'old_scan',
    'preview',
    'project_folder',
    'removal',
    'webhook_delivery',
  ]);
  const removal = queues.find(({ name }: { name: string }) => name === 'removal');
  expect(removal).toEqual({ name: 'removal', waiting: 2, oldestSeconds: expect.any(Number) });
  expect(removal.oldestSeconds).toBeGreaterThanOrEqual(300);
});

test('a backup that was reported by the command is shown with its time', async () => {
  expect((await ask('lastBackupAt')).data.systemState).toEqual({ lastBackupAt: null });
  const first = await run(['backup-done', '--json'], environmentOf(app));
  expect([first.status, first.stderr]).toEqual([0, '']);
  const second = await run(['backup-done'], environmentOf(app));
  const { lastBackupAt } = (await ask('lastBackupAt')).data.systemState;
  expect(second).toEqual({
    status: 0,
    stdout: `Reported a backup at ${lastBackupAt}.\n`,
    stderr: '',
  });
  expect(Date.parse(lastBackupAt)).toBeGreaterThanOrEqual(
    Date.parse(JSON.parse(first.stdout).reportedAt),
  );
});

test('nobody else reads it', async () => {
  const stranger = await app.given.user();
  for (const answer of [
    await ask('version checks { name }', stranger),
    await app.graphql('{ systemState { version } }'),
  ])
    expect(answer.errors!.map(({ extensions }: any) => extensions.code)).toEqual([
      'MISSING_PERMISSION',
    ]);
});
