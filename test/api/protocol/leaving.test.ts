/** Clients that leave before their answer, and the share of one caller. */
import { randomUUID } from 'node:crypto';
import { clientNetwork } from '../../../src/contract/client-network.js';
import {
  linkIn,
  placeIn,
  stockedFileServer,
  type Stocked,
} from '../../storages/storages-with-files.js';
import { startApp, type App } from '../../support/app.js';
import { until } from '../../support/cli.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

let app: App;
let fileServer: Stocked;
let mia: Person;
let rob: Person;
let workPackage: ContainerHandle;
beforeAll(async () => {
  fileServer = await stockedFileServer();
  app = await startApp();
  const project = await app.given.project();
  const rights = ['view_work_packages', 'edit_work_packages', 'add_work_package_comments'];
  mia = await app.given.member(project, rights);
  rob = await app.given.member(project, rights);
  workPackage = await app.given.workPackage(project, mia, 'Quay');
  await app.upload(workPackage.attachments, { as: mia });
});
afterAll(async () => {
  await app?.stop();
  await fileServer?.close();
});

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
  Promise.all(Array.from({ length: 16 }, () => app.running.services.documents.take(id)));

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

/** Starts requests. @returns how many are answered, and all answers at the end */
function begin<T extends { status: number }>(requests: Promise<T>[]) {
  const begun = { answered: 0, all: Promise.all(requests) };
  for (const request of requests) void request.then(() => (begun.answered += 1));
  return begun;
}

test('a caller runs sixteen documents at a time; those of others do not wait for them', async () => {
  const turns = await takeTurns(mia.id);
  const id = String(workPackage.id);
  const begun = begin<{ status: number }>([
    app.graphql(READ, { id }, mia),
    app.graphql(CHANGE, { id }, mia),
    app.get(workPackage.attachments, mia),
    app.post(`${workPackage.path}/activities`, mia, { comment: { raw: 'Seen.' } }),
  ]);
  // Both come from the network of Mia.
  const query = await app.graphql(READ, { id }, rob);
  const list = await app.get(workPackage.attachments, rob);
  expect([query.status, list.status, begun.answered]).toEqual([200, 200, 0]);
  for (const end of turns) end();
  expect((await begun.all).map(({ status }) => status)).toEqual([200, 200, 200, 201]);
});

test('many parallel reads over REST wait their turn, and none is refused', async () => {
  const turns = await takeTurns(mia.id);
  const begun = begin(Array.from({ length: 40 }, () => app.get(workPackage.attachments, mia)));
  const expected = await app.get(workPackage.attachments, rob);
  expect([expected.status, begun.answered]).toEqual([200, 0]);
  for (const end of turns) end();
  for (const { status, body } of await begun.all)
    expect({ status, body }).toEqual({ status: 200, body: expected.body });
});

test('anonymous callers of one network share their documents', async () => {
  const turns = await takeTurns(clientNetwork('127.0.0.1'));
  const begun = begin([app.graphql('{ __typename }')]);
  const other = await app.graphql(READ, { id: String(workPackage.id) }, rob);
  expect([other.status, begun.answered]).toEqual([200, 0]);
  for (const end of turns) end();
  expect((await begun.all)[0]?.data).toEqual({ __typename: 'Query' });
});

/** Holds the next requests to the storage. @returns when the first one came, and what lets all go */
function holdStorage() {
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const held = new Promise<void>((resolve) => {
    fileServer.server.fault({
      hold: () => {
        resolve();
        return gate;
      },
    });
  });
  return { held, letGo };
}

test('documents that wait for a storage leave their turns to others', async () => {
  const place = await placeIn(app, [fileServer]);
  await linkIn(app, place, place.storages[0]!, fileServer.file('/waited-for.txt'));
  const { held, letGo } = holdStorage();
  const links = begin(Array.from({ length: 16 }, () => app.get(place.list, place.person)));
  await held;
  const read = await app.graphql('{ viewer { id } }', {}, place.person);
  expect([read.status, links.answered]).toEqual([200, 0]);
  letGo();
  for (const { body } of await links.all)
    expect(body._embedded.elements).toMatchObject([{ originData: { name: 'waited-for.txt' } }]);
  fileServer.server.repair();
});

test('a document that has waited for a storage searches only when it has a turn again', async () => {
  const place = await placeIn(app, [fileServer], {
    permissions: ['view_work_packages', 'edit_work_packages', 'view_file_links'],
  });
  const { person } = place;
  const linkId = await linkIn(app, place, place.storages[0]!, fileServer.file('/asked-first.txt'));
  const { held, letGo } = holdStorage();
  const document = begin([
    app.graphql(
      `mutation ($id: ID!) {
        first: updateWorkPackage(input: { id: $id, subject: "Asks" }) {
          workPackage { fileLinks { nodes { databaseId status } } }
        }
        second: updateWorkPackage(input: { id: $id, subject: "Searches" }) {
          workPackage { project { workPackages { totalCount } } }
        }
      }`,
      { id: String(place.workPackage.id) },
      person,
    ),
  ]);
  await held;
  const turns = await takeTurns(person.id);
  letGo();
  await until(async () => {
    const row: { subject: string } = await app.running.services.db
      .read('work_packages')
      .where({ id: place.workPackage.id })
      .first();
    return row.subject === 'Searches';
  }, 'the document has gone on');
  // Long enough for several searches.
  for (let count = 0; count < 20; count += 1) await app.get(workPackage.attachments, rob);
  expect(document.answered).toBe(0);
  for (const end of turns) end();
  const [answer] = await document.all;
  expect([answer?.errors, answer?.data]).toEqual([
    undefined,
    {
      first: {
        workPackage: { fileLinks: { nodes: [{ databaseId: linkId, status: 'VIEW_ALLOWED' }] } },
      },
      second: { workPackage: { project: { workPackages: { totalCount: 1 } } } },
    },
  ]);
  fileServer.server.repair();
});
