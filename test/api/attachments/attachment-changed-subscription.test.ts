/** The subscription attachmentChanged over server-sent events. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expireAttachments } from '../../../src/actions/operate/cleanup/expire-attachments.js';
import { Activity } from '../../../src/models/activity.js';
import { ApiKey } from '../../../src/models/api-key.js';
import { User } from '../../../src/models/user.js';
import { startApp, startBeside, type App } from '../../support/app.js';
import { until } from '../../support/cli.js';
import {
  describeClamd,
  EICAR,
  EICAR_SIGNATURE,
  startClamd,
  type Clamd,
} from '../../support/clamd.js';
import { on } from '../../support/database.js';
import { eventually, finalized, prepare, uploaded, Work } from '../../support/direct-upload.js';
import { TIME } from '../../support/expected.js';
import { kinds, type ContainerHandle, type Kind, type Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { describeS3, freshBucket, s3Environment } from '../../support/rgw.js';
import {
  ATTACHMENT_CHANGED,
  listen,
  type Listener,
  type Subscription,
} from '../../support/stream.js';

const viewing: { [kind in Kind]: string } = {
  WorkPackage: 'view_work_packages',
  Activity: 'view_work_packages',
  Meeting: 'view_meetings',
  Post: 'view_messages',
  WikiPage: 'view_wiki_pages',
};
const everything = [
  ...new Set(Object.values(viewing)),
  'edit_work_packages',
  'add_work_packages',
  'add_work_package_comments',
  'edit_meetings',
  'edit_messages',
  'edit_wiki_pages',
];
const globalId = (type: string, id: number) => Buffer.from(`${type}:${id}`).toString('base64url');
const UUID = expect.stringMatching(
  /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
);

let app: App;
let project: { id: number; name: string };
let editor: Person;
let viewer: Person;
let stranger: Person;
/** Its key was revoked before the first test, and nothing ever happens on it. */
let quiet: Listener;
const open: Listener[] = [];

/** Opens a stream that is closed after all tests. */
async function subscribed(
  as: Person | undefined,
  what: ContainerHandle | number,
  to = app,
): Promise<Listener> {
  const listener = await listen(to, as, {
    variables:
      typeof what === 'number' ? { attachmentId: String(what) } : { containerId: what.globalId },
  });
  open.push(listener);
  return listener;
}

interface Change {
  event: string;
  id: number;
  container?: ContainerHandle | undefined;
  reason?: string | null;
  /** Null: deleted or not visible. */
  status?: string | null;
  fileName?: string;
}
const eventOf = ({
  event,
  id,
  container,
  reason = null,
  status = 'UPLOADED',
  fileName = 'a.txt',
}: Change) => ({
  data: {
    attachmentChanged: {
      event,
      deliveryId: UUID,
      attachmentId: globalId('Attachment', id),
      attachmentDatabaseId: id,
      containerId: container?.globalId ?? null,
      reason,
      createdAt: TIME,
      attachment: status === null ? null : { databaseId: id, fileName, status },
    },
  },
});
const refusal = (
  code: string,
  identifier: string,
  status: number,
  message: string,
  attribute?: string,
) => ({
  message,
  extensions: {
    code,
    errorIdentifier: `urn:service-org:api:v3:errors:${identifier}`,
    status,
    ...(attribute !== undefined && { attribute }),
  },
});
const notFound = refusal(
  'NOT_FOUND',
  'NotFound',
  404,
  'The requested resource could not be found.',
);
const unauthenticated = refusal(
  'UNAUTHENTICATED',
  'Unauthenticated',
  401,
  'You did not provide the correct credentials.',
);

async function add(
  to: ContainerHandle | string,
  as = editor,
  { content = 'some text', at = app }: { content?: string | Uint8Array; at?: App } = {},
): Promise<number> {
  const { status, body } = await at.upload(typeof to === 'string' ? to : to.attachments, {
    as,
    fileName: 'a.txt',
    content,
  });
  expect(status).toBe(200);
  return body.id;
}
const remove = async (id: number, as = editor) =>
  expect((await app.delete(`/api/v3/attachments/${id}`, as)).status).toBe(204);
const unclaimed = '/api/v3/attachments';

/** Waits until a request answers this status. Permission changes apply in every process within two seconds. */
const answers = (path: string, as: Person, wanted: number, at = app) =>
  eventually(
    async () => (await at.get(path, as)).status,
    (status) => status === wanted,
  );

