/** Unclaimed file links: a work package claims them, or they expire. */
import { startApp, startBeside, type Answer, type App } from '../../support/app.js';
import { errorBody, missingPermission } from '../../support/expected.js';
import type { ContainerHandle, Person, StorageHandle } from '../../support/factories.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '../../support/jest.js';

let app: App;
let project: { id: number };
let person: Person;
let storage: StorageHandle;
let files = 0;
beforeAll(async () => {
  // No server runs there: claiming sends no request to a storage.
  app = await startApp({ STORAGE_TIMEOUT_MS: '200' });
  project = await app.given.project();
  person = await app.given.member(project, [
    'view_work_packages',
    'add_work_packages',
    'edit_work_packages',
    'view_file_links',
    'manage_file_links',
  ]);
  storage = await app.given.storage();
  await app.given.projectStorage(project, storage);
});
afterAll(() => app.stop());

const element = (name: string) => ({
  originData: { id: String((files += 1)), name },
  _links: { storage: { href: storage.path } },
});
const unclaimed = async (...names: string[]): Promise<{ id: number; href: string }[]> => {
  const { status, body } = await app.post('/api/v3/file_links', person, {
    _embedded: { elements: names.map(element) },
  });
  expect(status).toBe(201);
  return body._embedded.elements.map(({ id, _links }: any) => ({ id, href: _links.self.href }));
};
const links = (some: { href: string }[]) => some.map(({ href }) => ({ href }));
const kept = async (workPackage: {
  id: number;
}): Promise<{ id: number; name: string; expires: string | null }[]> =>
  (
    await app.running.services.db
      .read('file_links')
      .where('work_package_id', workPackage.id)
      .orderBy('id')
  ).map(({ id, origin_name, expires_at }) => ({ id, name: origin_name, expires: expires_at }));
const history = async (workPackage: { id: number }): Promise<string[]> =>
  (
    await app.get(`/api/v3/work_packages/${workPackage.id}/activities`, person)
  ).body._embedded.elements.flatMap(({ details }: any) => details.map(({ raw }: any) => raw));

test('a new work package claims links over REST and GraphQL, and its history records them', async () => {
  const [plan, sketch] = (await unclaimed('plan.txt', 'sketch.png')) as [
    { id: number; href: string },
    { id: number; href: string },
  ];
  const { status, body } = await app.post('/api/v3/work_packages', person, {
    subject: 'Order bricks',
    _links: { project: { href: `/api/v3/projects/${project.id}` }, fileLinks: links([plan]) },
  });
  expect(status).toBe(201);
  expect(await kept(body)).toEqual([{ id: plan.id, name: 'plan.txt', expires: null }]);
  expect(await history(body)).toEqual(['Link to file plan.txt added']);
  const made = await app.graphql(
    'mutation($id: ID!, $links: [ID!]) { createWorkPackage(input: { projectId: $id, subject: "Order wood", fileLinkIds: $links }) { workPackage { databaseId fileLinks { totalCount } } } }',
    { id: project.id, links: [sketch.id] },
    person,
  );
  expect(made.data.createWorkPackage.workPackage).toEqual({
    databaseId: expect.any(Number),
    fileLinks: { totalCount: 1 },
  });
  // Once claimed, it cannot be claimed again.
  const again = await app.post('/api/v3/work_packages', person, {
    subject: 'Again',
    _links: { project: { href: `/api/v3/projects/${project.id}` }, fileLinks: links([plan]) },
  });
  expect([again.status, again.body.message, again.body._embedded.details]).toEqual([
    422,
    'File links does not exist.',
    { attribute: 'fileLinks' },
  ]);
});

