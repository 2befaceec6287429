import { Attachment } from '../../../src/models/attachment.js';
import { WorkPackage } from '../../../src/models/work-package.js';
import { startApp, type App } from '../../support/app.js';
import { errorBody, missingPermission, notFound } from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

let app: App;
let project: { id: number; name: string };
let creator: Person;
let other: Person;
beforeAll(async () => {
  app = await startApp();
  project = await app.given.project();
  creator = await app.given.member(project, [
    'view_work_packages',
    'add_work_packages',
    'edit_work_packages',
    'add_work_package_comments',
  ]);
  other = await app.given.member(project, [
    'view_work_packages',
    'add_work_packages',
    'edit_work_packages',
    'add_work_package_comments',
  ]);
});
afterAll(() => app.stop());

const link = (...rows: { id: number }[]) =>
  rows.map(({ id }) => ({ href: `/api/v3/attachments/${id}` }));
const names = (body: any): string[] =>
  body._embedded.attachments._embedded.elements.map(
    ({ fileName }: { fileName: string }) => fileName,
  );
const workPackages = () => WorkPackage.query(app.running.services.db.write).resultSize();
const loose = (author: Person, fileName: string) => app.given.attachment({ author, fileName });
const doesNotExist = errorBody(
  'PropertyConstraintViolation',
  'Attachments does not exist.',
  'attachments',
);
const cannotBeChanged = errorBody(
  'PropertyConstraintViolation',
  'Attachments cannot be changed.',
  'attachments',
);
const create = (attachments: unknown, person = creator) =>
  app.post('/api/v3/work_packages', person, {
    subject: 'Order bricks',
    _links: { project: { href: `/api/v3/projects/${project.id}` }, attachments },
  });