describe('attachmentChanged', () => {
  beforeAll(async () => {
    app = await startApp();
    project = await app.given.project();
    editor = await app.given.member(project, everything);
    viewer = await app.given.member(project, [...new Set(Object.values(viewing))]);
    stranger = await app.given.user();
    const revoked = await app.given.member(project, ['view_wiki_pages']);
    quiet = await subscribed(revoked, await app.given.wikiPage(project, editor));
    await ApiKey.query(app.running.services.db.write).delete().where('user_id', revoked.id);
  });
  afterAll(async () => {
    for (const listener of open) listener.leave();
    await app?.stop();
  });

  describe.each(kinds)('of a %s', (kind) => {
    let container: ContainerHandle;
    beforeAll(async () => {
      container = await app.given.container(kind, project, editor);
    });

    test('every viewer receives each creation and deletion once and in order, and no events of other containers', async () => {
      const other = await app.given.container(kind, project, editor);
      const before = (await app.given.attachment({ container, author: editor })).id;
      const streams = [await subscribed(viewer, container), await subscribed(editor, container)];
      const elsewhere = await add(other);
      const id = await add(container);
      for (const stream of streams)
        expect(await stream.next(1)).toEqual([eventOf({ event: 'CREATED', id, container })]);
      await remove(elsewhere);
      await remove(before);
      await remove(id);
      for (const stream of streams) {
        expect(await stream.next(3)).toEqual([
          eventOf({ event: 'CREATED', id, container }),
          eventOf({ event: 'DELETED', id: before, container, status: null }),
          eventOf({ event: 'DELETED', id, container, status: null }),
        ]);
        stream.leave();
      }
    });

    test('users without access and anonymous users get NOT_FOUND, as for a missing container', async () => {
      const row = await app.given.attachment({ container, author: editor });
      for (const person of [stranger, undefined]) {
        for (const variables of [
          { containerId: container.globalId },
          { attachmentId: String(row.id) },
          { containerId: globalId(kind, 99_999) },
        ]) {
          const stream = await listen(app, person, { variables });
          await stream.end();
          expect(stream.results).toEqual([
            {
              errors: [{ ...notFound, path: ['attachmentChanged'], locations: expect.any(Array) }],
            },
          ]);
        }
      }
    });

    test('a user who loses the permission receives no more events', async () => {
      const person = await app.given.member(project, [viewing[kind]]);
      const [stream, control] = [
        await subscribed(person, container),
        await subscribed(editor, container),
      ];
      const seen = await add(container);
      await stream.next(1);
      await app.given.membership(person, project, []);
      await remove(await add(container));
      await control.next(3);
      await answers(container.path, person, 404);
      await app.given.membership(person, project, [viewing[kind]]);
      await remove(seen);
      expect(await stream.next(2)).toEqual([
        eventOf({ event: 'CREATED', id: seen, container }),
        eventOf({ event: 'DELETED', id: seen, container, status: null }),
      ]);
      for (const one of [stream, control]) one.leave();
    });
  });

  test('viewers receive the deletion events of the attachments when the container is deleted', async () => {
    const container = await app.given.meeting(project, editor);
    const { id } = await app.given.attachment({ container, author: editor });
    const stream = await subscribed(viewer, container);
    expect(
      (
        await app.graphql(
          'mutation ($id: ID!) { deleteMeeting(input: { id: $id }) { deletedMeetingId } }',
          { id: container.globalId },
          editor,
        )
      ).errors,
    ).toBeUndefined();
    expect(await stream.next(1)).toEqual([
      eventOf({ event: 'DELETED', id, container, status: null }),
    ]);
    stream.leave();
  });

  test('only users who can read an internal comment receive its events', async () => {
    const insider = await app.given.member(project, [
      'view_work_packages',
      'view_internal_comments',
      'add_work_package_comments',
    ]);
    const container = await app.given.container('Activity', project, insider, { internal: true });
    const outsider = await listen(app, viewer, { variables: { containerId: container.globalId } });
    await outsider.end();
    expect(outsider.results).toEqual([
      { errors: [{ ...notFound, path: ['attachmentChanged'], locations: expect.any(Array) }] },
    ]);
    const stream = await subscribed(insider, container);
    const id = await add(container, insider);
    expect(await stream.next(1)).toEqual([eventOf({ event: 'CREATED', id, container })]);
    stream.leave();
  });

  test('when a comment becomes internal, users without access receive no more events', async () => {
    const container = await app.given.container('Activity', project, editor);
    const insider = await app.given.member(project, [
      'view_work_packages',
      'view_internal_comments',
    ]);
    const [stream, control] = [
      await subscribed(viewer, container),
      await subscribed(insider, container),
    ];
    const setInternal = (internal: boolean) =>
      Activity.query(app.running.services.db.write).findById(container.id).patch({ internal });
    await setInternal(true);
    await add(container, insider);
    await control.next(1);
    await setInternal(false);
    const id = await add(container);
    expect(await stream.next(1)).toEqual([eventOf({ event: 'CREATED', id, container })]);
    for (const one of [stream, control]) one.leave();
  });

  describe('of an attachment without container', () => {
    test('only its author receives the events; after a claim, the viewers of the container do', async () => {
      const { id } = await app.given.attachment({ author: editor, fileName: 'a.txt' });
      for (const person of [viewer, stranger, await app.given.user({ admin: true })]) {
        const refused = await listen(app, person, { variables: { attachmentId: String(id) } });
        await refused.end();
        expect(refused.results).toEqual([
          { errors: [{ ...notFound, path: ['attachmentChanged'], locations: expect.any(Array) }] },
        ]);
      }
      const own = await subscribed(editor, id);
      const container = await app.given.workPackage(project, editor);
      const [ofEditor, ofViewer] = [
        await subscribed(editor, container),
        await subscribed(viewer, container),
      ];
      expect(
        (
          await app.patch(container.path, editor, {
            lockVersion: 0,
            _links: { attachments: [{ href: `/api/v3/attachments/${id}` }] },
          })
        ).status,
      ).toBe(200);
      const claimed = eventOf({ event: 'CLAIMED', id, container });
      for (const stream of [own, ofEditor, ofViewer])
        expect(await stream.next(1)).toEqual([claimed]);
      const late = await subscribed(viewer, id);
      await remove(id);
      expect(await late.next(1)).toEqual([
        eventOf({ event: 'DELETED', id, container, status: null }),
      ]);
      expect(await own.next(2)).toEqual([
        claimed,
        eventOf({ event: 'DELETED', id, container, status: null }),
      ]);
      for (const stream of [own, late, ofEditor, ofViewer]) stream.leave();
    });

    test('its expiry is an event with a reason', async () => {
      const id = await add(unclaimed);
      const stream = await subscribed(editor, id);
      await expireAttachments({
        ...app.running.services,
        clock: () => new Date(Date.now() + 181 * 60_000),
      });
      const results = await eventually(
        () => stream.results,
        (all) => all.some(({ data }) => data?.attachmentChanged.event === 'DELETED'),
      );
      expect(results.at(-1)).toEqual(
        eventOf({ event: 'DELETED', id, reason: 'expired', status: null }),
      );
      stream.leave();
    });
  });

  test('a replaced attachment set sends events for claimed and removed attachments', async () => {
    const container = await app.given.workPackage(project, editor);
    const [kept, dropped, added] = [
      await app.given.attachment({ container, author: editor }),
      await app.given.attachment({ container, author: editor }),
      await app.given.attachment({ author: editor, fileName: 'a.txt' }),
    ].map(({ id }) => id) as [number, number, number];
    const stream = await subscribed(viewer, container);
    const links = [kept, added].map((id) => ({ href: `/api/v3/attachments/${id}` }));
    expect(
      (await app.patch(container.path, editor, { lockVersion: 0, _links: { attachments: links } }))
        .status,
    ).toBe(200);
    expect(await stream.next(2)).toEqual([
      eventOf({ event: 'CLAIMED', id: added, container }),
      eventOf({ event: 'DELETED', id: dropped, container, status: null }),
    ]);
    stream.leave();
  });

  test('the delivery id comes from the outbox and is the same for every subscriber', async () => {
    const container = await app.given.post(project, editor);
    const streams = [await subscribed(viewer, container), await subscribed(editor, container)];
    const id = await add(container);
    const ids = await Promise.all(
      streams.map(async (stream) => (await stream.next(1))[0].data.attachmentChanged.deliveryId),
    );
    const rows = await app.running.services.db
      .read('events')
      .where({ subject_type: 'Attachment', subject_id: id });
    expect(ids).toEqual([rows[0].delivery_id, rows[0].delivery_id]);
    for (const stream of streams) stream.leave();
  });

  test('a burst of changes reaches every subscriber once', async () => {
    const container = await app.given.wikiPage(project, editor);
    const streams = [await subscribed(viewer, container), await subscribed(editor, container)];
    const ids = await Promise.all(Array.from({ length: 25 }, () => add(container)));
    for (const stream of streams) {
      const results = await stream.next(25);
      expect(
        results
          .map(({ data }) => data.attachmentChanged.attachmentDatabaseId)
          .sort((a, b) => a - b),
      ).toEqual(ids.sort((a, b) => a - b));
      expect(new Set(results.map(({ data }) => data.attachmentChanged.deliveryId)).size).toBe(25);
      stream.leave();
    }
  });

  describe('the request', () => {
    let container: ContainerHandle;
    beforeAll(async () => {
      container = await app.given.wikiPage(project, editor);
    });
    async function refusedWith(subscription: Subscription, ...errors: object[]) {
      const stream = await listen(app, viewer, subscription);
      await stream.end();
      expect(stream.results.map((result) => ({ data: null, ...result }))).toEqual([
        { data: null, errors },
      ]);
    }
    const located = { path: ['attachmentChanged'], locations: expect.any(Array) };
    const invalid = (message: unknown) => ({
      message,
      extensions: refusal('INVALID_QUERY', 'InvalidQuery', 400, '').extensions,
    });

    test('needs exactly one of container and attachment', async () => {
      const row = await app.given.attachment({ container, author: editor });
      const exactlyOne = {
        ...refusal(
          'INVALID_QUERY',
          'InvalidQuery',
          400,
          'Give exactly one of the arguments "containerId" and "attachmentId".',
          'containerId',
        ),
        ...located,
      };
      await refusedWith({ variables: {} }, exactlyOne);
      await refusedWith({ variables: { containerId: null, attachmentId: null } }, exactlyOne);
      await refusedWith(
        { variables: { containerId: container.globalId, attachmentId: String(row.id) } },
        exactlyOne,
      );
    });

    test('with an impossible id is NOT_FOUND', async () => {
      for (const variables of [
        { containerId: 'nonsense' },
        { containerId: String(container.id) },
        { containerId: globalId('User', editor.id) },
        { attachmentId: 'nonsense' },
        { attachmentId: container.globalId },
        { attachmentId: '99999' },
        { attachmentId: '2147483648' },
      ]) {
        await refusedWith({ variables }, { ...notFound, ...located });
      }
    });

    test('accepts the global id of an attachment', async () => {
      const row = await app.given.attachment({ container, author: editor, fileName: 'a.txt' });
      const stream = await listen(app, viewer, {
        variables: { attachmentId: globalId('Attachment', row.id) },
      });
      await remove(row.id);
      expect(await stream.next(1)).toEqual([
        eventOf({ event: 'DELETED', id: row.id, container, status: null }),
      ]);
      stream.leave();
    });

    test('cannot be a query or a mutation; those go to /graphql', async () => {
      const id = await add(container);
      const elsewhere = invalid(
        'This address takes subscriptions only; queries and mutations go to /graphql.',
      );
      await refusedWith({ query: '{ viewer { id } }' }, elsewhere);
      await refusedWith(
        { query: `mutation { deleteAttachment(input: { id: "${id}" }) { deletedAttachmentId } }` },
        elsewhere,
      );
      expect((await app.get(`/api/v3/attachments/${id}`, editor)).status).toBe(200);
    });

    test('is refused if the document has a syntax error, fails validation or exceeds the limits', async () => {
      await refusedWith(
        { query: 'subscription {' },
        invalid(expect.stringMatching(/^Syntax Error/)),
      );
      await refusedWith(
        { query: 'subscription { nothing }' },
        invalid(expect.stringMatching(/^Cannot query field "nothing"/)),
      );
      await refusedWith(
        { query: ATTACHMENT_CHANGED, operationName: 'Other' },
        invalid('The document has no operation of that name.'),
      );
      await refusedWith(
        {
          query: `subscription { ${'a'
            .repeat(20)
            .split('')
            .map((name, index) => `${name}${index}: attachmentChanged(attachmentId: "1") { event }`)
            .join(' ')} }`,
        },
        invalid(expect.stringMatching(/must select only one top level field/)),
      );
      const deep = `subscription { attachmentChanged(attachmentId: "1") { attachment { ${'container { attachments { nodes { '.repeat(5)} id ${'} } } '.repeat(5)} } } }`;
      const stream = await listen(app, viewer, { query: deep });
      await stream.end();
      expect(stream.results).toMatchObject([
        { errors: [{ extensions: { code: 'INVALID_QUERY', status: 400 } }] },
      ]);
    });

    test('is refused if the variables do not match the document', async () => {
      const stream = await listen(app, viewer, { variables: { containerId: { an: 'object' } } });
      await stream.end();
      expect(stream.results).toMatchObject([
        { errors: [{ extensions: { code: 'INVALID_REQUEST_BODY', status: 400 } }] },
      ]);
    });

    test('with wrong credentials answers 401 with a challenge and opens no stream', async () => {
      const answer = await app.request('POST', '/graphql/stream', {
        json: { query: ATTACHMENT_CHANGED, variables: { containerId: container.globalId } },
        headers: { accept: 'text/event-stream', authorization: 'Bearer wrong' },
      });
      expect({
        status: answer.status,
        body: answer.body,
        challenge: answer.headers.get('www-authenticate'),
      }).toEqual({
        status: 401,
        body: { errors: [unauthenticated] },
        challenge:
          'Bearer realm="Moorage API", error="invalid_token", error_description="The API key or token is not valid."',
      });
    });

    test('answers 406 if it does not accept an event stream', async () => {
      for (const accept of ['application/json', 'text/html']) {
        const answer = await app.request('POST', '/graphql/stream', {
          as: viewer,
          json: { query: ATTACHMENT_CHANGED, variables: { containerId: container.globalId } },
          headers: { accept },
        });
        expect({ status: answer.status, body: answer.body }).toMatchObject({
          status: 406,
          body: { errors: [{ extensions: { status: 406 } }] },
        });
      }
    });

    test('accepts every Accept header that allows an event stream', async () => {
      const url = `${app.url}/graphql/stream`;
      const body = JSON.stringify({
        query: ATTACHMENT_CHANGED,
        variables: { containerId: container.globalId },
      });
      const ask = async (accept: string) => {
        const leaving = new AbortController();
        const { status, headers } = await fetch(url, {
          method: 'POST',
          headers: {
            accept,
            authorization: `Bearer ${viewer.key}`,
            'content-type': 'application/json',
          },
          body,
          signal: leaving.signal,
        });
        leaving.abort();
        return [status, headers.get('content-type')];
      };
      for (const accept of [
        '*/*',
        'text/*',
        'TEXT/event-stream',
        'text/event-stream; charset=utf-8',
        'application/json, text/event-stream;q=0.5',
        'text/html, */*;q=0.1',
      ])
        expect([accept, await ask(accept)]).toEqual([
          accept,
          [200, 'text/event-stream; charset=utf-8'],
        ]);
      for (const accept of ['text/event-stream;q=0', '*/*, text/event-stream;q=0', 'image/*'])
        expect([accept, (await ask(accept))[0]]).toEqual([accept, 406]);
    });

    test('with PUT or DELETE is refused, because streams cannot be created in advance', async () => {
      for (const method of ['PUT', 'DELETE']) {
        for (const accept of ['text/event-stream', '*/*']) {
          const { status } = await app.request(method, '/graphql/stream', {
            as: viewer,
            headers: { accept },
          });
          expect(status >= 400 && status < 500).toBe(true);
        }
      }
    });

    test('with invalid parameters is refused like any other bad request and opens no stream', async () => {
      const refused = (message: string) => ({
        status: 400,
        body: {
          errors: [
            {
              message,
              extensions: {
                code: 'INVALID_REQUEST_BODY',
                errorIdentifier: 'urn:service-org:api:v3:errors:InvalidRequestBody',
                status: 400,
              },
            },
          ],
        },
      });
      const accept = { accept: 'text/event-stream' };
      const got = async (parameters: { [name: string]: string }) =>
        app.get(`/graphql/stream?${new URLSearchParams(parameters)}`, viewer, { headers: accept });
      const posted = async (json: unknown) =>
        app.post('/graphql/stream', viewer, json, { headers: accept });
      const answers = [
        await got({ query: ATTACHMENT_CHANGED, variables: '{' }),
        await got({ query: ATTACHMENT_CHANGED, variables: '[]' }),
        await posted({ query: ATTACHMENT_CHANGED, extensions: 'x' }),
        await got({}),
        await posted({ query: 1 }),
        await posted([]),
      ];
      expect(answers.map(({ status, body }) => ({ status, body }))).toEqual([
        ...Array.from({ length: 2 }, () =>
          refused('The parameter variables is not a JSON object.'),
        ),
        refused('The parameter extensions is not a JSON object.'),
        ...Array.from({ length: 3 }, () => refused('The parameter query is missing or no text.')),
      ]);
    });

    test("by GET works for a browser's EventSource", async () => {
      const search = new URLSearchParams({
        query: ATTACHMENT_CHANGED,
        variables: JSON.stringify({ containerId: container.globalId }),
      });
      const leaving = new AbortController();
      const answer = await fetch(`${app.url}/graphql/stream?${search}`, {
        headers: { accept: 'text/event-stream', authorization: `Bearer ${viewer.key}` },
        signal: leaving.signal,
      });
      expect({
        status: answer.status,
        type: answer.headers.get('content-type'),
        cache: answer.headers.get('cache-control'),
      }).toEqual({
        status: 200,
        type: 'text/event-stream; charset=utf-8',
        cache: expect.stringContaining('no-cache'),
      });
      const id = await add(container);
      let text = '';
      const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
      while (!text.includes('event: next')) text += (await reader.read()).value;
      while (!text.endsWith('\n\n')) text += (await reader.read()).value;
      expect(JSON.parse(/^data: (.*)$/m.exec(text)![1]!)).toEqual(
        eventOf({ event: 'CREATED', id, container }),
      );
      leaving.abort();
    });

    test('to /graphql cannot be a subscription', async () => {
      // Repeated documents are compiled, so the first and later runs take different code paths.
      for (let n = 0; n < 3; n += 1) {
        const { status, data, errors } = await app.graphql(
          ATTACHMENT_CHANGED,
          { containerId: container.globalId },
          viewer,
        );
        expect({ status, data: data ?? null, errors }).toMatchObject({
          status: 400,
          data: null,
          errors: [{ extensions: { code: 'INVALID_QUERY', status: 400 } }],
        });
      }
    });
  });

  test('anonymous users receive the events of public projects', async () => {
    await app.given.role(['view_wiki_pages'], 'Anonymous');
    const shown = await app.given.project({ isPublic: true });
    const writer = await app.given.member(shown, ['view_wiki_pages', 'edit_wiki_pages']);
    const container = await app.given.wikiPage(shown, writer);
    const stream = await subscribed(undefined, container);
    const id = await add(container, writer);
    expect(await stream.next(1)).toEqual([eventOf({ event: 'CREATED', id, container })]);
    stream.leave();
    await app.given.role([], 'Anonymous');
  });

  describe('a user whose access changes', () => {
    test('the stream ends when the API key is revoked, and shows no later event', async () => {
      const container = await app.given.wikiPage(project, editor);
      const person = await app.given.member(project, ['view_wiki_pages']);
      const stream = await subscribed(person, container);
      const key = await ApiKey.query(app.running.services.db.write).findOne('user_id', person.id);
      expect(
        (
          await app.graphql(
            'mutation ($id: ID!) { deleteApiKey(input: { id: $id }) { deletedApiKeyId } }',
            { id: String(key!.id) },
            person,
          )
        ).errors,
      ).toBeUndefined();
      await add(container);
      await stream.end();
      expect(stream.results).toEqual([{ errors: [unauthenticated] }]);
    });

    test('streams end when another process revokes the key or locks the user', async () => {
      const { db } = app.running.services;
      for (const cut of [
        (person: Person) => ApiKey.query(db.write).delete().where('user_id', person.id),
        (person: Person) => User.query(db.write).findById(person.id).patch({ status: 'locked' }),
      ]) {
        // Not shared: a new stream can show an event from just before its start.
        const container = await app.given.wikiPage(project, editor);
        const person = await app.given.member(project, ['view_wiki_pages']);
        const stream = await subscribed(person, container);
        await cut(person);
        await answers(container.path, person, 401);
        await add(container);
        await stream.end();
        expect(stream.results).toEqual([{ errors: [unauthenticated] }]);
      }
    });

    test('a former administrator no longer receives events that only administrators can see', async () => {
      const boss = await app.given.user({ admin: true });
      const container = await app.given.wikiPage(project, editor);
      const stream = await subscribed(boss, container);
      const control = await subscribed(editor, container);
      const setAdmin = async (admin: boolean) => {
        await User.query(app.running.services.db.write).findById(boss.id).patch({ admin });
        await answers(container.path, boss, admin ? 200 : 404);
      };
      await setAdmin(false);
      await add(container);
      await control.next(1);
      await setAdmin(true);
      const id = await add(container);
      await control.next(2);
      expect(await stream.next(1)).toEqual([eventOf({ event: 'CREATED', id, container })]);
      for (const one of [stream, control]) one.leave();
    });
  });

  describe('several processes', () => {
    test('send their subscribers the events of the other processes', async () => {
      const beside = await startBeside(app);
      try {
        const container = await app.given.wikiPage(project, editor);
        const [here, there] = [
          await subscribed(viewer, container),
          await subscribed(viewer, container, beside),
        ];
        const first = await add(container, editor);
        const second = await add(container, editor, { at: beside });
        const both = [
          eventOf({ event: 'CREATED', id: first, container }),
          eventOf({ event: 'CREATED', id: second, container }),
        ];
        expect(await here.next(2)).toEqual(both);
        expect(await there.next(2)).toEqual(both);
        here.leave();
      } finally {
        await beside.stop();
      }
    });

    test('a server that shuts down ends its streams cleanly', async () => {
      const beside = await startBeside(app);
      const container = await app.given.wikiPage(project, editor);
      const streams = [
        await subscribed(viewer, container, beside),
        await subscribed(editor, container, beside),
      ];
      await beside.stop();
      for (const stream of streams) {
        await stream.end();
        expect({ results: stream.results, failure: stream.failure }).toEqual({
          results: [],
          failure: undefined,
        });
      }
      await expect(fetch(`${beside.url}/health/live`)).rejects.toThrow();
    });

    on('postgres')('a lost database connection loses and repeats no event', async () => {
      const { db } = app.running.services;
      const fresh = await startBeside(app);
      try {
        const container = await app.given.wikiPage(project, editor);
        for (let n = 0; n < 3; n += 1) await add(container);
        const cut = async () => {
          const { rows } = await db.write.raw(
            "select pg_terminate_backend(pid) as cut from pg_stat_activity where application_name = 'moorage events' and datname = current_database()",
          );
          expect(rows.length).toBeGreaterThan(0);
        };
        const stream = await subscribed(viewer, container, fresh);
        await cut();
        const id = await add(container);
        expect(await stream.next(1)).toEqual([eventOf({ event: 'CREATED', id, container })]);
        await remove(id);
        const whole = [
          eventOf({ event: 'CREATED', id, container }),
          eventOf({ event: 'DELETED', id, container, status: null }),
        ];
        expect(await stream.next(2)).toEqual(whole);
        await cut();
        const late = await add(container);
        expect(await stream.next(3)).toEqual([
          ...whole,
          eventOf({ event: 'CREATED', id: late, container }),
        ]);
        stream.leave();
      } finally {
        await fresh.stop();
      }
    });

    on('postgres')(
      'a connection that fails before LISTEN refuses that subscription; the next one gets all events on one connection',
      async () => {
        const { hostname, port } = new URL(app.environment['DATABASE_URL']!);
        let refusing = true;
        const between = createServer((client) => {
          const server = connect(Number(port), hostname);
          const end = () => {
            client.destroy();
            server.destroy();
          };
          for (const socket of [client, server]) socket.on('error', end).on('close', end);
          server.pipe(client);
          client.on('data', (data) => {
            if (!refusing || !data.includes('listen ')) return void server.write(data);
            refusing = false;
            end();
          });
        });
        await new Promise<void>((resolve) => {
          between.listen(0, '127.0.0.1', resolve);
        });
        const way = new URL(app.environment['DATABASE_URL']!);
        way.host = `127.0.0.1:${(between.address() as AddressInfo).port}`;
        const beside = await startBeside(app, { DATABASE_URL: way.href });
        try {
          const container = await app.given.wikiPage(project, editor);
          const refused = await subscribed(viewer, container, beside);
          await refused.end();
          expect(refused.results).toMatchObject([{ errors: [{ extensions: { status: 503 } }] }]);
          // Longer than the period in which a failed delivery is tried again.
          await sleep(1_500);
          const stream = await subscribed(viewer, container, beside);
          const id = await add(container);
          expect(await stream.next(1)).toEqual([eventOf({ event: 'CREATED', id, container })]);
          stream.leave();
        } finally {
          await beside.stop();
          between.close();
        }
      },
    );

    on('postgres')(
      'events of many processes at the same time are read together, so that no subscriber falls behind',
      async () => {
        const { db } = app.running.services;
        const container = await app.given.wikiPage(project, editor);
        const stream = await subscribed(viewer, container);
        const statements = await app.statements(async () => {
          // Notifications that are not event numbers must not delay others.
          await db.write.raw("select pg_notify('moorage_events', 'no number,9999999999')");
          await db.write.raw(
            "select pg_notify('moorage_events', number::text) from generate_series(2000000000, 2000000499) number",
          );
          const id = await add(container);
          expect(await stream.next(1)).toEqual([eventOf({ event: 'CREATED', id, container })]);
        });
        const reads = statements.filter((sql) =>
          /^select .* from "events" where "id" in/.test(sql),
        ).length;
        expect(reads).toBeGreaterThan(0);
        expect(reads).toBeLessThanOrEqual(10);
        stream.leave();
      },
    );

    on('postgres')('events that cannot be read now are sent later', async () => {
      const { db } = app.running.services;
      const container = await app.given.wikiPage(project, editor);
      const id = await add(container);
      const { id: event } = (await db.read('events').max('id as id').first()) as unknown as {
        id: number;
      };
      const stream = await subscribed(viewer, container);
      const from = app.logLines.length;
      await db.write.raw('alter table events rename to events_away');
      try {
        await db.write.raw("select pg_notify('moorage_events', ?)", [String(event)]);
        await until(
          () =>
            app.logLines
              .slice(from)
              .some((line) => line.includes('events are not delivered at the moment')),
          'the server says that it cannot read events',
        );
      } finally {
        await db.write.raw('alter table events_away rename to events');
      }
      expect(await stream.next(1)).toEqual([eventOf({ event: 'CREATED', id, container })]);
      stream.leave();
    });
  });

  test('a user, or a network of anonymous users, has at most 100 streams; more answer 503, others are unaffected, and closed streams free slots', async () => {
    const beside = await startBeside(app, { TRUST_PROXY: '1' });
    const sockets: Socket[] = [];
    try {
      await app.given.role(['view_wiki_pages'], 'Anonymous');
      const shown = await app.given.project({ isPublic: true });
      const writer = await app.given.member(shown, ['view_wiki_pages', 'edit_wiki_pages']);
      const other = await app.given.member(shown, ['view_wiki_pages']);
      const container = await app.given.wikiPage(shown, writer);
      const search = new URLSearchParams({
        query: 'subscription ($c: ID) { attachmentChanged(containerId: $c) { event } }',
        variables: JSON.stringify({ c: container.globalId }),
      });
      const { hostname, port, host } = new URL(beside.url);
      const by = ({ key }: Person) => `Authorization: Bearer ${key}`;
      const from = (address: string) => `X-Forwarded-For: ${address}`;
      const raw = (sender: string) =>
        new Promise<number>((resolve, reject) => {
          const socket = connect(Number(port), hostname).once('error', reject);
          sockets.push(socket);
          socket.once('data', (data: Buffer) =>
            resolve(Number(data.toString('latin1').split(' ')[1])),
          );
          socket.write(
            `GET /graphql/stream?${search} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\n${sender}\r\n\r\n`,
          );
        });
      for (const [sender, unaffected] of [
        [by(writer), by(other)],
        [from('192.0.2.1'), from('198.51.100.1')],
      ] as const) {
        expect(await Promise.all(Array.from({ length: 100 }, () => raw(sender)))).toEqual(
          Array.from({ length: 100 }, () => 200),
        );
        expect([await raw(sender), await raw(unaffected)]).toEqual([503, 200]);
      }
      // A full limit is not an error of the server.
      expect(
        beside.logLines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50),
      ).toEqual([]);
      for (const socket of sockets.splice(0)) socket.destroy();
      await eventually(
        () => raw(by(writer)),
        (status) => status === 200,
      );
      const stream = await subscribed(writer, container, beside);
      const id = await add(container, writer);
      expect(await stream.next(1)).toEqual([eventOf({ event: 'CREATED', id, container })]);
      stream.leave();
    } finally {
      for (const socket of sockets) socket.destroy();
      await beside.stop();
      await app.given.role([], 'Anonymous');
    }
  });

  test('pipelined streams release their slots when the connection closes, and delay nothing', async () => {
    const beside = await startBeside(app);
    const container = await app.given.wikiPage(project, editor);
    const search = new URLSearchParams({
      query: 'subscription ($c: ID) { attachmentChanged(containerId: $c) { event } }',
      variables: JSON.stringify({ c: container.globalId }),
    });
    const { hostname, port, host } = new URL(beside.url);
    const one = `GET /graphql/stream?${search} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${viewer.key}\r\n\r\n`;
    for (let n = 0; n < 3; n += 1) {
      const socket = connect(Number(port), hostname);
      socket.write(one.repeat(10));
      await new Promise((resolve) => socket.once('data', resolve));
      socket.destroy();
    }
    const stream = await eventually(
      () => subscribed(viewer, container, beside).catch(() => undefined),
      (listener) => listener !== undefined,
    );
    const id = await add(container);
    expect(await stream!.next(1)).toEqual([eventOf({ event: 'CREATED', id, container })]);
    stream!.leave();
    await beside.stop();
    expect(beside.logLines.at(-1)).toContain('stopped');
  });

  test('a database that is unavailable for some time ends no stream', async () => {
    // A separate server, because its log will contain errors.
    const beside = await startBeside(app);
    const container = await app.given.wikiPage(project, editor);
    const stream = await subscribed(viewer, container, beside);
    const { write } = app.running.services.db;
    await write.schema.renameTable('api_keys', 'api_keys_elsewhere');
    try {
      const answers = async () => (await beside.get('/api/v3/users/me', viewer)).status;
      // Longer than the cache of API keys and the interval of the key check.
      await eventually(answers, (status) => status !== 200);
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      expect(await answers()).toBeGreaterThanOrEqual(500);
    } finally {
      await write.schema.renameTable('api_keys_elsewhere', 'api_keys');
    }
    const id = await add(container);
    expect(await stream.next(1)).toEqual([eventOf({ event: 'CREATED', id, container })]);
    expect(stream.over).toBe(false);
    stream.leave();
    await beside.stop();
  });

  test('a body of another content type is refused before it is read', async () => {
    const answer = await app.request('POST', '/graphql/stream', {
      headers: { accept: 'text/event-stream', 'content-type': 'text/plain; a=application/json' },
      body: '{"query":"{ viewer { name } }"}',
    });
    expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([
      415,
      'TYPE_NOT_SUPPORTED',
    ]);
  });

  on('postgres')('the last subscriber closes the database connection for events', async () => {
    const beside = await startBeside(app);
    try {
      const { db } = app.running.services;
      const listening = async () =>
        (
          await db
            .write('pg_stat_activity')
            .where({ application_name: 'moorage events' })
            .whereRaw('datname = current_database()')
        ).length;
      for (const listener of open) listener.leave();
      await eventually(listening, (count) => count === 0);
      const container = await app.given.wikiPage(project, editor);
      const streams = [
        await subscribed(viewer, container, beside),
        await subscribed(viewer, container, beside),
      ];
      expect(await listening()).toBe(1);
      for (const stream of streams) stream.leave();
      await eventually(listening, (count) => count === 0);
    } finally {
      await beside.stop();
    }
  });

  on('sqlite')(
    'without subscribers the event table is not polled, not even after a failed subscription',
    async () => {
      const beside = await startBeside(app);
      try {
        const container = await app.given.wikiPage(project, editor);
        const stream = await subscribed(viewer, container, beside);
        const { write } = app.running.services.db;
        await write.schema.renameTable('events', 'events_away');
        try {
          const refused = await subscribed(viewer, container, beside);
          await refused.end();
          expect(refused.results).toMatchObject([{ errors: [{ extensions: { status: 500 } }] }]);
        } finally {
          await write.schema.renameTable('events_away', 'events');
        }
        const looks = async () =>
          (await beside.statements(() => sleep(500))).filter((sql) =>
            /^select .* from `events`/.test(sql),
          ).length;
        expect(await looks()).toBeGreaterThan(0);
        stream.leave();
        await eventually(looks, (count) => count === 0);
      } finally {
        await beside.stop();
      }
    },
  );

  describeS3('direct uploads', () => {
    let remote: App;
    let work: Work;
    let place: { id: number; name: string };
    let writer: Person;
    let reader: Person;
    beforeAll(async () => {
      remote = await startApp({
        ...s3Environment(await freshBucket()),
        ATTACHMENT_ALLOWLIST: 'text/plain',
      });
      work = new Work(remote);
      work.start();
      place = await remote.given.project();
      writer = await remote.given.member(place, everything);
      reader = await remote.given.member(place, ['view_wiki_pages', 'edit_wiki_pages']);
    });
    afterAll(async () => {
      await work?.stop();
      await remote?.stop();
    });

    test('preparing and completing send no event; finalizing sends the created event', async () => {
      const container = await remote.given.wikiPage(place, writer);
      const stream = await subscribed(reader, container, remote);
      const one = await uploaded(remote, {
        as: writer,
        to: container.attachments,
        fileName: 'a.txt',
      });
      const abandoned = await prepare(remote, `${container.attachments}/prepare`, writer, {
        fileName: 'b.txt',
        fileSize: 1,
      });
      expect((await remote.delete(`/api/v3/attachments/${abandoned.body.id}`, writer)).status).toBe(
        204,
      );
      const own = await subscribed(writer, one.id, remote);
      await remote.get(one.completion, writer);
      for (const listener of [stream, own])
        expect(await listener.next(1)).toEqual([
          eventOf({ event: 'CREATED', id: one.id, container }),
        ]);
      for (const listener of [stream, own]) listener.leave();
    });

    test('only the preparer can subscribe to a prepared upload', async () => {
      const container = await remote.given.wikiPage(place, writer);
      const one = await uploaded(remote, { as: writer, to: container.attachments });
      const refused = await listen(remote, reader, { variables: { attachmentId: String(one.id) } });
      await refused.end();
      expect(refused.results).toMatchObject([{ errors: [notFound] }]);
    });

    test('a rejection is sent only to the author, with the reason', async () => {
      const container = await remote.given.wikiPage(place, writer);
      const one = await uploaded(remote, {
        as: writer,
        to: container.attachments,
        fileName: 'page.html',
        content: '<p>',
        contentType: 'application/octet-stream',
      });
      const streams = [
        await subscribed(writer, one.id, remote),
        await subscribed(writer, container, remote),
      ];
      const others = await subscribed(reader, container, remote);
      await remote.get(one.completion, writer);
      for (const stream of streams)
        expect(await stream.next(1)).toEqual([
          eventOf({
            event: 'REJECTED',
            id: one.id,
            container,
            reason: 'The content type text/html is not allowed for upload.',
            status: null,
          }),
        ]);
      const marker = await add(container, writer, { at: remote });
      expect(await others.next(1)).toEqual([eventOf({ event: 'CREATED', id: marker, container })]);
      for (const stream of [...streams, others]) stream.leave();
    });

    test('an upload that is claimed while pending sends no event until it is finalized', async () => {
      const container = await remote.given.workPackage(place, writer);
      const watcher = await remote.given.member(place, ['view_work_packages']);
      const stream = await subscribed(watcher, container, remote);
      const one = await uploaded(remote, { as: writer, fileName: 'a.txt' });
      expect(
        (
          await remote.patch(container.path, writer, {
            lockVersion: 0,
            _links: { attachments: [{ href: `/api/v3/attachments/${one.id}` }] },
          })
        ).status,
      ).toBe(200);
      await remote.get(one.completion, writer);
      expect((await finalized(remote, one.id, writer)).body.status).toBe('uploaded');
      expect(await stream.next(1)).toEqual([eventOf({ event: 'CREATED', id: one.id, container })]);
      stream.leave();
    });
  });

  describeClamd('the virus scan', () => {
    let clamd: Clamd;
    beforeAll(async () => {
      clamd = await startClamd();
    });
    afterAll(() => clamd?.stop());

    test.each(['quarantine', 'delete'] as const)(
      'sends its verdict, and the effect of SCAN_ACTION=%s',
      async (action) => {
        const scanned = await startApp({
          CLAMD_URL: `unix:${clamd.unix.path}`,
          SCAN_ACTION: action,
        });
        const work = new Work(scanned);
        try {
          const place = await scanned.given.project();
          const writer = await scanned.given.member(place, everything);
          const reader = await scanned.given.member(place, ['view_wiki_pages']);
          const boss = await scanned.given.user({ admin: true });
          const container = await scanned.given.wikiPage(place, writer);
          const [clean, infected] = [
            await add(container, writer, { at: scanned }),
            await add(container, writer, { at: scanned, content: EICAR }),
          ];
          const [ofClean, ofInfected] = [
            await subscribed(reader, clean, scanned),
            await subscribed(reader, infected, scanned),
          ];
          work.start();
          expect(await ofClean.next(1)).toEqual([
            eventOf({ event: 'SCANNED', id: clean, container, status: 'SCANNED' }),
          ]);
          if (action === 'delete')
            expect(await ofInfected.next(1)).toEqual([
              eventOf({
                event: 'DELETED',
                id: infected,
                container,
                reason: EICAR_SIGNATURE,
                status: null,
              }),
            ]);
          else {
            const quarantined = eventOf({
              event: 'QUARANTINED',
              id: infected,
              container,
              reason: EICAR_SIGNATURE,
              status: 'QUARANTINED',
            });
            expect(await ofInfected.next(1)).toEqual([quarantined]);
            expect(
              (
                await scanned.graphql(
                  'mutation ($id: ID!) { releaseAttachment(input: { id: $id }) { attachment { status } } }',
                  { id: String(infected) },
                  boss,
                )
              ).errors,
            ).toBeUndefined();
            expect(await ofInfected.next(2)).toEqual([
              quarantined,
              eventOf({ event: 'SCANNED', id: infected, container, status: 'SCANNED' }),
            ]);
          }
          for (const stream of [ofClean, ofInfected]) stream.leave();
        } finally {
          await work.stop();
          await scanned.stop();
        }
      },
    );
  });

  test('an idle stream also ends soon after its key was revoked', async () => {
    await quiet.end(25_000);
    expect({ results: quiet.results, failure: quiet.failure }).toEqual({
      results: [{ errors: [unauthenticated] }],
      failure: undefined,
    });
  });

  test('the log has no errors', () => {
    expect(
      app.logLines
        .map((line) => JSON.parse(line))
        .filter(({ level }) => level >= 50)
        .map(({ msg, err }) => ({ msg, err })),
    ).toEqual([]);
  });
});