test('without the permission, or with a storage that the project does not use, no work package is created', async () => {
  const { db } = app.running.services;
  const count = async () => Number((await db.read('work_packages').count({ n: '*' }))[0]!['n']);
  const elsewhere = await app.given.project();
  await app.given.membership(person, elsewhere, [
    'view_work_packages',
    'add_work_packages',
    'view_file_links',
    'manage_file_links',
  ]);
  const plain = await app.given.project();
  await app.given.membership(person, plain, [
    'view_work_packages',
    'add_work_packages',
    'view_file_links',
  ]);
  await app.given.projectStorage(plain, storage);
  const [mine] = (await unclaimed('mine.txt')) as [{ id: number; href: string }];
  const before = await count();
  for (const [at, status, code, message, attribute] of [
    [
      plain,
      403,
      'MISSING_PERMISSION',
      'You are not authorized to access this resource.',
      undefined,
    ],
    [
      elsewhere,
      422,
      'PROPERTY_CONSTRAINT_VIOLATION',
      'Storage is not linked to project.',
      'fileLinks',
    ],
  ] as const) {
    const rest = await app.post('/api/v3/work_packages', person, {
      subject: 'Not made',
      _links: { project: { href: `/api/v3/projects/${at.id}` }, fileLinks: links([mine]) },
    });
    expect({ status: rest.status, body: rest.body }).toEqual({
      status,
      body: errorBody(
        status === 403 ? 'MissingPermission' : 'PropertyConstraintViolation',
        message,
        attribute,
      ),
    });
    const graphql = await app.graphql(
      'mutation($id: ID!, $links: [ID!]) { createWorkPackage(input: { projectId: $id, subject: "Not made", fileLinkIds: $links }) { workPackage { databaseId } } }',
      { id: at.id, links: [mine.id] },
      person,
    );
    expect(
      graphql.errors?.map(({ message: said, extensions }) => [
        said,
        extensions.code,
        extensions.attribute,
      ]),
    ).toEqual([[message, code, attribute]]);
  }
  expect(await count()).toBe(before);
  expect((await db.read('file_links').where('id', mine.id))[0]).toMatchObject({
    work_package_id: null,
  });
});

