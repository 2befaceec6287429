/**
 * Sends every operation something that it does not have. It is refused by its name, or it is in the list below of what
 * is ignored, with the reason.
 */
import { profiles } from '../../../src/contract/profiles.js';
import { startApp, type App } from '../../support/app.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { contractOf, operationsOf, type Operation } from '../../support/openapi.js';

interface Parameter {
  name: string;
  in: string;
}

/** What is ignored. Deployed clients rely on each of these. */
const ignored = {
  'unknown members of a body, and unknown links':
    'clients send whole resources back as they read them',
  'members that only the service writes, such as the times': 'the same',
  '`select`': 'the answer has all members, so it has those that were asked for',
  '`offset` and `pageSize` that are no numbers': 'they mean the first page, and its usual size',
  '`offset` and `pageSize` of a list without pages': 'it is whole, so it has what was asked for',
  'a direction of an order that is not `desc`': 'it means `asc`',
};

describe.each(Object.values(profiles))('in the $name profile', (profile) => {
  let app: App;
  let project: { id: number; identifier: string };
  let editor: Person;
  let workPackage: ContainerHandle;
  beforeAll(async () => {
    app = await startApp({ API_PROFILE: profile.name });
    const { given } = app;
    project = await given.project();
    editor = await given.member(project, [
      'view_work_packages',
      'add_work_packages',
      'edit_work_packages',
      'add_work_package_comments',
      'view_internal_comments',
      'view_file_links',
      'manage_file_links',
    ]);
    workPackage = await given.container('WorkPackage', project, editor);
  });
  afterAll(() => app.stop());

  const invalidQuery = `urn:${profile.urnWord}:api:v3:errors:InvalidQuery`;
  const operations = operationsOf(contractOf(profile).document) as [
    string,
    Operation & { parameters?: Parameter[] },
  ][];
  const send = (name: string, query: string) => {
    const [method, template] = name.split(' ') as [string, string];
    const path = `/api/v3${template === '/' ? '' : template.replaceAll(/\{\w+\}/g, '1')}`;
    return app.request(method, `${path}?${query}`, { as: editor, redirect: 'manual' });
  };
  const queryOf = ({ parameters = [] }: { parameters?: Parameter[] }) =>
    parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const refusal = ({ status, body }: { status: number; body: any }) => [
    status,
    body?.errorIdentifier,
    body?._embedded?.details?.attribute,
  ];

  test.each(operations)(
    '%s refuses an unknown query parameter, and one that is given twice',
    async (name, operation) => {
      expect(refusal(await send(name, 'weight=1'))).toEqual([400, invalidQuery, 'weight']);
      expect(refusal(await send(name, '=1'))).toEqual([400, invalidQuery, 'base']);
      const known = queryOf(operation);
      for (const parameter of known) {
        const given = await send(name, `${parameter}=`);
        expect(given.body?.message).not.toBe(`The query parameter '${parameter}' does not exist.`);
        expect(refusal(await send(name, `${parameter}=1&${parameter}=1`))).toEqual([
          400,
          invalidQuery,
          parameter,
        ]);
      }
      for (const parameter of ['filters', 'sortBy', 'groupBy', 'showSums', 'pageSize', 'notify'])
        if (!known.includes(parameter))
          expect(refusal(await send(name, `${parameter}=true`))).toEqual([
            400,
            invalidQuery,
            parameter,
          ]);
    },
  );

  const having = (parameter: string) =>
    operations
      .filter(([, operation]) => queryOf(operation).includes(parameter))
      .map(([name]) => name);

  /** A filter of each list, with an operator and values that it has. */
  const filters: { [name: string]: [filter: string, operator: string, ...values: unknown[]] } = {
    'GET /work_packages': ['assignee', '=', 'me'],
    'GET /projects/{id}/work_packages': ['assignee', '=', 'me'],
    'GET /work_packages/available_projects': ['active', '=', 't'],
    'GET /projects': ['active', '=', 't'],
    'GET /notifications': ['readIAN', '=', 't'],
    'POST /notifications/read_ian': ['readIAN', '=', 't'],
    'POST /notifications/unread_ian': ['readIAN', '=', 't'],
    'GET /memberships': ['role', '=', '1'],
    'GET /project_storages': ['storageId', '=', '1'],
    'GET /work_packages/{id}/file_links': ['storage', '=', '1'],
  };

  test.each(having('filters'))(
    '%s refuses an unknown filter, operator, value and member',
    async (name) => {
      const by = async (filter: string, condition: object) =>
        send(name, `filters=${encodeURIComponent(JSON.stringify([{ [filter]: condition }]))}`);
      const wrong = [400, invalidQuery, 'filters'];
      expect(refusal(await by('weight', { operator: '=', values: ['1'] }))).toEqual(wrong);
      const [filter, operator, ...values] = filters[name] ?? [];
      // Lists of storages have no filters.
      if (filter === undefined) return expect(name).toBe('GET /storages');
      expect((await by(filter, { operator, values })).status).toBeLessThan(300);
      expect(refusal(await by(filter, { operator: '≈', values }))).toEqual(wrong);
      const unknown = await by(filter, { operator, values: ['x y'] });
      // A storage that does not exist is no error: then no row matches.
      if (filter.startsWith('storage'))
        expect([unknown.status, unknown.body.total]).toEqual([200, 0]);
      else expect(refusal(unknown)).toEqual(wrong);
      expect(refusal(await by(filter, { operator, values: [] }))).toEqual(wrong);
      expect(refusal(await by(filter, { operator, values, weight: 1 }))).toEqual(wrong);
    },
  );

  test.each(having('sortBy'))('%s refuses an unknown column, and too many orders', async (name) => {
    const by = (...orders: unknown[]) =>
      send(name, `sortBy=${encodeURIComponent(JSON.stringify(orders))}`);
    const wrong = [400, invalidQuery, 'sortBy'];
    expect(refusal(await by(['weight', 'asc']))).toEqual(wrong);
    expect(refusal(await by(['id'], ['id'], ['id'], ['id']))).toEqual(wrong);
    expect((await by(['id', 'sideways'])).status).toBe(200);
    if (/project/.test(name) && !name.endsWith('work_packages'))
      expect(refusal(await by(['name', 'asc'], ['id', 'asc']))).toEqual(wrong);
  });

  test.each(having('pageSize'))('%s takes a text for the first page', async (name) => {
    const { status, body } = await send(name, 'offset=x&pageSize=many');
    // Lists without pages are whole.
    if (body.pageSize === undefined) return expect(body.count).toBe(body.total);
    const usual = name.endsWith('/file_links') && profile.wholeFileLinks ? 1000 : 20;
    expect([status, body.offset, body.pageSize]).toEqual([200, 1, usual]);
  });

  test('sums and groups of work packages are refused, unless none are asked for', async () => {
    const list = (query: string) => send('GET /work_packages', query);
    expect(refusal(await list('showSums=true'))).toEqual([400, invalidQuery, 'showSums']);
    expect(refusal(await list('groupBy=status'))).toEqual([400, invalidQuery, 'groupBy']);
    expect((await list('showSums=false&groupBy=&select=total')).status).toBe(200);
  });

  test('a flag is true or false', async () => {
    const sent = await app.post(`${workPackage.path}/activities?notify=no`, editor, {
      comment: 'x',
    });
    expect(refusal(sent)).toEqual([400, invalidQuery, 'notify']);
  });

  describe('a work package', () => {
    const state = async () =>
      (await app.get(workPackage.path, editor)).body as { lockVersion: number };
    const linked = (name: string, href: string | null) => ({ _links: { [name]: { href } } });

    test.each<[string, object]>([
      ['parent', linked('parent', '/api/v3/work_packages/1')],
      ['version', linked('version', '/api/v3/versions/1')],
      ['priority', linked('priority', '/api/v3/priorities/1')],
      ['category', linked('category', '/api/v3/categories/1')],
      ['customField7', linked('customField7', '/api/v3/custom_options/1')],
      ['customField8', { customField8: 'red' }],
      ['startDate', { startDate: '2026-11-26' }],
      ['estimatedTime', { estimatedTime: 'PT1H' }],
      ['percentageDone', { percentageDone: 50 }],
      ['scheduleManually', { scheduleManually: true }],
    ])(
      'with %s is refused by that name, in a creation, a change and a form',
      async (name, body) => {
        const before = await state();
        const list = `/api/v3/projects/${project.id}/work_packages`;
        const whole = { subject: 'New', ...body };
        for (const answer of [
          await app.post(list, editor, whole),
          await app.patch(workPackage.path, editor, whole),
        ])
          expect([answer.status, answer.body._embedded.details.attribute]).toEqual([422, name]);
        const form = await app.post(`${list}/form`, editor, whole);
        expect([form.status, Object.keys(form.body._embedded.validationErrors)]).toEqual([
          200,
          [name],
        ]);
        expect(form.body._links.commit).toBeUndefined();
        expect(await state()).toEqual(before);
      },
    );

    test('takes the same members without a value', async () => {
      const empty = {
        subject: 'New',
        startDate: null,
        scheduleManually: false,
        _links: { parent: { href: null }, version: null, customField7: [] },
      };
      const { status } = await app.patch(workPackage.path, editor, empty);
      expect(status).toBe(200);
    });

    test('stays in its project: its own is accepted by id and identifier, others are refused', async () => {
      const other = await app.given.project();
      await app.given.membership(editor, other, ['view_work_packages', 'add_work_packages']);
      const before = await state();
      for (const name of [other.id, other.identifier, 99_999])
        expect(
          refusal(
            await app.patch(
              workPackage.path,
              editor,
              linked('project', `/api/v3/projects/${name}`),
            ),
          ),
        ).toEqual([422, expect.stringMatching('PropertyConstraintViolation'), 'project']);
      expect(await state()).toEqual(before);
      for (const name of [project.id, project.identifier]) {
        const { status } = await app.patch(
          workPackage.path,
          editor,
          linked('project', `/api/v3/projects/${name}`),
        );
        expect(status).toBe(200);
      }
      const blank = await app.patch(workPackage.path, editor, linked('project', null));
      expect([blank.status, blank.body.message]).toEqual([422, "Project can't be blank."]);
    });

    test('can be sent back as it was read', async () => {
      const read = await state();
      const { status, body } = await app.patch(workPackage.path, editor, read);
      expect([status, body.lockVersion]).toEqual([200, read.lockVersion + 1]);
    });
  });

  test('a comment can be sent back as it was read, and stays internal or not', async () => {
    for (const internal of [true, false]) {
      const comment = await app.given.comment(workPackage, editor, { internal });
      const path = `/api/v3/activities/${comment.id}`;
      const { body: read } = await app.get(path, editor);
      expect((await app.patch(path, editor, read)).status).toBe(200);
      expect(refusal(await app.patch(path, editor, { internal: !internal }))).toEqual([
        422,
        expect.stringMatching('PropertyConstraintViolation'),
        'internal',
      ]);
    }
  });

  test(`these are ignored: ${Object.keys(ignored).join('; ')}`, async () => {
    const { status, body } = await app.post(
      `/api/v3/projects/${project.id}/work_packages`,
      editor,
      {
        subject: 'New',
        weight: 7,
        createdAt: '2001-01-01T00:00:00.000Z',
        _links: { weigher: { href: '/api/v3/users/1' } },
      },
    );
    expect([status, body.weight, body._links.weigher]).toEqual([201, undefined, undefined]);
    expect(body.createdAt).not.toMatch(/^2001/);
  });
});
