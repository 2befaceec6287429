/** The records that administrators change, and those that act in the name of a person. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { App } from '../support/app.js';
import { WEBHOOK } from './administration-operations.js';
import type { Operation } from './expected.js';
import { administrationOperations, endings } from './expected-administration.js';
import { MISSING } from './targets.js';

export const administers = (operation: Operation): boolean =>
  [...administrationOperations, ...endings].includes(operation as (typeof endings)[number]);

/** @returns the id of a new record that the operation changes */
export async function administeredBy(
  app: App,
  operation: Operation,
  userId: number,
): Promise<number> {
  switch (operation) {
    case 'update role':
    case 'delete role':
    case 'set membership':
      return app.given.role([]);
    case 'update webhook':
    case 'delete webhook':
    case 'rotate webhook secret':
      return newWebhook(app);
    case 'redeliver event':
      return newDelivery(app);
    case 'end session':
    case 'end sessions of user':
      return newSession(app, userId);
    case 'delete OAuth application':
      await app.given.accessToken({ id: userId });
      return newest(app, 'oauth_applications', {});
    case 'end authorization':
      await app.given.accessToken({ id: userId });
      return newest(app, 'oauth_artifacts', { kind: 'Grant', user_id: userId });
    case 'end connection':
      return newConnection(app, userId);
    default:
      return MISSING;
  }
}

async function newest(app: App, table: string, where: object): Promise<number> {
  const [row] = await app.running.services.db
    .write(table)
    .where(where)
    .orderBy('id', 'desc')
    .limit(1);
  return row.id;
}

async function newWebhook(app: App): Promise<number> {
  const { data } = await app.graphql(
    'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { databaseId } } }',
    { input: WEBHOOK },
    await app.given.user({ admin: true }),
  );
  return data.createWebhook.webhook.databaseId;
}

async function newDelivery(app: App): Promise<number> {
  const at = new Date().toISOString();
  const [row] = await app.running.services.db
    .write('webhook_deliveries')
    .insert({
      webhook_id: await newWebhook(app),
      delivery_id: randomUUID(),
      kind: 'attachment:created',
      body: '{}',
      state: 'dead',
      attempts: 10,
      due_at: at,
      created_at: at,
      updated_at: at,
    })
    .returning('id');
  return row.id;
}

async function newSession(app: App, user_id: number): Promise<number> {
  const now = new Date();
  const [row] = await app.running.services.db
    .write('sessions')
    .insert({
      token_hash: randomBytes(32).toString('hex'),
      user_id,
      expires_at: new Date(now.getTime() + 3_600_000).toISOString(),
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    })
    .returning('id');
  return row.id;
}

async function newConnection(app: App, userId: number): Promise<number> {
  const storage = await app.given.storage({
    origin: `http://127.0.0.1:9/${Math.random()}`,
    client: { id: 'ours', secret: 'secret' },
  });
  await app.given.storageTokens({ id: userId }, storage, { accessToken: 'token' });
  return newest(app, 'storage_tokens', { user_id: userId });
}
