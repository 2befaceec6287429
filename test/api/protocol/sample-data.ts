/** A database with one row of each kind, and some rows in each list. */
import { dispatchEvents } from '../../../src/actions/operate/webhooks/dispatch-events.js';
import type { App } from '../../support/app.js';
import { kinds, type Person } from '../../support/factories.js';
import { linkIn } from '../../storages/storages-with-files.js';

const ROWS = 5;
const times = <T>(make: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: ROWS }, (_, at) => make(at)));
const globalId = (type: string, id: number) => Buffer.from(`${type}:${id}`).toString('base64url');

/** Names that are equal, or that databases sort differently. */
const names = ['b.txt', 'a.txt', 'a.txt', 'B.txt', 'ä.txt'];

/** Sessions of a person, and applications that act for the person. */
async function signedIn(app: App, { id: userId }: Person) {
  const { write } = app.running.services.db;
  const created = { created_at: new Date().toISOString(), updated_at: new Date().toISOString() };
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const insert = async (table: string, row: object): Promise<number> =>
    (
      await write(table)
        .insert({ ...row, ...created })
        .returning('id')
    )[0].id;
  const sessions = await times((at) =>
    insert('sessions', { token_hash: `hash ${at}`, user_id: userId, expires_at }),
  );
  const clients: { client_id: string }[] = await write('oauth_applications').select('client_id');
  const grants = await Promise.all(
    clients.map(({ client_id }, at) =>
      insert('oauth_artifacts', {
        kind: 'Grant',
        key_hash: `grant ${at}`,
        client_id,
        user_id: userId,
        payload: '{}',
        expires_at,
      }),
    ),
  );
  return { id: sessions[0]!, authorization: grants[0]! };
}

/**
 * Five rows in each list of the schema.
 * @returns an administrator, and the global id of one object of each type; its lists have the rows
 */
export async function createSampleData(
  app: App,
): Promise<{ admin: Person; one: { [type: string]: string } }> {
  const { given } = app;
  const admin = await given.user({ admin: true });
  const project = await given.project();
  const ask = async (query: string, variables: object = {}) =>
    (await app.graphql(query, variables, admin)).data;

  // Of work packages, projects and people.
  await times(() => given.member(project, ['view_work_packages']));
  const others = await times(() => given.project());
  for (const other of others) {
    await given.workPackage(other, admin);
    await given.membership(admin, other, ['view_work_packages']);
  }
  await times(async () => {
    await given.workPackage(project, admin);
    await given.meeting(project, admin);
    await given.post(project, admin);
    await given.wikiPage(project, admin);
  });
  const { memberships } = (
    await ask('query ($id: ID!) { project(id: $id) { memberships(first: 1) { nodes { id } } } }', {
      id: String(project.id),
    })
  ).project;

  const containers = Object.fromEntries(
    await Promise.all(
      kinds.map(async (kind) => [kind, await given.container(kind, project, admin)] as const),
    ),
  );
  const rows = await Promise.all(
    kinds.flatMap((kind) =>
      names.map((fileName) =>
        given.attachment({ container: containers[kind]!, author: admin, fileName }),
      ),
    ),
  );
  await times(() => given.attachment({ author: admin, status: 'quarantined' }));
  await times(() => given.attachment({ author: admin, status: 'prepared' }));
  const workPackage = containers['WorkPackage']!;
  await times(() => given.comment(workPackage, admin));

  const notifications = await times(() => given.notification(admin, workPackage, admin));

  const storages = await times(() =>
    given.storage({ client: { id: 'ours', secret: 'secret' }, creator: admin }),
  );
  const uses = await Promise.all(
    storages.map((storage) => given.projectStorage(project, storage, { creator: admin })),
  );
  await Promise.all(others.map((other) => given.projectStorage(other, storages[0]!)));
  for (const [at, storage] of storages.entries()) {
    await given.storageTokens(admin, storage, { accessToken: `of ${at}` });
    if (at > 0) await given.storageTokens(await given.user(), storages[0]!, { accessToken: 'own' });
  }
  const links = await times((at) =>
    linkIn(app, { person: admin, workPackage }, storages[0]!, `file-${at}`),
  );

  const hooks = await times((at) =>
    ask(
      'mutation ($url: String!) { createWebhook(input: { url: $url, events: [ATTACHMENT_CREATED] }) { webhook { id } } }',
      { url: `https://hooks.example.test/${at}` },
    ),
  );
  const webhook = hooks[0].createWebhook.webhook.id;
  for (let at = 0; at < ROWS; at += 1)
    await app.upload(containers['Meeting']!.attachments, { as: admin, fileName: 'told.txt' });
  await dispatchEvents(app.running.services);
  const delivered = await ask(
    'query ($id: ID!) { webhook(id: $id) { deliveries(first: 1) { nodes { id } } } }',
    { id: webhook },
  );
  const { createApiKey } = await ask(
    'mutation { createApiKey(input: { name: "walk" }) { apiKey { id } } }',
  );

  const session = await signedIn(app, admin);

  const { auditEvents } = await ask('{ auditEvents(first: 1) { nodes { id } } }');

  const storage = storages[0]!;
  const { viewer, roles } = await ask(
    '{ viewer { connections(first: 1) { nodes { id } } } roles { id } }',
  );
  return {
    admin,
    one: {
      Membership: memberships.nodes[0].id,
      Role: roles[0].id,
      StorageAccount: viewer.connections.nodes[0].id,
      Status: globalId('Status', 1),
      Type: globalId('Type', 1),
      ...Object.fromEntries(kinds.map((kind) => [kind, containers[kind]!.globalId])),
      ApiKey: createApiKey.apiKey.id,
      AuditEvent: auditEvents.nodes[0].id,
      Authorization: globalId('Authorization', session.authorization),
      Session: globalId('Session', session.id),
      Attachment: globalId('Attachment', rows[0]!.id),
      FileLink: globalId('FileLink', links[0]!),
      Notification: globalId('Notification', notifications[0]!.id),
      OAuthApplication: globalId('OAuthApplication', storage.application.id),
      OAuthClientCredentials: globalId('OAuthClientCredentials', storage.credentialsId!),
      Project: globalId('Project', project.id),
      ProjectStorage: uses[0]!.globalId,
      Storage: storage.globalId,
      User: globalId('User', admin.id),
      Webhook: webhook,
      WebhookDelivery: delivered.webhook.deliveries.nodes[0].id,
    },
  };
}
