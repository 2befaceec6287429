/** Queries, mutations, errors and credentials of the package moorage-client, against the real service. */
import { createClient, MoorageError, TypedText } from 'moorage-client/core';
import { startApp, type App } from '../support/app.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { serveFake } from '../../demo/servers/http-server.js';
import { afterAll, beforeAll, describe, expect, test } from '../support/jest.js';

const FilesDocument = new TypedText<
  { container: { databaseId: number; attachments: { totalCount: number } } | null },
  { id: string }
>('query Files($id: ID!) { container(id: $id) { databaseId attachments { totalCount } } }');
const ViewerDocument = new TypedText<
  { viewer: { id: string; login: string } },
  { [name: string]: never }
>('{ viewer { id login } }');

let app: App;
let person: Person;
let workPackage: ContainerHandle;
beforeAll(async () => {
  app = await startApp();
  const project = await app.given.project();
  person = await app.given.member(project, ['view_work_packages', 'add_work_package_comments']);
  workPackage = await app.given.workPackage(project, person);
});
afterAll(() => app?.stop());

const clientOf = (key = person.key) => createClient({ url: app.url, auth: { key } });

/** What a caller sees of an error. */
async function failure(work: Promise<unknown>): Promise<object> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof MoorageError)) throw new Error(`no MoorageError: ${String(error)}`);
  const { code, status, attribute, retryAfter, requestId, message, data } = error;
  return { code, status, attribute, retryAfter, requestId, message, data };
}

describe('queries and mutations', () => {
  test('a typed document gives its data', async () => {
    const { container } = await clientOf().query(FilesDocument, { id: workPackage.globalId });
    expect(container).toEqual({ databaseId: workPackage.id, attachments: { totalCount: 0 } });
    const { viewer } = await clientOf().query(ViewerDocument);
    expect(viewer.login).toBe(person.login);
  });

  test('a plain text is a document too, and the address may end with a slash', async () => {
    const client = createClient({ url: `${app.url}/`, auth: { key: person.key } });
    expect(await client.query('query Me { viewer { login } }')).toEqual({
      viewer: { login: person.login },
    });
  });

  test('a mutation changes data', async () => {
    const changed = await clientOf().mutate<{ createComment: { comment: { internal: boolean } } }>(
      `mutation Say($on: ID!) {
        createComment(input: { workPackageId: $on, comment: "Hello" }) { comment { internal } }
      }`,
      { on: workPackage.globalId },
    );
    expect(changed).toEqual({ createComment: { comment: { internal: false } } });
  });
});

describe('errors', () => {
  test('an error of a field has its code, status and the rest of the data', async () => {
    const other = await app.given.user();
    const hidden = `query Keys { viewer { login } user(id: ${other.id}) { recentAttachments { totalCount } } }`;
    expect(await failure(clientOf().query(hidden))).toEqual({
      code: 'MISSING_PERMISSION',
      status: 403,
      attribute: undefined,
      retryAfter: undefined,
      requestId: expect.any(String),
      message: 'You are not authorized to access this resource.',
      data: { viewer: { login: person.login }, user: null },
    });
  });

  test('a wrong member is named', async () => {
    const title = clientOf().mutate(
      'mutation Meet($in: ID!) { createMeeting(input: { projectId: $in, title: "" }) { meeting { id } } }',
      { in: String(workPackage.projectId) },
    );
    expect(await failure(title)).toMatchObject({ code: 'MISSING_PERMISSION', status: 403 });
    const comment = clientOf().mutate(
      'mutation Say($on: ID!) { createComment(input: { workPackageId: $on, comment: "" }) { comment { id } } }',
      { on: workPackage.globalId },
    );
    expect(await failure(comment)).toMatchObject({
      code: 'PROPERTY_CONSTRAINT_VIOLATION',
      status: 422,
      attribute: 'comment',
    });
  });

  test('an unknown key is refused with 401, and a wrong document with 400', async () => {
    expect(await failure(clientOf('wrong').query(ViewerDocument))).toMatchObject({
      code: 'UNAUTHENTICATED',
      status: 401,
    });
    expect(await failure(clientOf().query('{ nothing }'))).toMatchObject({
      code: 'INVALID_QUERY',
      status: 400,
      message: 'Cannot query field "nothing" on type "Query".',
    });
  });

  test('a busy service says when to ask again', async () => {
    const proxy = await serveFake((_request, response) => {
      response.writeHead(503, { 'retry-after': '7', 'content-type': 'text/html' });
      response.end('<h1>Busy</h1>');
    });
    try {
      const client = createClient({ url: proxy.url, auth: { key: 'k' } });
      expect(await failure(client.query(ViewerDocument))).toEqual({
        code: 'UNEXPECTED_ANSWER',
        status: 503,
        attribute: undefined,
        retryAfter: 7,
        requestId: undefined,
        message: 'The answer with the status 503 did not come from Moorage. Check the address.',
        data: undefined,
      });
    } finally {
      await proxy.close();
    }
    const gone = createClient({ url: proxy.url, auth: { key: 'k' } });
    expect(await failure(gone.query(ViewerDocument))).toMatchObject({
      code: 'UNREACHABLE',
      status: 0,
      message: `${proxy.url} cannot be reached. Check the connection and the address, then try again.`,
    });
  });

  test('a connection that is lost before or in the answer is no answer', async () => {
    const half = '{"data":{"viewer":{"id":"1","login":"a';
    for (const answer of [undefined, half]) {
      const cutting = await serveFake((_request, response) => {
        if (answer === undefined) return void response.destroy();
        response.writeHead(200, { 'content-length': '1000' });
        response.write(answer, () => response.destroy());
      });
      const client = createClient({ url: cutting.url, auth: { key: 'k' } });
      expect([answer, await failure(client.query(ViewerDocument))]).toEqual([
        answer,
        expect.objectContaining({
          code: 'NO_ANSWER',
          status: 0,
          message: expect.stringContaining('The connection was lost before the answer came.'),
        }),
      ]);
      await cutting.close();
    }
  });

  test('an aborted request throws the reason of its signal', async () => {
    const reason = new Error('The page was left.');
    await expect(
      clientOf().query(ViewerDocument, undefined, { signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
  });
});

describe('tokens', () => {
  test('a token is asked for once, and once more when it is refused', async () => {
    const given: string[] = ['revoked', person.key];
    const asked: string[] = [];
    const client = createClient({
      url: app.url,
      auth: {
        token: async () => {
          const token = given[asked.length] ?? 'none left';
          asked.push(token);
          return token;
        },
      },
    });
    const logins = await Promise.all([1, 2, 3].map(() => client.query(ViewerDocument)));
    expect(logins.map(({ viewer }) => viewer.login)).toEqual(Array(3).fill(person.login));
    expect(asked).toEqual(['revoked', person.key]);
  });

  test('a second refusal is an error', async () => {
    let asked = 0;
    const auth = { token: () => `revoked ${(asked += 1)}` };
    const client = createClient({ url: app.url, auth });
    expect(await failure(client.query(ViewerDocument))).toMatchObject({
      code: 'UNAUTHENTICATED',
      status: 401,
    });
    expect(asked).toBe(2);
  });
});
