/** Filters by texts, times, people and trees of projects over REST, and long pages, in both profiles. */
import { profiles } from '../../../src/contract/profiles.js';
import { importDirectory } from '../../../src/actions/people/directory/import-directory.js';
import { startApp, type App } from '../../support/app.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

const where = (name: string, operator: string, values: unknown) =>
  `filters=${encodeURIComponent(JSON.stringify([{ [name]: { operator, values } }]))}`;
const DAY = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();

describe.each(Object.values(profiles))('in the $name profile', (profile) => {
  let app: App;
  let port: { id: number };
  let quay: { id: number };
  let crane: { id: number };
  let hidden: { id: number };
  let other: { id: number; identifier: string };
  let editor: Person;
  let mia: Person;
  const named: { [subject: string]: ContainerHandle } = {};
  beforeAll(async () => {
    app = await startApp({ API_PROFILE: profile.name });
    const { given } = app;
    port = await given.project({ name: 'Port', identifier: 'port', isPublic: true });
    quay = await given.project({ name: 'Quay', identifier: 'north-quay', parent: port });
    hidden = await given.project({ name: 'Hidden', identifier: 'hidden', parent: port });
    crane = await given.project({ name: 'Crane', identifier: 'crane', parent: hidden });
    other = await given.project({ name: 'Other', identifier: 'other', active: false });
    const may = ['view_work_packages', 'add_work_packages', 'edit_work_packages'];
    editor = await given.member(port, may);
    for (const project of [quay, crane, other]) await given.membership(editor, project, may);
    mia = await given.member(port, may);
    const add = async (
      project: { id: number },
      author: Person,
      subject: string,
      details: object = {},
    ) => {
      named[subject] = await given.workPackage(project, author, subject, details);
    };
    await add(port, editor, 'Lay cable', {
      descriptionText: 'From hall B\nto the **Straße** of gravel',
      createdAt: ago(0),
      updatedAt: ago(0),
      responsibleId: mia.id,
    });
    await add(quay, mia, 'Order gravel', { createdAt: ago(3), updatedAt: ago(0) });
    await add(crane, editor, 'Paint crane', { createdAt: ago(10), updatedAt: ago(3) });
    await add(other, mia, 'Ökonomie', { createdAt: ago(40), updatedAt: ago(40) });
    await given.workPackage(hidden, mia, 'Secret gravel');
    const { write } = app.running.services.db;
    for (const [project, days] of [
      [port, 100],
      [quay, 3],
    ] as const)
      await write('projects')
        .where({ id: project.id })
        .update({ created_at: ago(days) });
  });
  afterAll(() => app.stop());

  const found = async (path: string, query: string): Promise<string[]> => {
    const { status, body } = await app.get(`/api/v3/${path}?${query}`, editor);
    expect([status, body.message]).toEqual([200, undefined]);
    return body._embedded.elements.map(
      ({ subject, name }: { subject?: string; name?: string }) => subject ?? name,
    );
  };
  const refused = async (path: string, query: string) => {
    const { status, body } = await app.get(`/api/v3/${path}?${query}`, editor);
    expect([status, body.errorIdentifier]).toEqual([
      400,
      `urn:${profile.urnWord}:api:v3:errors:InvalidQuery`,
    ]);
  };
  const [lay, order, paint, economy] = ['Lay cable', 'Order gravel', 'Paint crane', 'Ökonomie'];

  test.each<[string, string, unknown, string[]]>([
    ['search', '**', 'gravel', [lay, order]],
    ['search', '**', ['HALL B to the **strasse'], [lay]],
    ['search', '**', ['hall B to the strasse'], []],
    ['search', '**', ['hall b to  the **STRA'], [lay]],
    ['search', '**', '%', []],
    ['search', '**', 'x', []],
    ['search', '**', 'll', [lay]],
    ['typeahead', '**', 'gravel', [order]],
    ['subjectOrId', '**', 'ORDER', [order]],
    ['subject', '=', ['lay cable', 'okonomie'], [lay, economy]],
    ['subject', '!', ['lay cable', 'okonomie'], [order, paint]],
    ['subject', '~', 'cRa', [paint]],
    ['subject', '!~', 'e', []],
    ['responsible', '*', null, [lay]],
    ['responsible', '!*', null, [order, paint, economy]],
    ['createdAt', 't', null, [lay]],
    ['createdAt', '>t-', ['3'], [lay, order]],
    ['createdAt', 't-', 3, [order]],
    ['createdAt', '<t-', ['4'], [paint, economy]],
    ['createdAt', '<t-', ['3'], [order, paint, economy]],
    ['updatedAt', '>t-', ['1'], [lay, order]],
    ['createdAt', '<>d', [ago(20), ago(2)], [order, paint]],
    ['createdAt', '<>d', ['', ago(2)], [order, paint, economy]],
    ['createdAt', '<>d', [ago(2), ''], [lay]],
    ['createdAt', '=d', [ago(3).slice(0, 10)], [order]],
  ])('work packages are found by %s %s %j', async (name, operator, values, expected) => {
    expect(await found('work_packages', where(name, operator, values))).toEqual(expected);
  });

  test('they are found by their number, by people, and by this week', async () => {
    const { id } = named[paint]!;
    const list = (...filter: [string, string, unknown]) => found('work_packages', where(...filter));
    expect(await list('subjectOrId', '**', String(id))).toEqual([paint]);
    expect(await list('author', '=', ['me'])).toEqual([lay, paint]);
    expect(await list('author', '!', [String(editor.id)])).toEqual([order, economy]);
    expect(await list('responsible', '=', [String(mia.id)])).toEqual([lay]);
    expect(await list('responsible', '!', [String(mia.id)])).toEqual([order, paint, economy]);
    expect(await list('createdAt', 'w', [])).toContain(lay);
    expect(await list('createdAt', 'w', [])).not.toContain(paint);
  });

  test.each<[string, string, string, unknown]>([
    ['work_packages', 'search', '=', 'x'],
    ['work_packages', 'search', '**', 'x'.repeat(1001)],
    ['work_packages', 'subject', '**', 'x'],
    ['work_packages', 'subject', '~', ['x', 'y']],
    ['work_packages', 'subject', '=', Array.from({ length: 21 }, String)],
    ['work_packages', 'author', '*', null],
    ['work_packages', 'author', '=', ['999999']],
    ['work_packages', 'createdAt', '=', ['2026-01-01']],
    ['work_packages', 'createdAt', '>t-', ['-1']],
    ['work_packages', 'createdAt', '<>d', ['', '']],
    ['work_packages', 'createdAt', '<>d', ['yesterday', '']],
    ['work_packages', 'updatedAt', '=d', ['2026-13-01']],
    ['projects', 'public', '=', ['yes']],
    ['projects', 'id', '!', ['999999']],
    ['projects', 'nameAndIdentifier', '**', ['x']],
    ['projects', 'createdAt', 't-', ['x']],
  ])('%s refuse %s %s %j', async (path, name, operator, values) => {
    await refused(path, where(name, operator, values));
  });

  test('a project has the work packages of the projects below it, seen or not', async () => {
    const tree = [lay, order, paint];
    expect(await found('work_packages', where('project', '=', [port.id]))).toEqual(tree);
    expect(await found('work_packages', where('project', '!', [port.id]))).toEqual([economy]);
    expect(await found('work_packages', where('project', '=', [quay.id, other.id]))).toEqual([
      order,
      economy,
    ]);
    const list = `projects/${port.id}/work_packages`;
    expect(await found(list, 'filters=[]')).toEqual(tree);
    expect(await found(list, where('project', '=', [quay.id, other.id]))).toEqual([order]);
    expect(await found(list, where('project', '!', [quay.id]))).toEqual([lay, paint]);
    expect(await found(`projects/${crane.id}/work_packages`, 'filters=[]')).toEqual([paint]);
    const { write } = app.running.services.db;
    await write('projects').where({ id: port.id }).update({ parent_id: crane.id });
    expect(await found(list, 'filters=[]')).toEqual(tree);
    await write('projects').where({ id: port.id }).update({ parent_id: null });
  });

  test.each<[string, string, unknown, string[]]>([
    ['active', '=', 't', ['Crane', 'Port', 'Quay']],
    ['active', '!', 't', ['Other']],
    ['public', '=', 't', ['Port']],
    ['public', '!', ['t'], ['Crane', 'Other', 'Quay']],
    ['nameAndIdentifier', '=', ['QUAY'], ['Quay']],
    ['nameAndIdentifier', '=', ['north-quay', 'port'], ['Port', 'Quay']],
    ['nameAndIdentifier', '!', ['north-quay', 'port'], ['Crane', 'Other']],
    ['nameAndIdentifier', '~', 'th-q', ['Quay']],
    ['nameAndIdentifier', '!~', 'r', ['Quay'].filter(() => false)],
    ['createdAt', '<t-', ['50'], ['Port']],
    ['createdAt', 't-', ['3'], ['Quay']],
  ])('projects are found by %s %s %j', async (name, operator, values, expected) => {
    expect(await found('projects', where(name, operator, values))).toEqual(expected);
  });

  test('projects are found without some', async () => {
    expect(await found('projects', where('id', '!', [port.id, other.id]))).toEqual([
      'Crane',
      'Quay',
    ]);
  });

  test('the search follows the description of a work package', async () => {
    const list = (text: string) => found('work_packages', where('search', '**', text));
    const { body } = await app.post(`/api/v3/projects/${port.id}/work_packages`, editor, {
      subject: 'Bolts',
      description: { raw: 'Sixty hexagons' },
    });
    const path = body._links.self.href as string;
    expect(await list('hexagons')).toEqual(['Bolts']);
    expect(await list('bolts')).toEqual(['Bolts']);
    await app.patch(path, editor, { description: { raw: 'Sixty octagons' } });
    expect([await list('hexagons'), await list('octagons')]).toEqual([[], ['Bolts']]);
    await app.patch(path, editor, { subject: 'Screws' });
    expect(await list('octagons')).toEqual(['Screws']);
    await app.patch(path, editor, { description: null });
    expect(await list('octagons')).toEqual([]);
    await app.patch(path, editor, { description: { raw: 'octagons' } });
    const deleted = await app.graphql(
      'mutation ($id: ID!) { deleteWorkPackage(input: { id: $id }) { deletedWorkPackageId } }',
      { id: String(body.id) },
      await app.given.user({ admin: true }),
    );
    expect(deleted.errors).toBeUndefined();
    expect(await list('octagons')).toEqual([]);
  });

  test('the search follows the directory', async () => {
    const imports = (description: string) =>
      importDirectory(app.running.services, async function* () {
        yield Buffer.from(
          JSON.stringify({
            users: [{ login: 'ida', firstName: 'Ida', lastName: 'Ray' }],
            projects: [
              {
                identifier: 'yard',
                name: 'Yard',
                public: true,
                workPackages: [{ ref: 'y1', subject: 'Yard', author: 'ida', description }],
              },
            ],
          }),
        );
      });
    const admin = await app.given.user({ admin: true });
    const list = async (text: string) =>
      (await app.get(`/api/v3/work_packages?${where('search', '**', text)}`, admin)).body.total;
    await imports('Nine pontoons');
    expect(await list('pontoons')).toBe(1);
    await imports('Nine barges');
    await imports('Nine barges');
    expect([await list('pontoons'), await list('barges')]).toEqual([0, 1]);
    await imports('');
    expect(await list('barges')).toBe(0);
  });

  test('a page has up to 1,000 rows, in their order, and says how many', async () => {
    const many = await app.given.project({ name: 'Many' });
    const person = await app.given.member(many, ['view_work_packages']);
    const first = await app.given.workPackage(many, person, 'W');
    const { write } = app.running.services.db;
    const [row] = (await write('work_packages').where({ id: first.id })) as object[];
    const { id: _, ...columns } = row as { id: number };
    for (let at = 0; at < 5; at += 1)
      await write('work_packages').insert(Array.from({ length: 101 }, () => columns));
    const read = async (query: string) => {
      const { body } = await app.get(`/api/v3/work_packages?filters=[]&${query}`, person);
      const ids: number[] = body._embedded.elements.map(({ id }: { id: number }) => id);
      return { total: body.total, count: body.count, pageSize: body.pageSize, ids };
    };
    const all = await read('pageSize=-1');
    expect([all.total, all.count, all.pageSize, new Set(all.ids).size]).toEqual([
      506, 506, 1000, 506,
    ]);
    expect(all.ids).toEqual(all.ids.toSorted((a, b) => a - b));
    for (const size of [201, 250, 400, 506])
      for (let page = 1; page <= 4; page += 1) {
        const ids = all.ids.slice((page - 1) * size, page * size);
        expect(await read(`pageSize=${size}&offset=${page}`)).toEqual({
          total: 506,
          count: ids.length,
          pageSize: size,
          ids,
        });
      }
    const backwards = await read('pageSize=300&offset=2&sortBy=[["id","desc"]]');
    expect(backwards.ids).toEqual(all.ids.toReversed().slice(300));
  });
});
