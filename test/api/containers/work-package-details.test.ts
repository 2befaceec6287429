/** Description, status, type and people of a work package: written and read over REST and GraphQL. */
import { profiles } from '../../../src/contract/profiles.js';
import { startApp, type App } from '../../support/app.js';
import { errorBody } from '../../support/expected.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

interface Named {
  id: number;
  name: string;
}

const CREATE =
  'mutation ($input: CreateWorkPackageInput!) { done: createWorkPackage(input: $input) { workPackage { ...W } } }';
const UPDATE =
  'mutation ($input: UpdateWorkPackageInput!) { done: updateWorkPackage(input: $input) { workPackage { ...W } } }';
const SHOWN =
  'fragment W on WorkPackage { databaseId subject lockVersion description { raw } status { name color isClosed isDefault } type { name color isDefault } assignee { name } responsible { name } }';

describe.each(Object.values(profiles))('in the $name profile', (profile) => {
  let app: App;
  let depot: Named;
  let editor: Person;
  let member: Person;
  let stranger: Person;
  let locked: Person;
  let done: Named;
  let bug: Named;
  let foreign: Named;
  beforeAll(async () => {
    app = await startApp({ API_PROFILE: profile.name });
    const { given } = app;
    depot = await given.project({ name: 'Depot' });
    editor = await given.member(
      depot,
      ['view_work_packages', 'add_work_packages', 'edit_work_packages'],
      { firstName: 'Ed', lastName: 'Ito' },
    );
    member = await given.member(depot, [], { firstName: 'Mia', lastName: 'Ray' });
    locked = await given.member(depot, ['view_work_packages'], { status: 'locked' });
    stranger = await given.user();
    done = await given.status('Done', { isClosed: true, color: '#00AA00' });
    bug = await given.type('Bug', { color: '#CC0000' });
    foreign = await given.type('Epic');
    await given.projectTypes(depot, [{ id: 1 }, bug]);
  });
  afterAll(() => app.stop());

  const link = (segment: string, id: number) => ({ href: `/api/v3/${segment}/${id}` });
  const nobody = { href: null };
  /** What REST shows of the details. */
  const ofRest = ({ description, lockVersion, _links }: any) => ({
    description: description.raw,
    lockVersion,
    ...Object.fromEntries(
      ['status', 'type', 'assignee', 'responsible'].map((name) => [name, _links[name]]),
    ),
  });
  const titled = (segment: string, { id, name }: Named) => ({
    ...link(segment, id),
    title: name,
  });
  const over = async (query: string, input: object) =>
    app.graphql(`${query} ${SHOWN}`, { input }, editor);
  const create = async (body: object) =>
    app.post(`/api/v3/projects/${depot.id}/work_packages`, editor, { subject: 'Dig', ...body });

  test('a new work package has the default status and type, and nobody', async () => {
    const { status, body } = await create({});
    expect([status, ofRest(body)]).toEqual([
      201,
      {
        description: '',
        lockVersion: 0,
        status: { href: '/api/v3/statuses/1', title: 'New' },
        type: { href: '/api/v3/types/1', title: 'Task' },
        assignee: nobody,
        responsible: nobody,
      },
    ]);
  });

  test('each detail is written over REST, alone and with all others, and lockVersion counts', async () => {
    const all = {
      description: { raw: 'Two *metres*' },
      _links: {
        status: link('statuses', done.id),
        type: link('types', bug.id),
        assignee: link('users', member.id),
        responsible: link('users', editor.id),
      },
    };
    const expected = {
      description: 'Two *metres*',
      status: titled('statuses', done),
      type: titled('types', bug),
      assignee: titled('users', member),
      responsible: titled('users', editor),
    };
    const made = (await create(all)).body;
    expect(ofRest(made)).toEqual({ ...expected, lockVersion: 0 });
    const { id } = (await create({})).body;
    const path = `/api/v3/work_packages/${id}`;
    let shown = ofRest((await app.get(path, editor)).body);
    const changes: [object, object][] = [
      [{ description: all.description }, { description: expected.description }],
      ...(['status', 'type', 'assignee', 'responsible'] as const).map((name): [object, object] => [
        { _links: { [name]: all._links[name] } },
        { [name]: expected[name] },
      ]),
      [
        { _links: { assignee: nobody, responsible: nobody } },
        { assignee: nobody, responsible: nobody },
      ],
      [{ description: { raw: '' } }, { description: '' }],
    ];
    for (const [body, change] of changes) {
      const answer = await app.patch(path, editor, { lockVersion: shown.lockVersion, ...body });
      shown = { ...shown, ...change, lockVersion: shown.lockVersion + 1 };
      expect([answer.status, ofRest(answer.body)]).toEqual([200, shown]);
      expect(ofRest((await app.get(path, editor)).body)).toEqual(shown);
    }
    const stale = await app.patch(path, editor, {
      lockVersion: shown.lockVersion - 1,
      _links: { assignee: link('users', member.id) },
    });
    expect(stale.status).toBe(409);
    expect(ofRest((await app.get(path, editor)).body)).toEqual(shown);
  });

  test('all details are written over GraphQL, and lockVersion counts', async () => {
    const details = {
      description: 'Deep',
      statusId: String(done.id),
      typeId: String(bug.id),
      assigneeId: String(member.id),
      responsibleId: String(editor.id),
    };
    const shown = {
      databaseId: expect.any(Number),
      subject: 'Dig',
      lockVersion: 0,
      description: { raw: 'Deep' },
      status: { name: 'Done', color: '#00AA00', isClosed: true, isDefault: false },
      type: { name: 'Bug', color: '#CC0000', isDefault: false },
      assignee: { name: 'Mia Ray' },
      responsible: { name: 'Ed Ito' },
    };
    const made = await over(CREATE, { projectId: String(depot.id), subject: 'Dig', ...details });
    expect(made.data).toEqual({ done: { workPackage: shown } });
    const plain = await over(CREATE, { projectId: String(depot.id), subject: 'Dig' });
    const { databaseId } = plain.data.done.workPackage;
    const id = String(databaseId);
    const changed = await over(UPDATE, { id, lockVersion: 0, ...details });
    expect(changed.data).toEqual({ done: { workPackage: { ...shown, lockVersion: 1 } } });
    const freed = await over(UPDATE, { id, assigneeId: null, responsibleId: null });
    expect(freed.data.done.workPackage).toEqual({
      ...shown,
      lockVersion: 2,
      assignee: null,
      responsible: null,
    });
  });

  const notAllowed = (name: string) =>
    `The chosen user is not allowed to be '${name}' for this work package.`;
  const wrong: [what: string, attribute: string, input: () => [object, object], message: string][] =
    [
      ...(['assignee', 'responsible'] as const).flatMap(
        (name): [string, string, () => [object, object], string][] => {
          const title = name === 'assignee' ? 'Assignee' : 'Responsible';
          const given = (id: number): [object, object] => [
            { _links: { [name]: link('users', id) } },
            { [`${name}Id`]: String(id) },
          ];
          return [
            [`a stranger as ${name}`, name, () => given(stranger.id), notAllowed(title)],
            [`a locked member as ${name}`, name, () => given(locked.id), notAllowed(title)],
            [`nobody known as ${name}`, name, () => given(999_999), `${title} does not exist.`],
          ];
        },
      ),
      [
        'an unknown status',
        'status',
        () => [{ _links: { status: link('statuses', 999) } }, { statusId: '999' }],
        'Status does not exist.',
      ],
      [
        'an unknown type',
        'type',
        () => [{ _links: { type: link('types', 999) } }, { typeId: '999' }],
        'Type does not exist.',
      ],
      [
        'a type that the project does not have',
        'type',
        () => [{ _links: { type: link('types', foreign.id) } }, { typeId: String(foreign.id) }],
        'Type is not set to one of the allowed values.',
      ],
      [
        'a long description',
        'description',
        () => [{ description: { raw: 'x'.repeat(65_537) } }, { description: 'x'.repeat(65_537) }],
        'Description is too long (maximum is 65536 characters).',
      ],
      [
        'NUL in the description',
        'description',
        () => [{ description: { raw: 'a\0' } }, { description: 'a\0' }],
        'Description must not contain NUL or broken characters.',
      ],
    ];
  test.each(wrong)(
    '%s is refused with 422, and nothing changes',
    async (_, attribute, input, message) => {
      const made = (await create({})).body;
      const path = `/api/v3/work_packages/${made.id}`;
      const [rest, graph] = input();
      const refused = {
        status: 422,
        body: errorBody('PropertyConstraintViolation', message, attribute, profile.urnWord),
      };
      const total = async () =>
        (await app.get(`/api/v3/projects/${depot.id}/work_packages?filters=[]`, editor)).body.total;
      const before = await total();
      expect(await create(rest)).toMatchObject(refused);
      expect(await app.patch(path, editor, { lockVersion: 0, ...rest })).toMatchObject(refused);
      for (const answer of [
        await over(CREATE, { projectId: String(depot.id), subject: 'Dig', ...graph }),
        await over(UPDATE, { id: String(made.id), ...graph }),
      ])
        expect(answer).toMatchObject({
          data: null,
          errors: [
            {
              message,
              extensions: { code: 'PROPERTY_CONSTRAINT_VIOLATION', status: 422, attribute },
            },
          ],
        });
      expect(ofRest((await app.get(path, editor)).body)).toEqual(ofRest(made));
      expect(await total()).toBe(before);
    },
  );
});
