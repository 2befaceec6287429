/** Two processes copy and delete files that share their bytes. */
import { startApp, TEST_SECRET_KEY, type App } from '../../support/app.js';
import { endCommands, environmentOf, serve } from '../../support/cli.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

const ROUNDS = 12;
const CONTENT = 'The same bytes for all of them';
const COPY =
  'mutation ($id: ID!, $to: ID!) { copyAttachments(input: { ids: [$id], to: $to }) { attachments { databaseId } } }';
const DELETE =
  'mutation ($id: ID!) { deleteAttachments(input: { ids: [$id] }) { deletedAttachmentIds } }';

let app: App;
let mia: Person;
let from: ContainerHandle;
let to: ContainerHandle;
let processes: [string, string];
beforeAll(async () => {
  app = await startApp();
  const project = await app.given.project();
  mia = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  [from, to] = [
    await app.given.workPackage(project, mia),
    await app.given.workPackage(project, mia),
  ];
  const start = async () => {
    const environment = { ...environmentOf(app), SECRET_KEY: TEST_SECRET_KEY, TRASH_DAYS: '0' };
    return (await serve({ ...environment, BACKGROUND_WORK: 'false' })).banner.address;
  };
  processes = [await start(), await start()];
}, 60_000);
afterAll(async () => {
  await endCommands();
  await app.stop();
});

async function graphql(url: string, query: string, variables: object) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${mia.key}` },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as {
    data?: any;
    errors?: { extensions: { code: string } }[];
  };
}

/** @returns the id of the copy, or the code of the error */
async function copied(url: string, id: number): Promise<number | string> {
  const { data, errors } = await graphql(url, COPY, { id: String(id), to: to.globalId });
  return errors?.[0]?.extensions.code ?? data.copyAttachments.attachments[0].databaseId;
}
async function deleted(url: string, id: number): Promise<string | undefined> {
  return (await graphql(url, DELETE, { id: String(id) })).errors?.[0]?.extensions.code;
}
async function contentOf(url: string, id: number): Promise<string> {
  const response = await fetch(`${url}/api/v3/attachments/${id}/content`, {
    headers: { authorization: `Bearer ${mia.key}` },
  });
  return response.text();
}
async function storedObjects(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of app.running.services.blobs.list('finished')) keys.push(key);
  return keys;
}

test('a copy keeps its bytes while another process deletes the file, and the last deletion removes them', async () => {
  const [here, there] = processes;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { body } = await app.upload(`${from.path}/attachments`, {
      fileName: `round ${round}.txt`,
      content: CONTENT,
      as: mia,
    });
    const [first, gone, second] = await Promise.all([
      copied(here, body.id),
      deleted(there, body.id),
      copied(there, body.id),
    ]);
    expect(gone).toBeUndefined();
    const made: number[] = [];
    for (const outcome of [first, second])
      if (typeof outcome === 'number') made.push(outcome);
      else expect(outcome).toBe('NOT_FOUND');
    for (const id of made) expect(await contentOf(here, id)).toBe(CONTENT);
    expect(await storedObjects()).toHaveLength(made.length === 0 ? 0 : 1);
    // Both take the other row for the one that keeps the bytes, unless they wait for each other.
    const ends = made.map((id, number) => deleted(processes[number]!, id));
    expect(await Promise.all(ends)).toEqual(made.map(() => undefined));
    expect(await storedObjects()).toEqual([]);
  }
}, 60_000);