describe('an update of a work package', () => {
  let workPackage: ContainerHandle;
  let first: { id: number; href: string };
  beforeEach(async () => {
    workPackage = await app.given.workPackage(project, person);
    [first] = (await unclaimed('first.txt')) as [typeof first];
    await app.patch(workPackage.path, person, { _links: { fileLinks: links([first]) } });
  });

  test('sets the complete new set', async () => {
    const [second] = (await unclaimed('second.txt')) as [typeof first];
    expect(
      (await app.patch(workPackage.path, person, { _links: { fileLinks: links([second]) } }))
        .status,
    ).toBe(200);
    expect((await kept(workPackage)).map(({ name }) => name)).toEqual(['second.txt']);
    expect(await history(workPackage)).toEqual([
      'Link to file first.txt added',
      'Link to file second.txt added',
      'Link to file first.txt removed',
    ]);
    await app.patch(workPackage.path, person, { subject: 'Renamed' });
    expect(await kept(workPackage)).toHaveLength(1);
    await app.patch(workPackage.path, person, {
      _links: {
        fileLinks: [{ href: `/api/v3/work_packages/${workPackage.id}/file_links/${second.id}` }],
      },
    });
    expect(await kept(workPackage)).toHaveLength(1);
    await app.patch(workPackage.path, person, { _links: { fileLinks: [] } });
    expect(await kept(workPackage)).toEqual([]);
  });

  test('is refused if one link belongs to another user, does not exist, or is not a link', async () => {
    const other = await app.given.member(project, [
      'view_work_packages',
      'view_file_links',
      'manage_file_links',
    ]);
    const { body } = await app.post('/api/v3/file_links', other, {
      _embedded: { elements: [element('theirs.txt')] },
    });
    for (const wrong of [
      body._embedded.elements[0]._links.self,
      { href: '/api/v3/file_links/99999' },
    ]) {
      const answer = await app.patch(workPackage.path, person, {
        subject: 'Not kept',
        _links: { fileLinks: [{ href: first.href }, wrong] },
      });
      expect([answer.status, answer.body.message]).toEqual([422, 'File links does not exist.']);
    }
    const { status, body: refused } = await app.patch(workPackage.path, person, {
      _links: { fileLinks: [{ href: '/api/v3/storages/1' }] },
    });
    expect([status, refused.message]).toEqual([
      422,
      'FileLinks takes links of the form {"href": "/api/v3/file_links/1"}.',
    ]);
    expect((await kept(workPackage)).map(({ id }) => id)).toEqual([first.id]);
    expect((await app.get(workPackage.path, person)).body.subject).not.toBe('Not kept');
  });

  test('needs the permission to manage file links, and a storage that the project uses', async () => {
    const refused = ({ status, body }: Answer) =>
      expect({ status, body }).toEqual({ status: 403, body: missingPermission });
    const [mine] = (await unclaimed('mine.txt')) as [typeof first];
    const elsewhere = await app.given.project();
    await app.given.membership(person, elsewhere, ['view_work_packages', 'edit_work_packages']);
    const foreign = await app.given.workPackage(elsewhere, person);
    refused(await app.patch(foreign.path, person, { _links: { fileLinks: links([mine]) } }));
    await app.given.membership(person, elsewhere, [
      'view_work_packages',
      'edit_work_packages',
      'view_file_links',
      'manage_file_links',
    ]);
    expect(
      (await app.patch(foreign.path, person, { _links: { fileLinks: links([mine]) } })).body
        .message,
    ).toBe('Storage is not linked to project.');
    const reader = await app.given.member(project, [
      'view_work_packages',
      'edit_work_packages',
      'view_file_links',
    ]);
    refused(await app.patch(workPackage.path, reader, { _links: { fileLinks: [] } }));
    expect(await kept(workPackage)).toHaveLength(1);
  });

  test('that claims a file with an existing link keeps one link to it', async () => {
    const [{ origin_id: originId }] = await app.running.services.db
      .read('file_links')
      .where('id', first.id);
    const { body } = await app.post('/api/v3/file_links', person, {
      _embedded: {
        elements: [
          {
            originData: { id: originId, name: 'first.txt' },
            _links: { storage: { href: storage.path } },
          },
        ],
      },
    });
    expect(
      (
        await app.patch(workPackage.path, person, {
          _links: { fileLinks: links([first, body._embedded.elements[0]._links.self]) },
        })
      ).status,
    ).toBe(200);
    expect((await kept(workPackage)).map(({ id }) => id)).toEqual([first.id]);
  });

  test('that replaces a link by another one to the same file keeps the existing link', async () => {
    const [{ origin_id: originId }] = await app.running.services.db
      .read('file_links')
      .where('id', first.id);
    const { body } = await app.post('/api/v3/file_links', person, {
      _embedded: {
        elements: [
          {
            originData: { id: originId, name: 'again.txt' },
            _links: { storage: { href: storage.path } },
          },
        ],
      },
    });
    const [again] = body._embedded.elements;
    expect(
      (
        await app.patch(workPackage.path, person, {
          _links: { fileLinks: links([again._links.self]) },
        })
      ).status,
    ).toBe(200);
    expect(await kept(workPackage)).toEqual([{ id: again.id, name: 'again.txt', expires: null }]);
    expect((await app.get(first.href, person)).status).toBe(404);
    expect(await history(workPackage)).toEqual([
      'Link to file first.txt added',
      'Link to file again.txt added',
      'Link to file first.txt removed',
    ]);
  });

  test('and a concurrent claim by another request: only one of them gets the link', async () => {
    const [wanted] = (await unclaimed('wanted.txt')) as [typeof first];
    const others = await Promise.all([
      app.given.workPackage(project, person),
      app.given.workPackage(project, person),
    ]);
    const answers = await Promise.all(
      others.map(({ path }) => app.patch(path, person, { _links: { fileLinks: links([wanted]) } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });
});

test('deleting the storage, or removing it from the project, deletes the links', async () => {
  const workPackage = await app.given.workPackage(project, person);
  const gone = await app.given.storage();
  const { id } = await app.given.projectStorage(project, gone);
  const made = await app.post(`${workPackage.path}/file_links`, person, {
    _embedded: {
      elements: [
        { originData: { id: '1', name: 'a.txt' }, _links: { storage: { href: gone.path } } },
      ],
    },
  });
  expect(made.status).toBe(201);
  const admin = await app.given.user({ admin: true });
  await app.graphql(
    'mutation($id: ID!) { deleteProjectStorage(input: { id: $id }) { deletedProjectStorageId } }',
    { id },
    admin,
  );
  expect(await kept(workPackage)).toEqual([]);
  await app.given.projectStorage(project, gone);
  await app.post(`${workPackage.path}/file_links`, person, {
    _embedded: {
      elements: [
        { originData: { id: '1', name: 'a.txt' }, _links: { storage: { href: gone.path } } },
      ],
    },
  });
  expect(await kept(workPackage)).toHaveLength(1);
  expect((await app.delete(gone.path, admin)).status).toBe(204);
  expect(await kept(workPackage)).toEqual([]);
});

test('two processes that link and remove the same file concurrently agree, and each change is recorded once', async () => {
  const beside = await startBeside(app);
  try {
    const workPackage = await app.given.workPackage(project, person);
    const list = `${workPackage.path}/file_links`;
    const file = element('shared.txt');
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? app : beside).post(list, person, { _embedded: { elements: [file] } }),
      ),
    );
    expect(made.map(({ status }) => status)).toEqual(Array(10).fill(201));
    const [{ id }, ...others] = (await kept(workPackage)) as [{ id: number }, ...object[]];
    expect(others).toEqual([]);
    expect(made.map(({ body }) => body._embedded.elements[0].id)).toEqual(Array(10).fill(id));
    const removed = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        (index % 2 === 0 ? app : beside).delete(`/api/v3/file_links/${id}`, person),
      ),
    );
    expect(removed.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
    expect(await history(workPackage)).toEqual([
      'Link to file shared.txt added',
      'Link to file shared.txt removed',
    ]);
    expect(
      (
        await app.running.services.db
          .read('events')
          .where({ subject_type: 'FileLink', subject_id: id })
          .orderBy('id')
      ).map(({ kind }) => kind),
    ).toEqual(['file_link:created', 'file_link:deleted']);
  } finally {
    await beside.stop();
  }
});

