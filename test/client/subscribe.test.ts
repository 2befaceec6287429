/** Subscriptions of the package moorage-client: events, lost connections, refusals. */
import { createClient, MoorageError, TypedText, type StreamState } from 'moorage-client/core';
import { startApp, type App } from '../support/app.js';
import { eventually } from '../support/direct-upload.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { Gate } from './gate.js';

const ChangesDocument = new TypedText<
  { attachmentChanged: { event: string; attachment: { fileName: string } | null } },
  { containerId: string }
>(`subscription Changes($containerId: ID!) {
  attachmentChanged(containerId: $containerId) { event attachment { fileName } }
}`);

let app: App;
let gate: Gate;
let person: Person;
let workPackage: ContainerHandle;
beforeAll(async () => {
  app = await startApp();
  gate = await Gate.to(app.url);
  const project = await app.given.project();
  person = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  workPackage = await app.given.workPackage(project, person);
});
afterAll(async () => {
  await gate?.stop();
  await app?.stop();
});

/** Subscribes, and collects what arrives. */
function listen(client = createClient({ url: gate.url, auth: { key: person.key } })) {
  const ending = new AbortController();
  const states: StreamState[] = [];
  const events: string[] = [];
  const ended = (async () => {
    for await (const { attachmentChanged: change } of client.subscribe(
      ChangesDocument,
      { containerId: workPackage.globalId },
      { signal: ending.signal, onState: (state) => void states.push(state) },
    ))
      events.push(`${change.event} ${change.attachment?.fileName}`);
  })();
  const opened = (times: number) =>
    eventually(
      () => states,
      (seen) => seen.filter((state) => state === 'open').length === times,
    );
  return { states, events, ended, opened, end: () => ending.abort() };
}

const add = (fileName: string) => app.upload(workPackage.attachments, { as: person, fileName });
const count = (wanted: number) => (events: string[]) => events.length === wanted;

test('events arrive, also after the connection was lost', async () => {
  const { states, events, ended, opened, end } = listen();
  await opened(1);
  await add('first.txt');
  await eventually(() => events, count(1));

  gate.close();
  await eventually(
    () => states,
    (seen) => seen.includes('waiting'),
  );
  await add('missed.txt');
  gate.open();
  await opened(2);
  await add('second.txt');
  await eventually(() => events, count(2));
  expect(events).toEqual(['CREATED first.txt', 'CREATED second.txt']);

  end();
  await ended;
  expect(states.slice(0, 3)).toEqual(['connecting', 'open', 'waiting']);
  expect(states.slice(-2)).toEqual(['connecting', 'open']);
  await eventually(
    () => gate.connections,
    (open) => open === 0,
  );
}, 30_000);

test('leaving the loop closes the connection', async () => {
  const client = createClient({ url: gate.url, auth: { key: person.key } });
  for await (const { attachmentChanged } of client.subscribe(
    ChangesDocument,
    { containerId: workPackage.globalId },
    { onState: (state) => void (state === 'open' && add('third.txt')) },
  )) {
    expect(attachmentChanged).toEqual({
      event: 'CREATED',
      attachment: { fileName: 'third.txt' },
    });
    break;
  }
  await eventually(
    () => gate.connections,
    (open) => open === 0,
  );
});

test('a refused subscription is an error', async () => {
  const refusal = async (document: string, key: string) => {
    const client = createClient({ url: app.url, auth: { key } });
    try {
      for await (const event of client.subscribe(document)) return event;
    } catch (error) {
      if (!(error instanceof MoorageError)) throw error;
      return [error.code, error.status];
    }
    return 'ended';
  };
  const unknown = 'subscription { attachmentChanged(attachmentId: 4711) { event } }';
  expect(await refusal(unknown, person.key)).toEqual(['NOT_FOUND', 404]);
  expect(await refusal('subscription { nothing }', person.key)).toEqual(['INVALID_QUERY', 400]);
  expect(await refusal(unknown, 'wrong')).toEqual(['UNAUTHENTICATED', 401]);
});

test('a token that ends is renewed', async () => {
  const keys = [await app.given.apiKey(person), await app.given.apiKey(person)];
  let asked = 0;
  const token = () => keys[asked++]?.key ?? 'none left';
  const client = createClient({ url: app.url, auth: { token } });
  const { events, ended, opened, end } = listen(client);
  await opened(1);
  await app.graphql(
    'mutation ($id: ID!) { deleteApiKey(input: { id: $id }) { deletedApiKeyId } }',
    { id: String(keys[0]?.id) },
    person,
  );
  await opened(2);
  await add('with the new token.txt');
  await eventually(() => events, count(1));
  expect([asked, events]).toEqual([2, ['CREATED with the new token.txt']]);
  end();
  await ended;
}, 30_000);
