/**
 * Checks visibility, permission, the body and its members in this order, so that invalid bodies reveal nothing to
 * outsiders.
 */
import { join } from 'node:path';
import { profiles } from '../../../src/contract/profiles.js';
import { startApp, startBeside, type Answer, type App } from '../../support/app.js';
import { errorBody, missingPermission, notFound, violations } from '../../support/expected.js';
import type { ContainerHandle, Person, StorageHandle } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { contractOf, operationsOf } from '../../support/openapi.js';
import { freshBucket, s3Environment } from '../../support/rgw.js';

let app: App;
let admin: Person;
let member: Person;
let viewer: Person;
let outsider: Person;
let workPackage: ContainerHandle;
let comment: ContainerHandle;
let storage: StorageHandle;
let projectPath: string;
beforeAll(async () => {
  app = await startApp(
    process.env['MOORAGE_TEST_S3_ENDPOINT'] === undefined ? {} : s3Environment(await freshBucket()),
  );
  const { given } = app;
  const project = await given.project();
  projectPath = `/api/v3/projects/${project.id}`;
  member = await given.member(project, [
    'view_work_packages',
    'edit_work_packages',
    'add_work_packages',
    'add_work_package_comments',
    'view_file_links',
    'manage_file_links',
  ]);
  viewer = await given.member(project, ['view_work_packages', 'view_file_links']);
  [admin, outsider] = [await given.user({ admin: true }), await given.user()];
  workPackage = await given.container('WorkPackage', project, member);
  comment = await given.container('Activity', project, member);
  storage = await given.storage();
  await given.projectStorage(project, storage);
});
afterAll(() => app.stop());

