/** Clients that leave before their answer, and the share of one caller. */
import { randomUUID } from 'node:crypto';
import { clientNetwork } from '../../../src/contract/client-network.js';
import { startApp, type App } from '../../support/app.js';
import { until } from '../../support/cli.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

let app: App;
let mia: Person;
let rob: Person;
let workPackage: ContainerHandle;
beforeAll(async () => {
  app = await startApp();
  const project = await app.given.project();
  const rights = ['view_work_packages', 'edit_work_packages'];
  mia = await app.given.member(project, rights);
  rob = await app.given.member(project, rights);
  workPackage = await app.given.workPackage(project, mia, 'Quay');
  await app.upload(workPackage.attachments, { as: mia });
});
afterAll(() => app.stop());

const READ =
  'query ($id: ID!) { workPackage(id: $id) { subject attachments { nodes { fileName author { name } } } } }';
const CHANGE = `mutation ($id: ID!) {
  first: updateWorkPackage(input: { id: $id, subject: "Pier" }) { workPackage { id } }
  second: updateWorkPackage(input: { id: $id, subject: "Mole" }) { workPackage { attachments { nodes { author { name } } } } }
}`;

/** The pool that reads, as knex has it. */
interface Pool {
  max: number;
}
interface Reading {
  pool: Pool;
  acquireConnection(): Promise<object>;
  releaseConnection(connection: object): unknown;
}

/**
 * Sends a document. While its first statement runs, its client leaves. All other statements can
 * begin only after the service has noticed that.
 * @returns the statements that begin afterwards
 */
async function leaveDuring(query: string): Promise<string[]> {
  const { read, write } = app.running.services.db;
  const reading = read.client as Reading;
  const requestId = randomUUID();
  const client = new AbortController();
  let held: Promise<object>[] | undefined;
  const leave = ({ sql }: { sql: string }) => {
    if (held || !/work_packages/.test(sql)) return;
    // The others wait behind these, in the order in which they came.
    held = Array.from({ length: reading.pool.max }, () => reading.acquireConnection());
    client.abort();
  };
  const after: string[] = [];
  read.on('query', leave);
  await expect(
    fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-request-id': requestId,
        authorization: `Basic ${Buffer.from(`apikey:${mia.key}`).toString('base64')}`,
      },
      body: JSON.stringify({ query, variables: { id: String(workPackage.id) } }),
      signal: client.signal,
    }),
  ).rejects.toThrow(/abort/);
  const connections = await Promise.all(held ?? []);
  expect(connections.length).toBe(reading.pool.max);
  read.off('query', leave);
  await until(
    () => app.logLines.some((line) => line.includes(requestId) && line.includes('"aborted":true')),
    'the service has noticed that the client left',
  );
  const note = ({ sql }: { sql: string }) => void after.push(sql);
  for (const one of new Set([read, write])) one.on('query', note);
  for (const connection of connections) reading.releaseConnection(connection);
  await turnsOf(mia);
  await app.get('/health/ready');
  for (const one of new Set([read, write])) one.off('query', note);
  return after.filter((sql) => /attachments|users/.test(sql));
}

/** Takes all turns of a person: so no query of hers runs any more. Gives them back. */
async function turnsOf({ id }: Person): Promise<void> {
  for (const end of await takeTurns(id)) end();
}
const takeTurns = (id: number | string) =>
  Promise.all(Array.from({ length: 16 }, () => app.running.services.queries.take(id)));

test('a query whose client leaves begins no further statement', async () => {
  expect(await leaveDuring(READ)).toEqual([]);
  expect((await app.graphql(READ, { id: String(workPackage.id) }, mia)).data).toMatchObject({
    workPackage: { subject: 'Quay' },
  });
});

test('a mutation whose client leaves runs to its end, with all its changes', async () => {
  await leaveDuring(CHANGE);
  await until(
    async () => (await app.get(workPackage.path, rob)).body.subject === 'Mole',
    'the work package has the subject of the second change',
  );
});

test('a caller runs sixteen queries at a time; those of others do not wait for them', async () => {
  const turns = await takeTurns(mia.id);
  let answered = false;
  const waiting = app.graphql('{ __typename }', {}, mia).finally(() => {
    answered = true;
  });
  const other = await app.graphql(READ, { id: String(workPackage.id) }, rob);
  expect([other.status, answered]).toEqual([200, false]);
  const changed = await app.graphql(CHANGE, { id: String(workPackage.id) }, mia);
  expect([changed.errors, answered]).toEqual([undefined, false]);
  for (const end of turns) end();
  expect((await waiting).status).toBe(200);
});

test('anonymous callers of one network share their queries', async () => {
  const turns = await takeTurns(clientNetwork('127.0.0.1'));
  let answered = false;
  const waiting = app.graphql('{ __typename }').finally(() => {
    answered = true;
  });
  const other = await app.graphql(READ, { id: String(workPackage.id) }, rob);
  expect([other.status, answered]).toEqual([200, false]);
  for (const end of turns) end();
  expect((await waiting).data).toEqual({ __typename: 'Query' });
});