describe('creating a work package', () => {
  test("the user's unclaimed attachments move to the new work package, and its history records them", async () => {
    const [a, b] = [await loose(creator, 'a.txt'), await loose(creator, 'b.txt')];
    const { status, body } = await create(link(b, a));
    expect({ status, subject: body.subject, attachments: names(body) }).toEqual({
      status: 201,
      subject: 'Order bricks',
      attachments: ['a.txt', 'b.txt'],
    });
    expect((await app.get(`/api/v3/attachments/${a.id}`, other)).body._links.container).toEqual({
      href: `/api/v3/work_packages/${body.id}`,
      title: 'Order bricks',
    });
    const { body: activities } = await app.get(body._links.activities.href, creator);
    expect(
      activities._embedded.elements.map((activity: any) =>
        activity.details.map(({ raw }: any) => raw),
      ),
    ).toEqual([['File a.txt added', 'File b.txt added']]);
    expect(
      (await Attachment.query(app.running.services.db.read).findById(a.id))!.expiresAt,
    ).toBeNull();
  });

  test('the path of the project does the same', async () => {
    const a = await loose(creator, 'a.txt');
    const { status, body } = await app.post(
      `/api/v3/projects/${project.id}/work_packages`,
      creator,
      { subject: 'Bricks', _links: { attachments: link(a) } },
    );
    expect({ status, attachments: names(body), project: body._links.project }).toEqual({
      status: 201,
      attachments: ['a.txt'],
      project: { href: `/api/v3/projects/${project.id}`, title: project.name },
    });
  });

  test('another user\'s attachment answers "does not exist", and no work package is created', async () => {
    const [own, foreign] = [await loose(creator, 'own.txt'), await loose(other, 'foreign.txt')];
    const before = await workPackages();
    for (const attachments of [
      link(foreign),
      link(own, foreign),
      link({ id: 99_999 }),
      link({ id: 2_147_483_648 }),
    ]) {
      const { status, body } = await create(attachments);
      expect({ status, body }).toEqual({ status: 422, body: doesNotExist });
    }
    expect(await workPackages()).toBe(before);
    expect((await app.get(`/api/v3/attachments/${own.id}`, creator)).body._links.container).toEqual(
      { href: null },
    );
  });

  test('an attachment of another container cannot be changed; if that container is hidden, it does not exist', async () => {
    const elsewhere = await app.given.workPackage(project, creator);
    const claimed = await app.given.attachment({ container: elsewhere, author: creator });
    const hidden = await app.given.attachment({
      container: await app.given.workPackage(await app.given.project(), other),
      author: other,
    });
    const before = await workPackages();
    const { status, body } = await create(link(claimed));
    expect({ status, body }).toEqual({ status: 422, body: cannotBeChanged });
    expect((await create(link(hidden))).body).toEqual(doesNotExist);
    expect(await workPackages()).toBe(before);
  });

  test('a user who can only create work packages can claim attachments on creation', async () => {
    const person = await app.given.member(project, ['view_work_packages', 'add_work_packages']);
    const a = await loose(person, 'a.txt');
    const { status, body } = await create(link(a), person);
    expect({ status, attachments: names(body) }).toEqual({ status: 201, attachments: ['a.txt'] });
  });

  test('the same id twice is one claim', async () => {
    const a = await loose(creator, 'a.txt');
    const { status, body } = await create(link(a, a));
    expect({ status, attachments: names(body) }).toEqual({ status: 201, attachments: ['a.txt'] });
  });

  test('only one of several concurrent requests claims an attachment', async () => {
    const a = await loose(creator, 'a.txt');
    const answers = await Promise.all([1, 2, 3, 4].map(() => create(link(a))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
    for (const { status, body } of answers)
      if (status === 422) expect(body).toEqual(cannotBeChanged);
  });

  test('links of another form answer 422', async () => {
    for (const attachments of [
      [{ href: '/api/v3/users/1' }],
      [{ href: 'https://elsewhere.example/api/v3/attachments/1' }],
      [{}],
      [1],
      {},
      'x',
    ]) {
      const { status, body } = await create(attachments);
      expect({
        status,
        identifier: body.errorIdentifier,
        attribute: body._embedded.details.attribute,
      }).toEqual({
        status: 422,
        identifier: 'urn:service-org:api:v3:errors:PropertyConstraintViolation',
        attribute: 'attachments',
      });
    }
  });

  test('a missing create permission answers 403, a hidden project 404, a missing project or subject 422', async () => {
    const viewer = await app.given.member(project, ['view_work_packages']);
    expect(await create([], viewer)).toMatchObject({ status: 403, body: missingPermission });
    const hidden = await app.given.project();
    expect(
      (await app.post(`/api/v3/projects/${hidden.id}/work_packages`, creator, { subject: 'x' }))
        .body,
    ).toEqual(notFound);
    expect((await app.post('/api/v3/work_packages', creator, { subject: 'x' })).body).toEqual(
      errorBody('PropertyConstraintViolation', "Project can't be blank.", 'project'),
    );
    expect(
      (await app.post(`/api/v3/projects/${project.id}/work_packages`, creator, { subject: ' ' }))
        .body,
    ).toEqual(errorBody('PropertyConstraintViolation', "Subject can't be blank.", 'subject'));
    expect(
      (await app.post(`/api/v3/projects/${project.id}/work_packages`, creator, { subject: 7 }))
        .body,
    ).toEqual(errorBody('PropertyConstraintViolation', 'Subject must be a string.', 'subject'));
  });
});

describe('changing a work package', () => {
  const withTwo = async () => {
    const container = await app.given.workPackage(project, creator);
    const rows = [
      await app.given.attachment({ container, author: creator, fileName: 'a.txt' }),
      await app.given.attachment({ container, author: other, fileName: 'b.txt' }),
    ];
    return { container, rows };
  };

  test('the array is the complete new set: missing attachments are deleted and new ones are claimed', async () => {
    const { container, rows } = await withTwo();
    const c = await loose(creator, 'c.txt');
    const { status, body } = await app.patch(container.path, creator, {
      _links: { attachments: link(rows[0]!, c) },
    });
    expect({ status, attachments: names(body) }).toEqual({
      status: 200,
      attachments: ['a.txt', 'c.txt'],
    });
    expect((await app.get(`/api/v3/attachments/${rows[1]!.id}`, creator)).body).toEqual(notFound);
    const { body: activities } = await app.get(`${container.path}/activities`, creator);
    expect(
      activities._embedded.elements.map((activity: any) =>
        activity.details.map(({ raw }: any) => raw),
      ),
    ).toEqual([['File c.txt added', 'File b.txt removed']]);
  });

  test('a request without attachments changes nothing; an empty array removes all', async () => {
    const { container } = await withTwo();
    expect(names((await app.patch(container.path, creator, { subject: 'New' })).body)).toEqual([
      'a.txt',
      'b.txt',
    ]);
    expect(
      names((await app.patch(container.path, creator, { _links: { attachments: [] } })).body),
    ).toEqual([]);
    expect((await app.get(container.attachments, creator)).body.total).toBe(0);
  });

  test('a set with an invalid attachment changes nothing', async () => {
    const { container } = await withTwo();
    const foreign = await loose(other, 'foreign.txt');
    const { status, body } = await app.patch(container.path, creator, {
      subject: 'New',
      _links: { attachments: link(foreign) },
    });
    expect({ status, body }).toEqual({ status: 422, body: doesNotExist });
    const unchanged = (await app.get(container.path, creator)).body;
    expect({ subject: unchanged.subject, attachments: names(unchanged) }).toEqual({
      subject: container.title,
      attachments: ['a.txt', 'b.txt'],
    });
  });

  test('a stale lockVersion answers 409 and changes nothing', async () => {
    const { container } = await withTwo();
    const first = await app.patch(container.path, creator, { subject: 'First', lockVersion: 0 });
    expect({
      status: first.status,
      subject: first.body.subject,
      lockVersion: first.body.lockVersion,
    }).toEqual({ status: 200, subject: 'First', lockVersion: 1 });
    const stale = await app.patch(container.path, other, { subject: 'Second', lockVersion: 0 });
    expect({ status: stale.status, body: stale.body }).toEqual({
      status: 409,
      body: errorBody(
        'UpdateConflict',
        'The resource was changed since you last read it. Read it again and repeat your change.',
      ),
    });
    expect((await app.get(container.path, creator)).body.subject).toBe('First');
  });

  test('without the edit permission it answers 403', async () => {
    const { container } = await withTwo();
    const adder = await app.given.member(project, ['view_work_packages', 'add_work_packages']);
    expect(await app.patch(container.path, adder, { subject: 'x' })).toMatchObject({
      status: 403,
      body: missingPermission,
    });
  });

  test('a pending direct upload stays when the set is replaced', async () => {
    const { container, rows } = await withTwo();
    const pending = await app.given.attachment({ container, author: creator, status: 'prepared' });
    await app.patch(container.path, creator, { _links: { attachments: link(...rows) } });
    expect((await app.get(`/api/v3/attachments/${pending.id}`, creator)).status).toBe(200);
  });
});

describe('comments', () => {
  let workPackage: ContainerHandle;
  beforeAll(async () => {
    workPackage = await app.given.workPackage(project, creator);
  });
  const comment = (body: object, person = creator) =>
    app.post(`${workPackage.path}/activities`, person, body);

  test("the user's unclaimed uploads that the text links to are claimed; other links stay plain text", async () => {
    const [own, foreign] = [await loose(creator, 'own.txt'), await loose(other, 'foreign.txt')];
    const raw = `See ![plan](/api/v3/attachments/${own.id}/content), /api/v3/attachments/${foreign.id}/content and /api/v3/attachments/99999/content.`;
    const { status, body } = await comment({ comment: { raw } });
    expect({ status, type: body._type, raw: body.comment.raw, attachments: names(body) }).toEqual({
      status: 201,
      type: 'Activity::Comment',
      raw,
      attachments: ['own.txt'],
    });
    expect((await app.get(`/api/v3/attachments/${own.id}`, other)).body._links.container).toEqual({
      href: `/api/v3/activities/${body.id}`,
    });
    expect(
      (await app.get(`/api/v3/attachments/${foreign.id}`, other)).body._links.container,
    ).toEqual({ href: null });
    expect((await app.get(workPackage.attachments, creator)).body.total).toBe(0);
  });

  test('attachments in _links are claimed too, with the same checks', async () => {
    const [own, foreign] = [await loose(creator, 'own.txt'), await loose(other, 'foreign.txt')];
    expect(
      names((await comment({ comment: 'plain text', _links: { attachments: link(own) } })).body),
    ).toEqual(['own.txt']);
    const refused = await comment({ comment: 'x', _links: { attachments: link(foreign) } });
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 422,
      body: doesNotExist,
    });
  });

  test('an edited comment claims newly linked attachments, keeps the old ones, and accepts a complete set in _links', async () => {
    const [a, b] = [await loose(creator, 'a.txt'), await loose(creator, 'b.txt')];
    const { body } = await comment({ comment: `/api/v3/attachments/${a.id}/content` });
    const changed = await app.patch(body._links.self.href, creator, {
      comment: { raw: `now /api/v3/attachments/${b.id}/content` },
    });
    expect({ status: changed.status, attachments: names(changed.body) }).toEqual({
      status: 200,
      attachments: ['a.txt', 'b.txt'],
    });
    const replaced = await app.patch(body._links.self.href, creator, {
      comment: 'none',
      _links: { attachments: link(b) },
    });
    expect(names(replaced.body)).toEqual(['b.txt']);
  });

  test('an edit does not claim attachments that the old text already named', async () => {
    const editor = await app.given.member(project, [
      'view_work_packages',
      'edit_work_packages',
      'add_work_package_comments',
    ]);
    const [mine, meant] = [await loose(editor, 'private.txt'), await loose(editor, 'meant.txt')];
    const raw = `/api/v3/attachments/${mine.id}/content`;
    const { body } = await comment({ comment: { raw } });
    for (const change of [{}, { comment: { raw } }, { comment: { raw: `${raw} is a typo` } }]) {
      const { status, body: changed } = await app.patch(body._links.self.href, editor, change);
      expect({ status, attachments: names(changed) }).toEqual({ status: 200, attachments: [] });
    }
    expect((await app.get(`/api/v3/attachments/${mine.id}`, editor)).body._links.container).toEqual(
      { href: null },
    );
    expect(
      names(
        (
          await app.patch(body._links.self.href, editor, {
            comment: { raw: `${raw} and /api/v3/attachments/${meant.id}/content` },
          })
        ).body,
      ),
    ).toEqual(['meant.txt']);
  });

  test('only users with the permission for internal comments can write and read one', async () => {
    const insider = await app.given.member(project, [
      'view_work_packages',
      'view_internal_comments',
      'add_work_package_comments',
    ]);
    expect(await comment({ comment: 'secret', internal: true })).toMatchObject({
      status: 403,
      body: missingPermission,
    });
    const { status, body } = await comment({ comment: 'secret', internal: true }, insider);
    expect({ status, internal: body.internal }).toEqual({ status: 201, internal: true });
    expect((await app.get(body._links.self.href, creator)).body).toEqual(notFound);
    const idsSeenBy = async (person: Person) =>
      (await app.get(`${workPackage.path}/activities`, person)).body._embedded.elements.map(
        ({ id }: { id: number }) => id,
      );
    expect(await idsSeenBy(insider)).toContain(body.id);
    expect(await idsSeenBy(creator)).not.toContain(body.id);
  });

  test('a blank comment answers 422, a comment without the permission 403', async () => {
    expect((await comment({ comment: { raw: ' ' } })).body).toEqual(
      errorBody('PropertyConstraintViolation', "Comment can't be blank.", 'comment'),
    );
    const viewer = await app.given.member(project, ['view_work_packages']);
    expect(await comment({ comment: 'x' }, viewer)).toMatchObject({
      status: 403,
      body: missingPermission,
    });
  });
});