interface Operation {
  /** As the OpenAPI description names it. */
  name: string;
  path: () => string;
  /** A user with the permission. */
  allowed: () => Person;
  /** A member of the wrong type, and its error. */
  wrong: [body: object, ...violations: [message: string, attribute: string][]];
  /** For operations whose permission depends on the body: the answers to outsiders and viewers before that. */
  refusals?: { outsider?: object; viewer?: object };
}
const base = 'base';
const folder = ['Name must be a string.', 'name'] as [string, string];
/** Named, but missing. */
const nowhere = {
  _links: {
    attachments: [{ href: '/api/v3/attachments/999999' }],
    fileLinks: [{ href: '/api/v3/file_links/999999' }],
  },
};
const missing: [[string, string], [string, string]] = [
  ['Attachments does not exist.', 'attachments'],
  ['File links does not exist.', 'fileLinks'],
];
const unseen = {
  outsider: { status: 404, body: notFound },
  viewer: { status: 403, body: missingPermission },
};
const forbidden = { ...unseen, outsider: unseen.viewer };
const operations: Operation[] = [
  {
    name: 'POST /storages',
    path: () => '/api/v3/storages',
    allowed: () => admin,
    refusals: forbidden,
    wrong: [
      { name: 7 },
      ['Name must be a string.', 'name'],
      ['Type is not one of the types of storages.', 'type'],
    ],
  },
  {
    name: 'PATCH /storages/{id}',
    path: () => storage.path,
    allowed: () => admin,
    wrong: [
      { name: 42, tenantId: 4 },
      ['Name must be a string.', 'name'],
      ['TenantId must be a string.', 'tenantId'],
    ],
  },
  {
    name: 'POST /storages/{id}/oauth_client_credentials',
    path: () => `${storage.path}/oauth_client_credentials`,
    allowed: () => admin,
    wrong: [
      { clientId: 1 },
      ['ClientId must be a string.', 'clientId'],
      ["Client secret can't be blank.", 'clientSecret'],
    ],
  },
  {
    name: 'POST /storages/{id}/folders',
    path: () => `${storage.path}/folders`,
    allowed: () => member,
    wrong: [{ name: [] }, folder, ["Parent can't be blank.", 'parent']],
  },
  {
    name: 'POST /work_packages',
    path: () => '/api/v3/work_packages',
    allowed: () => member,
    refusals: {},
    wrong: [
      { subject: 4 },
      ['Subject must be a string.', 'subject'],
      ["Project can't be blank.", 'project'],
    ],
  },
  {
    name: 'POST /work_packages/form',
    path: () => '/api/v3/work_packages/form',
    allowed: () => member,
    refusals: forbidden,
    wrong: [{ subject: 4 }, ['Subject must be a string.', 'subject']],
  },
  {
    name: 'POST /projects/{id}/work_packages/form',
    path: () => `${projectPath}/work_packages/form`,
    allowed: () => member,
    wrong: [{ subject: 4 }, ['Subject must be a string.', 'subject']],
  },
  {
    name: 'POST /projects/{id}/work_packages',
    path: () => `${projectPath}/work_packages`,
    allowed: () => member,
    wrong: [{ subject: {}, ...nowhere }, ['Subject must be a string.', 'subject'], ...missing],
  },
  {
    name: 'PATCH /work_packages/{id}',
    path: () => workPackage.path,
    allowed: () => member,
    wrong: [
      { subject: ' ', lockVersion: 'x', ...nowhere },
      ['LockVersion must be a whole number.', 'lockVersion'],
      ["Subject can't be blank.", 'subject'],
      ...missing,
    ],
  },
  {
    name: 'POST /work_packages/{id}/activities',
    path: () => `${workPackage.path}/activities`,
    allowed: () => member,
    wrong: [
      { comment: { raw: 5 }, internal: 'x', _links: { attachments: nowhere._links.attachments } },
      ['Comment must be a string.', 'comment'],
      ['Internal must be true or false.', 'internal'],
      missing[0],
    ],
  },
  {
    name: 'PATCH /activities/{id}',
    path: () => comment.path,
    allowed: () => member,
    wrong: [
      { _links: { attachments: 5 } },
      ['Attachments must be an array of links.', 'attachments'],
    ],
  },
  {
    name: 'POST /work_packages/{id}/file_links',
    path: () => `${workPackage.path}/file_links`,
    allowed: () => member,
    wrong: [
      {
        _embedded: {
          elements: [
            {
              originData: { id: '1', name: 5, size: '1' },
              _links: { storage: { href: '/api/v3/storages/99999' } },
            },
          ],
        },
      },
      [
        'Error attempting to create dependent object: File link - unknown: The member name must be a string.',
        base,
      ],
      [
        'Error attempting to create dependent object: File link - unknown: The member size must be a number.',
        base,
      ],
      [
        'Error attempting to create dependent object: File link - unknown: Storage does not exist.',
        base,
      ],
    ],
  },
  {
    name: 'POST /file_links',
    path: () => '/api/v3/file_links',
    allowed: () => member,
    refusals: forbidden,
    wrong: [
      { _embedded: { elements: 42 } },
      [
        "Invalid format for property '_embedded/elements': Expected format like 'Array', but got 'Integer'.",
        'elements',
      ],
    ],
  },
  {
    name: 'POST /storages/{id}/files/prepare_upload',
    path: () => `${storage.path}/files/prepare_upload`,
    allowed: () => member,
    wrong: [
      { projectId: 'x', fileName: '.' },
      ['ProjectId must be a whole number.', 'projectId'],
      ['File name must not contain path separators or control characters.', 'fileName'],
      ["Parent can't be blank.", 'parent'],
    ],
  },
];
const send = async (
  { name, path }: Operation,
  as: Person,
  body: unknown,
): Promise<{ status: number; body: unknown }> => {
  const answer: Answer = await app.request(name.split(' ')[0]!, path(), {
    as,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  return { status: answer.status, body: answer.body };
};

test('every operation with a JSON body is in this test', () => {
  const { document } = contractOf(profiles.standard);
  const withBody = operationsOf(document)
    .filter(
      ([, operation]) =>
        'application/json' in
        ((operation as { requestBody?: { content: object } }).requestBody?.content ?? {}),
    )
    .map(([name]) => name);
  expect(operations.map(({ name }) => name).sort()).toEqual(withBody.sort());
});

describe.each(operations)('$name', (operation) => {
  const [wrong, ...said] = operation.wrong;
  const bodies = {
    'a member of the wrong type': wrong,
    'a body that is not an object': [],
    'a body that is not JSON': '{"name":',
  };

  test.each(Object.entries(bodies))(
    '%s is reported only to users with the permission',
    async (_what, body) => {
      for (const [who, refusal] of Object.entries(operation.refusals ?? unseen))
        expect(await send(operation, { outsider, viewer }[who]!, body)).toEqual(refusal);
      const { status, body: answered } = await send(operation, operation.allowed(), body);
      if (body === wrong)
        expect({ status, body: answered }).toEqual({ status: 422, body: violations(...said) });
      else
        expect({ status, body: answered }).toMatchObject({
          status: 400,
          body: { errorIdentifier: errorBody('InvalidRequestBody', '').errorIdentifier },
        });
    },
  );

  test('another Content-Type answers 415; a missing one, or an unsupported Accept header, answers 406', async () => {
    const [method, path] = [operation.name.split(' ')[0]!, operation.path()];
    const ask = async (headers: { [name: string]: string }) => {
      const { status, body } = await app.request(method, path, {
        as: operation.allowed(),
        body: Buffer.from(JSON.stringify(wrong)),
        headers,
      });
      return { status, body };
    };
    expect(await ask({ 'content-type': 'text/plain' })).toEqual({
      status: 415,
      body: errorBody(
        'TypeNotSupported',
        "Expected CONTENT-TYPE to be 'application/json application/hal+json' but got 'text/plain'.",
      ),
    });
    expect(await ask({ 'content-type': '' })).toEqual({
      status: 406,
      body: errorBody('TypeNotSupported', 'Missing content-type header'),
    });
    expect(await ask({ 'content-type': 'application/json', accept: 'text/html' })).toEqual({
      status: 406,
      body: errorBody(
        'TypeNotSupported',
        'The service answers application/hal+json and application/json only.',
      ),
    });
  });
});

describe('forms', () => {
  const send = async (path: string, as: Person, parts: { [name: string]: string }) => {
    const form = new FormData();
    for (const [name, content] of Object.entries(parts))
      form.append(
        name,
        name === 'file' ? new Blob([content]) : content,
        ...((name === 'file' ? ['a.txt'] : []) as []),
      );
    const { status, body } = await app.request('POST', path, { as, body: form });
    return { status, body };
  };
  const complete = { metadata: '{"fileName":"a.txt"}', file: 'x' };
  const broken: [string, { [name: string]: string }][] = [
    ['no file', { metadata: complete.metadata }],
    ['no metadata', { file: 'x' }],
    ['broken metadata', { metadata: '{', file: 'x' }],
    ['too many parts', { ...complete, more: 'x' }],
  ];

  test.each(broken)('%s is reported only to users with the permission', async (_what, parts) => {
    expect(await send(workPackage.attachments, outsider, parts)).toEqual({
      status: 404,
      body: notFound,
    });
    expect(await send(workPackage.attachments, viewer, parts)).toEqual({
      status: 403,
      body: missingPermission,
    });
    expect(await send('/api/v3/attachments', viewer, parts)).toEqual({
      status: 403,
      body: missingPermission,
    });
    for (const path of [workPackage.attachments, '/api/v3/attachments'])
      expect(await send(path, member, parts)).toMatchObject({
        status: 400,
        body: { errorIdentifier: errorBody('InvalidRequestBody', '').errorIdentifier },
      });
    expect((await app.get(workPackage.attachments, member)).body.total).toBe(0);
  });

  test('the form of a direct upload is checked after the permission', async () => {
    const path = `${workPackage.attachments}/prepare`;
    for (const metadata of ['{"fileSize":"7"}', '[]', '{']) {
      expect(await send(path, outsider, { metadata })).toEqual({ status: 404, body: notFound });
      expect(await send(path, viewer, { metadata })).toEqual({
        status: 403,
        body: missingPermission,
      });
    }
  });

  test('an invalid form is reported before the missing direct upload', async () => {
    const plain = await startBeside(app, { BLOB_STORE: `disk:${join(app.folder, 'blobs')}` });
    const ask = async (name: string, value: string) => {
      const form = new FormData();
      form.append(name, value);
      const { status, body } = await plain.request('POST', `${workPackage.attachments}/prepare`, {
        as: member,
        body: form,
      });
      return [status, body.message];
    };
    try {
      expect(await ask('metadata', '{')).toEqual([
        400,
        expect.stringContaining('could not be parsed as JSON'),
      ]);
      expect(await ask('other', 'x')).toEqual([400, 'The part metadata is missing.']);
      for (const metadata of ['{"fileName":"a.txt","fileSize":7}', '{"fileName":5}'])
        expect(await ask('metadata', metadata)).toEqual([
          422,
          expect.stringContaining('Direct upload is not available'),
        ]);
    } finally {
      await plain.stop();
    }
  });

  (process.env['MOORAGE_TEST_S3_ENDPOINT'] === undefined ? test.skip : test)(
    'each member of it that is wrong is listed once (needs the S3 store)',
    async () => {
      const path = `${workPackage.attachments}/prepare`;
      expect(
        await send(path, member, {
          metadata: '{"fileName":5,"fileSize":"7","contentType":[],"digest":1}',
        }),
      ).toEqual({
        status: 422,
        body: violations(
          ['FileName must be a string.', 'fileName'],
          ['FileSize must be a number.', 'fileSize'],
          ['ContentType must be a string.', 'contentType'],
          ['Digest must be an object with an algorithm and a hash.', 'digest'],
        ),
      });
      expect(await send(path, member, { metadata: '{' })).toMatchObject({ status: 400 });
    },
  );
});

test('a resource can be sent back unchanged', async () => {
  const attachment = await app.given.attachment({ container: workPackage, author: member });
  for (const path of [workPackage.path, comment.path]) {
    const read = await app.get(path, member);
    const { status, body } = await app.patch(path, member, read.body);
    expect({ status, links: body._links }).toEqual({ status: 200, links: read.body._links });
  }
  expect((await app.get(`/api/v3/attachments/${attachment.id}`, member)).status).toBe(200);
});

test('Accept types match with or without parameters', async () => {
  for (const accept of [
    'application/json; charset=utf-8',
    'application/hal+json;charset=utf-8',
    'text/html, application/*;q=0.5',
    '*/*',
  ])
    expect(
      (
        await app.post(
          `${workPackage.path}/activities`,
          member,
          { comment: 'x' },
          { headers: { accept } },
        )
      ).status,
    ).toBe(201);
  for (const accept of ['text/html', 'application/json;q=0', 'application/jsonp'])
    expect(
      (
        await app.post(
          `${workPackage.path}/activities`,
          member,
          { comment: 'x' },
          { headers: { accept } },
        )
      ).status,
    ).toBe(406);
});

test('a body that is sent with DELETE must be JSON', async () => {
  const { id } = await app.given.attachment({ container: workPackage, author: member });
  const path = `/api/v3/attachments/${id}`;
  expect(
    (
      await app.request('DELETE', path, {
        as: member,
        body: 'x',
        headers: { 'content-type': 'text/plain' },
      })
    ).body,
  ).toMatchObject({ errorIdentifier: errorBody('TypeNotSupported', '').errorIdentifier });
  expect((await app.get(path, member)).status).toBe(200);
  expect((await app.request('DELETE', path, { as: member, json: {} })).status).toBe(204);
});

test('an invalid storage URL matches no storage, not even one without a URL', async () => {
  const cloud = await app.given.storage({ type: 'CloudDrive' });
  await app.given.projectStorage({ id: workPackage.projectId }, cloud);
  const element = (links: object) => ({ originData: { id: '1', name: 'a' }, _links: links });
  const post = (links: object) =>
    app.post(`${workPackage.path}/file_links`, member, {
      _embedded: { elements: [element(links)] },
    });
  const answers = [
    await post({ storageUrl: { href: 'this is no address' } }),
    await post({ storage: { href: cloud.path }, storageUrl: { href: 'garbage' } }),
  ];
  for (const { status, body } of answers)
    expect({ status, body }).toEqual({
      status: 422,
      body: violations([
        'Error attempting to create dependent object: File link - a: Storage does not exist.',
        base,
      ]),
    });
});

test('an infinite number is refused like any other invalid number', async () => {
  const body =
    '{"_embedded":{"elements":[{"originData":{"id":"1","name":"a","size":1e400},"_links":{"storage":{"href":"/api/v3/storages/1"}}}]}}';
  const answer = await app.request('POST', `${workPackage.path}/file_links`, {
    as: member,
    body,
    headers: { 'content-type': 'application/json' },
  });
  expect([answer.status, answer.body]).toEqual([
    422,
    violations([
      'Error attempting to create dependent object: File link - a: The member size must be a number.',
      base,
    ]),
  ]);
});

test('a body with thousands of errors is refused with only some of them', async () => {
  const elements = Array.from({ length: 15_000 }, (_, index) => ({
    originData: { name: `${index}`, size: '' },
  }));
  const body = JSON.stringify({ _embedded: { elements } });
  const answer = await app.request('POST', `${workPackage.path}/file_links`, {
    as: member,
    body,
    headers: { 'content-type': 'application/json' },
  });
  expect([answer.status, answer.body]).toEqual([
    422,
    violations(['Too many elements created at once. Expected 20 at most, got 15000.', base]),
  ]);
});
