/** Lists and forms of work packages over REST, in both profiles. */
import { profiles } from '../../../src/contract/profiles.js';
import { FileLink } from '../../../src/models/file-link.js';
import { startApp, type App } from '../../support/app.js';
import type { ContainerHandle, Person, StorageHandle } from '../../support/factories.js';
import { contractOf, operationsOf } from '../../support/openapi.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

describe.each(Object.values(profiles))('in the $name profile', (profile) => {
  let app: App;
  let depot: { id: number; identifier: string };
  let harbour: { id: number };
  let editor: Person;
  let storage: StorageHandle;
  const named: { [subject: string]: ContainerHandle } = {};
  beforeAll(async () => {
    app = await startApp({ API_PROFILE: profile.name });
    const { given } = app;
    depot = await given.project({ name: 'Depot' });
    harbour = await given.project({ name: 'Harbour' });
    const links = ['view_file_links', 'manage_file_links'];
    editor = await given.member(depot, [
      'view_work_packages',
      'add_work_packages',
      'edit_work_packages',
      'add_work_package_comments',
      ...links,
    ]);
    await given.membership(editor, harbour, ['view_work_packages', 'add_work_packages']);
    const closed = await given.status('Rejected', { isClosed: true });
    for (const [subject, project, details] of [
      ['Lay cable', depot, {}],
      ['Order bricks', depot, { statusId: closed.id }],
      ['Dig', harbour, {}],
    ] as const)
      named[subject] = await given.workPackage(project, editor, subject, details);
    storage = await given.storage({ origin: 'https://cloud.example.test/files' });
    const other = await given.storage({ origin: 'https://drive.example.test' });
    for (const used of [storage, other]) await given.projectStorage(depot, used);
    await given.projectStorage(harbour, storage);
    const time = new Date().toISOString();
    const link = (subject: string, { id: storageId }: StorageHandle, originId: string) =>
      FileLink.query(app.running.services.db.write).insert({
        workPackageId: named[subject]!.id,
        storageId,
        creatorId: editor.id,
        originId,
        originName: 'plan.txt',
        createdAt: time,
        updatedAt: time,
      });
    await link('Lay cable', storage, '112');
    await link('Order bricks', other, '112');
    // The editor does not view the file links there.
    await link('Dig', storage, '112');
  });
  afterAll(() => app.stop());

  /** Without what differs between two new work packages. */
  const withoutOwn = (body: any): unknown =>
    JSON.parse(
      JSON.stringify(body).replaceAll(/work_packages\/\d+/g, 'work_packages/1'),
      (name, value) => (['id', 'createdAt', 'updatedAt'].includes(name) ? undefined : value),
    );
  const list = (query: string, person: Person | undefined = editor) =>
    app.get(`/api/v3/work_packages?${query}`, person);
  const subjects = async (query: string, person?: Person): Promise<string[]> => {
    const { status, body } = await list(query, person);
    expect([status, body._type]).toEqual([200, profile.workPackageCollection]);
    return body._embedded.elements.map(({ subject }: { subject: string }) => subject);
  };
  const where = (name: string, operator: string, ...values: unknown[]) =>
    `filters=${encodeURIComponent(JSON.stringify([{ [name]: { operator, values } }]))}`;
  const refused = async (query: string): Promise<unknown[]> => {
    const { status, body } = await list(query);
    return [status, body.errorIdentifier, body.message];
  };
  const invalidQuery = `urn:${profile.urnWord}:api:v3:errors:InvalidQuery`;
  const all = ['Lay cable', 'Order bricks', 'Dig'];

  test('all or the open ones come without filters, by id', async () => {
    expect(await subjects('')).toEqual(profile.listsOpenWorkPackages ? ['Lay cable', 'Dig'] : all);
    expect(await subjects('filters=[]')).toEqual(all);
  });

  test('they are sorted in both directions', async () => {
    const by = (...orders: unknown[]) =>
      subjects(`filters=[]&sortBy=${encodeURIComponent(JSON.stringify(orders))}`);
    const db = app.running.services.db.write;
    for (const [at, subject] of ['Dig', 'Lay cable', 'Order bricks'].entries())
      await db('work_packages')
        .where({ id: named[subject]!.id })
        .update({ updated_at: `2026-01-0${at + 1}T00:00:00.000Z` });
    expect(await by(['updatedAt', 'desc'])).toEqual(['Order bricks', 'Lay cable', 'Dig']);
    expect(await by('updatedAt:desc')).toEqual(['Order bricks', 'Lay cable', 'Dig']);
    expect(await by(['updatedAt', 'sideways'])).toEqual(['Dig', 'Lay cable', 'Order bricks']);
    expect(await by(['project', 'desc'], ['subject', 'desc'])).toEqual([
      'Dig',
      'Order bricks',
      'Lay cable',
    ]);
    expect(await refused('sortBy=[["weight"]]')).toEqual([
      400,
      invalidQuery,
      "Can't sort by column: weight",
    ]);
    expect(await refused('groupBy=status')).toEqual([400, invalidQuery, "Can't group by: status"]);
  });

  test('a number finds every id that contains it', async () => {
    const { id } = named['Lay cable']!;
    const paint = await app.given.workPackage(harbour, editor, 'Paint');
    const rows = app.running.services.db.write('work_packages');
    await rows
      .clone()
      .where({ id: paint.id })
      .update({ id: Number(`7${id}7`) });
    for (const words of [String(id), `#${id}`]) {
      const found = await subjects(where('typeahead', '**', words));
      expect(found).toEqual(expect.arrayContaining(['Lay cable', 'Paint']));
    }
    expect(await subjects(where('typeahead', '**', `#7${id}`))).toEqual(['Paint']);
    await rows
      .clone()
      .where({ id: Number(`7${id}7`) })
      .delete();
  });

  test('a caller who may view them but sees none gets an empty list', async () => {
    const { given } = app;
    const person = await given.member(await given.project(), ['view_work_packages']);
    expect((await list('', person)).body).toMatchObject({ total: 0, count: 0 });
    const blind = await given.member(depot, []);
    expect((await list('', blind)).status).toBe(403);
  });

  test('an unknown status is refused; a filter of states takes no values', async () => {
    expect((await refused(where('status', '=', '999'))).slice(0, 2)).toEqual([400, invalidQuery]);
    const state = (operator: string) =>
      subjects(`filters=${encodeURIComponent(JSON.stringify([{ status: { operator } }]))}`);
    expect(await state('c')).toEqual(['Order bricks']);
    expect(await state('o')).toEqual(['Lay cable', 'Dig']);
    expect(await state('*')).toEqual(all);
  });

  test('a file is found in every storage, but only where the caller views file links', async () => {
    expect(await subjects(where('file_link_origin_id', '=', '112'))).toEqual([
      'Lay cable',
      'Order bricks',
    ]);
    expect(await subjects(where('fileLinkOriginId', '=', 113))).toEqual([]);
  });

  test('a storage is named by its id or its address, in any spelling', async () => {
    const origin = 'https://cloud.example.test/files';
    for (const [name, value] of [
      ['id', String(storage.id)],
      ['id', storage.id],
      ['url', origin],
      ['url', `${origin}/`],
      ['url', encodeURIComponent(origin)],
    ] as const) {
      expect(await subjects(where(`storage_${name}`, '=', value))).toEqual(['Lay cable']);
      expect(await subjects(where(`linkable_to_storage_${name}`, '=', value))).toEqual([
        'Lay cable',
        'Order bricks',
      ]);
    }
    expect(await subjects(where('storage_id', '=', '999'))).toEqual([]);
    expect(await subjects(where('linkable_to_storage_url', '=', 'https://x.test'))).toEqual([]);
    // Elsewhere "!" acts like "=": it is refused.
    for (const name of ['storage_id', 'linkable_to_storage_id', 'file_link_origin_id'])
      expect((await refused(where(name, '!', storage.id))).slice(0, 2)).toEqual([
        400,
        invalidQuery,
      ]);
  });

  test.each([
    ['a wildcard', '%'],
    ['another wildcard', '_'],
    ['a quote', "' or 1=1 --"],
    ['a double quote', '"a" OR "b'],
    ['a backslash', '\\'],
    ['text from right to left', '\u202eابجد'],
    ['a lone surrogate in JSON', '\ud800'],
  ])('a search for %s finds nothing, or is refused', async (_, words) => {
    const { status, body } = await list(where('typeahead', '**', words));
    expect([status, body.total ?? body.errorIdentifier]).toEqual(
      words.isWellFormed() ? [200, 0] : [400, invalidQuery],
    );
  });

  test('page 1,000,000,000 is empty, in every list', async () => {
    for (const path of [
      'work_packages',
      `projects/${depot.id}/work_packages`,
      'work_packages/available_projects',
      'projects',
      'notifications',
      'memberships',
    ]) {
      const answer = await app.get(`/api/v3/${path}?offset=1000000000&pageSize=-1`, editor);
      expect([path, answer.status, answer.body.count]).toEqual([path, 200, 0]);
    }
  });

  test('a project is named by its identifier in every address and link, and its links do what they say', async () => {
    const operations = operationsOf(contractOf(profile).document).filter(([name]) =>
      name.includes('/projects/{id}'),
    );
    expect(operations.length).toBeGreaterThan(5);
    for (const [name] of operations) {
      const [method, path] = name.split(' ') as [string, string];
      const answers = [depot.id, depot.identifier].map(async (named) => {
        const { status, body } = await app.request(
          method,
          `/api/v3${path.replace('{id}', String(named))}`,
          { as: editor, ...(method === 'POST' && { json: { subject: 'Named' } }) },
        );
        return { status, body: withoutOwn(body) };
      });
      const [byId, byIdentifier] = await Promise.all(answers);
      expect([name, byIdentifier]).toEqual([name, byId]);
      expect(byId!.status).toBeLessThan(300);
    }
    const made = await app.post('/api/v3/work_packages', editor, {
      subject: 'Named',
      _links: { project: { href: `/api/v3/projects/${depot.identifier}` } },
    });
    expect([made.status, made.body._links.project.href]).toEqual([
      201,
      `/api/v3/projects/${depot.id}`,
    ]);
    const { createWorkPackage, createWorkPackageImmediately } = (
      await app.get(`/api/v3/projects/${depot.identifier}`, editor)
    ).body._links;
    const form = await app.post(createWorkPackage.href, editor, { subject: 'New' });
    expect([form.status, form.body._type]).toEqual([200, 'Form']);
    const created = await app.post(createWorkPackageImmediately.href, editor, { subject: 'Named' });
    expect([created.status, created.body._type]).toEqual([201, 'WorkPackage']);
    await app.running.services.db.write('work_packages').where({ subject: 'Named' }).delete();
  });

  test.each<[string, string, object, string[]]>([
    ['POST', '/work_packages', { subject: 'New' }, ['project']],
    ['POST', '/work_packages/form', {}, ['project', 'type', 'status', 'assignee', 'responsible']],
    ['POST', '/storages', { name: 'New' }, ['type', 'origin', 'authenticationMethod']],
    ['POST', '/file_links', {}, ['storage', 'storageUrl']],
    ['POST', '/projects/{id}/work_packages', {}, ['type', 'status', 'attachments', 'fileLinks']],
    ['POST', '/work_packages/{id}/activities', {}, ['attachments']],
    ['PATCH', '/work_packages/{id}', { subject: '' }, ['attachments', 'fileLinks']],
  ])(
    '%s %s answers a link without a target as an absent one',
    async (method, template, body, links) => {
      const admin = await app.given.user({ admin: true });
      const id = template.startsWith('/projects') ? depot.id : named['Lay cable']!.id;
      const send = async (_links: object) => {
        const whole =
          template === '/file_links'
            ? { _embedded: { elements: [{ originData: { id: '1', name: 'a' }, _links }] } }
            : { ...body, _links };
        const answer = await app.request(method, `/api/v3${template.replace('{id}', String(id))}`, {
          as: template === '/storages' ? admin : editor,
          json: whole,
        });
        return { status: answer.status, body: answer.body };
      };
      const absent = await send({});
      if (!template.endsWith('/form')) expect(absent.status).toBe(422);
      for (const link of links) {
        expect([link, await send({ [link]: { href: null } })]).toEqual([link, absent]);
        expect([link, await send({ [link]: null })]).toEqual([link, absent]);
      }
    },
  );

  describe('the form of a new work package', () => {
    const form = (path: string, body: unknown, person = editor) =>
      app.post(`/api/v3/${path}/form`, person, body);
    const rows = async () =>
      (await app.running.services.db.read('work_packages').count({ total: '*' }))[0];

    test('without members names what is missing, and leads to no creation', async () => {
      const { status, body } = await form('work_packages', {});
      expect([status, Object.keys(body._embedded.validationErrors).sort()]).toEqual([
        200,
        ['project', 'subject', 'type'],
      ]);
      expect(body._links.commit).toBeUndefined();
    });

    test('leads to the creation only for those who may edit work packages, and stores nothing', async () => {
      const before = await rows();
      const commitOf = async (project: { id: number }) => {
        const { body } = await form(`projects/${project.id}/work_packages`, { subject: 'New' });
        expect(body._embedded.validationErrors).toEqual({});
        return body._links.commit;
      };
      expect(await commitOf(depot)).toEqual({
        href: `/api/v3/projects/${depot.id}/work_packages`,
        method: 'post',
      });
      expect(await commitOf(harbour)).toBeUndefined();
      expect(await rows()).toEqual(before);
    });

    test('is refused as the creation is: 403, 404, and 400 for a body that is no JSON', async () => {
      const reader = await app.given.member(depot, ['view_work_packages']);
      const path = `projects/${depot.id}/work_packages`;
      expect((await form(path, {}, reader)).status).toBe(403);
      expect((await form(path, {}, await app.given.user())).status).toBe(404);
      const broken = await app.request('POST', `/api/v3/${path}/form`, {
        as: editor,
        headers: { 'content-type': 'application/json' },
        body: '{',
      });
      expect([broken.status, broken.body.errorIdentifier]).toEqual([
        400,
        `urn:${profile.urnWord}:api:v3:errors:InvalidRequestBody`,
      ]);
    });
  });
});
