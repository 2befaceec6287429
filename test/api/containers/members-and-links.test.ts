/** Members and links that clients of the interface need, and who sees the details of an account, in both profiles. */
import { importDirectory } from '../../../src/actions/people/directory/import-directory.js';
import { BadDirectory } from '../../../src/actions/people/directory/import-directory.js';
import { profiles } from '../../../src/contract/profiles.js';
import { startApp, type App } from '../../support/app.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

describe.each(Object.values(profiles))('in the $name profile', (profile) => {
  let app: App;
  let project: { id: number; identifier: string };
  let admin: Person;
  let mia: Person;
  let rob: Person;
  let workPackage: ContainerHandle;
  beforeAll(async () => {
    app = await startApp({ API_PROFILE: profile.name });
    const { given } = app;
    project = await given.project();
    const may = ['view_work_packages', 'add_work_packages', 'edit_work_packages'];
    admin = await given.user({ admin: true });
    mia = await given.member(project, may);
    rob = await given.member(project, may);
    workPackage = await given.container('WorkPackage', project, mia);
  });
  afterAll(() => app.stop());

  const get = async (path: string, as: Person | undefined = mia) => {
    const { status, body } = await app.get(path, as);
    expect([path, status]).toEqual([path, 200]);
    return body;
  };

  test('a work package has no ancestors', async () => {
    expect((await get(workPackage.path))._links.ancestors).toEqual([]);
  });

  test('the categories of a project are an empty list, for those who see it', async () => {
    const { href } = (await get(`/api/v3/projects/${project.id}`))._links.categories;
    const list = {
      _type: 'Collection',
      total: 0,
      count: 0,
      _embedded: { elements: [] },
      _links: { self: { href } },
    };
    expect(await get(href)).toEqual(list);
    expect(await get(`/api/v3/projects/${project.identifier}/categories`)).toEqual(list);
    expect((await app.get(href, await app.given.user())).status).toBe(404);
  });

  test('the root leads to the memberships, and each to its schema', async () => {
    const { href } = (await get('/api/v3'))._links.memberships;
    const [membership] = (await get(href))._embedded.elements;
    const schema = await get(membership._links.schema.href);
    expect(schema.roles).toEqual({
      type: '[]Role',
      name: 'Roles',
      required: true,
      hasDefault: false,
      writable: false,
      location: '_links',
    });
    const own = ['_type', '_links'];
    const described = Object.keys(schema).filter((name) => !name.startsWith('_'));
    expect(described.sort()).toEqual(
      [...Object.keys(membership), 'project', 'principal', 'roles']
        .filter((name) => !own.includes(name))
        .sort(),
    );
  });

  test('the form leads to a preview of Markdown', async () => {
    const form = await app.post(`/api/v3/projects/${project.id}/work_packages/form`, mia, {});
    const { href, method } = form.body._links.previewMarkup;
    const render = (text: string | Uint8Array, type = 'text/plain; charset=utf-8', query = '') =>
      app.request(method.toUpperCase(), href + query, {
        as: mia,
        body: text,
        ...(type && { headers: { 'content-type': type, accept: 'text/html' } }),
      });
    const answer = await render('*a* <script>b</script>');
    expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([
      200,
      'text/html; charset=utf-8',
      '<p><em>a</em> &lt;script&gt;b&lt;/script&gt;</p>',
    ]);
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    expect((await render('a', undefined, '?context=/api/v3/projects/1')).text).toBe('<p>a</p>');
    expect((await render('')).text).toBe('');
    expect((await render('{}', 'application/json')).status).toBe(415);
    const broken = await render(Uint8Array.of(0xff));
    expect([broken.status, broken.body.errorIdentifier]).toEqual([
      400,
      `urn:${profile.urnWord}:api:v3:errors:InvalidRequestBody`,
    ]);
  });

  const details = ['login', 'firstName', 'lastName', 'status', 'email', 'identityUrl'];
  const shown = (user: object) => [...details, 'admin'].filter((name) => Object.hasOwn(user, name));
  const everything = [...details, 'admin'];
  const seen: [viewer: string, () => Person, other: string[], self: string[]][] = [
    [
      'a member',
      () => rob,
      profile.hidesAccounts ? [] : everything,
      profile.hidesAccounts ? details : everything,
    ],
    ['an administrator', () => admin, everything, everything],
  ];

  test.each(seen)(
    '%s sees of an account what the profile says, embedded too',
    async (_, viewer, other, self) => {
      const as = viewer();
      const { id } = await app.given.attachment({ container: workPackage, author: mia });
      const embedded = await get(`/api/v3/attachments/${id}`, as);
      const people = [await get(`/api/v3/users/${mia.id}`, as), embedded._embedded.author];
      for (const user of people) {
        expect(shown(user)).toEqual(other);
        expect(user).toMatchObject({ id: mia.id, name: expect.any(String), avatar: '' });
      }
      expect(shown(await get('/api/v3/users/me', as))).toEqual(self);
      expect(shown(await get(`/api/v3/users/${as.id}`, as))).toEqual(self);
    },
  );

  test('the people of other documents show as little', async () => {
    const list = await get(`/api/v3/projects/${project.id}/available_assignees`, rob);
    const other = list._embedded.elements.find(({ id }: { id: number }) => id === mia.id);
    expect(shown(other)).toEqual(profile.hidesAccounts ? [] : everything);
    const { id } = await app.given.notification(rob, workPackage, mia);
    const { actor } = (await get(`/api/v3/notifications/${id}`, rob))._embedded;
    expect(shown(actor)).toEqual(profile.hidesAccounts ? [] : everything);
  });

  test('colors of the directory are shown as six digits; what is no color is refused', async () => {
    const take = (...colors: (string | null)[]) =>
      importDirectory(app.running.services, async function* () {
        const statuses = colors.map((color, at) => ({ name: `S${at}`, color }));
        const types = colors.map((color, at) => ({ name: `T${at}`, color }));
        yield Buffer.from(JSON.stringify({ statuses, types }));
      });
    await take('red', '#0fA', '#1a67a3', '#11223344', '#abcd', 'RebeccaPurple', null);
    const expected = ['#FF0000', '#00FFAA', '#1A67A3', '#112233', '#AABBCC', '#663399', null];
    for (const list of ['statuses', 'types']) {
      const elements: { name: string; color: string | null }[] = (await get(`/api/v3/${list}`))
        ._embedded.elements;
      expect(
        elements.filter(({ name }) => /^[ST]\d$/.test(name)).map(({ color }) => color),
      ).toEqual(expected);
    }
    for (const color of ['reddish', '#12', '#12345', '#ggg', 'constructor'])
      await expect(take(color)).rejects.toThrow(BadDirectory);
  });
});