test('changing a work package while another process deletes its storage: both finish and no link is left', async () => {
  const beside = await startBeside(app);
  try {
    for (let round = 0; round < 5; round += 1) {
      const workPackage = await app.given.workPackage(project, person);
      const gone = await app.given.storage();
      const { id } = await app.given.projectStorage(project, gone);
      const admin = await app.given.user({ admin: true });
      const elements = Array.from({ length: 5 }, () => ({
        originData: { id: String((files += 1)), name: 'a.txt' },
        _links: { storage: { href: gone.path } },
      }));
      const { body } = await app.post('/api/v3/file_links', person, { _embedded: { elements } });
      const hrefs = body._embedded.elements.map(({ _links }: any) => ({ href: _links.self.href }));
      const [changed, taken] = await Promise.all([
        app.patch(workPackage.path, person, { _links: { fileLinks: hrefs } }),
        beside.graphql(
          'mutation($id: ID!) { deleteProjectStorage(input: { id: $id }) { deletedProjectStorageId } }',
          { id },
          admin,
        ),
      ]);
      expect([200, 422]).toContain(changed.status);
      expect(taken.errors).toBeUndefined();
      if (changed.status === 422)
        expect(changed.body.message).toBe('Storage is not linked to project.');
      expect(await kept(workPackage)).toEqual([]);
    }
  } finally {
    await beside.stop();
  }
});
