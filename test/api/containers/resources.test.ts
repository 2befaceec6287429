/** The root, the configuration, users and the other targets of links. */
import { version } from '../../../src/contract/version.js';
import { startApp, type App } from '../../support/app.js';
import {
  TIME,
  collectionOf,
  defaultDetails,
  errorBody,
  notFound,
  userBody,
} from '../../support/expected.js';
import { kinds, type ContainerHandle, type Kind, type Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

let app: App;
let project: { id: number; name: string; identifier: string };
let author: Person;
let viewer: Person;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  project = await app.given.project();
  author = await app.given.user({ firstName: 'Tom', lastName: 'Fen', email: 'tom@example.test' });
  viewer = await app.given.member(project, [
    'view_work_packages',
    'view_meetings',
    'view_messages',
    'view_wiki_pages',
  ]);
  admin = await app.given.user({
    admin: true,
    firstName: 'Ada',
    lastName: 'Admin',
    email: 'ada@example.test',
  });
});
afterAll(() => app.stop());

describe('the root and the configuration', () => {
  const lists = {
    workPackages: { href: '/api/v3/work_packages' },
    statuses: { href: '/api/v3/statuses' },
    types: { href: '/api/v3/types' },
  };
  const notifications = { href: '/api/v3/notifications' };
  const root = (person: { id: number; name: string }, more: object = {}) => ({
    _type: 'Root',
    instanceName: 'Moorage',
    _links: {
      self: { href: '/api/v3', title: 'Moorage' },
      configuration: { href: '/api/v3/configuration' },
      projects: { href: '/api/v3/projects' },
      memberships: { href: '/api/v3/memberships' },
      ...more,
      user: { href: `/api/v3/users/${person.id}`, title: person.name },
    },
  });

  test('the root names the caller and the lists, and shows the version to administrators', async () => {
    expect((await app.get('/api/v3', viewer)).body).toEqual(
      root(viewer, { ...lists, notifications }),
    );
    expect((await app.get('/api/v3/', admin)).body).toEqual({
      ...root(admin, { ...lists, notifications }),
      coreVersion: version,
    });
  });

  test('the root names the anonymous user, but not in the openproject profile', async () => {
    const anonymous = (await app.get('/api/v3/users/me', undefined)).body;
    expect((await app.get('/api/v3', undefined)).body).toEqual(root(anonymous));
    const vendor = await startApp({ API_PROFILE: 'openproject' });
    try {
      const { user: _user, ..._links } = root(anonymous)._links;
      expect((await vendor.get('/api/v3', undefined)).body).toEqual({ ...root(anonymous), _links });
      const person = await vendor.given.user();
      expect((await vendor.get('/api/v3', person)).body).toEqual(root(person, { notifications }));
    } finally {
      await vendor.stop();
    }
  });

  test('set-up scripts of existing clients find a page and a version that they recognize', async () => {
    const vendor = await startApp({ API_PROFILE: 'openproject' });
    try {
      const front = await vendor.request('GET', '/');
      expect([
        front.status,
        front.headers.get('content-type'),
        front.text.includes('<title>Moorage</title>'),
      ]).toEqual([200, 'text/html; charset=utf-8', true]);
      // These scripts compare text.
      expect(
        (await vendor.get('/api/v3', await vendor.given.user({ admin: true }))).body.coreVersion >=
          '16.0.0',
      ).toBe(true);
    } finally {
      await vendor.stop();
    }
  });

  test('the configuration is visible to anonymous users', async () => {
    const { status, body } = await app.get('/api/v3/configuration');
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        _type: 'Configuration',
        maximumAttachmentFileSize: 5_242_880,
        perPageOptions: [20, 100],
        hostName: new URL(app.url).host,
        dateFormat: null,
        timeFormat: null,
        startOfWeek: null,
        activeFeatureFlags: [],
        _links: { self: { href: '/api/v3/configuration' } },
      },
    });
  });

  test('an unknown path answers 404 with a HAL body, a wrong method 405 with the allowed ones', async () => {
    for (const path of ['/api/v3/nothing', '/api/v3/attachments/1/nothing', '/nothing'])
      expect(await app.get(path, viewer)).toMatchObject({ status: 404, body: notFound });
    const { status, body, headers } = await app.request('PUT', '/api/v3/attachments/1', {
      as: viewer,
      json: {},
    });
    expect({ status, body, allow: headers.get('allow') }).toEqual({
      status: 405,
      body: errorBody('MethodNotAllowed', 'This resource does not support the method.'),
      allow: 'GET, DELETE, HEAD',
    });
    expect((await app.request('PATCH', '/api/v3/users/me', { as: viewer, json: {} })).status).toBe(
      405,
    );
    // "prepare" is not an attachment id: that path only accepts POST.
    for (const method of ['GET', 'HEAD', 'DELETE']) {
      const answer = await app.request(method, '/api/v3/attachments/prepare', { as: viewer });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
      const upload = await app.request(method, '/api/v3/storages/1/files/prepare_upload', {
        as: viewer,
      });
      expect([upload.status, upload.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test('OPTIONS names exactly the methods of a path', async () => {
    for (const [path, allow] of [
      ['attachments/prepare', 'POST'],
      ['storages/1/files/prepare_upload', 'POST'],
      ['users/me', 'GET, HEAD'],
      ['attachments/1/uploaded', 'GET'],
      ['attachments/1', 'GET, DELETE, HEAD'],
      ['work_packages/1', 'GET, PATCH, HEAD'],
    ] as const) {
      const { status, headers, text } = await app.request('OPTIONS', `/api/v3/${path}`);
      expect({ path, status, allow: headers.get('allow'), text }).toEqual({
        path,
        status: 200,
        allow,
        text: '',
      });
    }
  });

  test('a DELETE with a body of another type answers 415 only where DELETE is allowed', async () => {
    const send = async (path: string) =>
      (
        await app.request('DELETE', `/api/v3/${path}`, {
          as: viewer,
          body: 'x',
          headers: { 'content-type': 'text/plain' },
        })
      ).status;
    expect([
      await send('attachments/1'),
      await send('attachments'),
      await send('attachments/prepare'),
      await send('nothing'),
    ]).toEqual([415, 405, 405, 404]);
  });

  test('a trailing slash is accepted', async () => {
    expect((await app.get('/api/v3/users/me/', viewer)).body.id).toBe(viewer.id);
  });
});

describe('users', () => {
  test('users/me is the caller, with the e-mail address', async () => {
    expect((await app.get('/api/v3/users/me', admin)).body).toEqual(
      userBody(admin, { admin: true, email: 'ada@example.test' }),
    );
  });

  test('users see each other without e-mail addresses; administrators see the addresses', async () => {
    expect((await app.get(`/api/v3/users/${author.id}`, viewer)).body).toEqual(userBody(author));
    expect((await app.get(`/api/v3/users/${author.id}`, admin)).body).toEqual(
      userBody(author, { email: 'tom@example.test' }),
    );
    expect((await app.get(`/api/v3/users/${author.id}`, author)).body.email).toBe(
      'tom@example.test',
    );
    expect((await app.get('/api/v3/users/99999', viewer)).body).toEqual(notFound);
  });

  test('anonymous users see only the users named in public projects', async () => {
    await app.given.role(['view_wiki_pages'], 'Anonymous');
    const open = await app.given.project({ isPublic: true });
    const [member, writer, uploader, outsider] = [
      await app.given.member(open, ['view_wiki_pages']),
      await app.given.user(),
      await app.given.user(),
      await app.given.user(),
    ];
    const page = await app.given.wikiPage(open, writer);
    await app.given.attachment({ container: page, author: uploader });
    const answers = await Promise.all(
      [member, writer, uploader, outsider, author].map(
        async ({ id }) => (await app.get(`/api/v3/users/${id}`)).status,
      ),
    );
    expect(answers).toEqual([200, 200, 200, 404, 404]);
    const me = await app.get('/api/v3/users/me');
    expect({ status: me.status, name: me.body.name, login: me.body.login }).toEqual({
      status: 200,
      name: 'Anonymous',
      login: 'anonymous',
    });
    expect((await app.get(me.body._links.self.href)).status).toBe(200);
  });
});

describe('projects', () => {
  test('a member sees the project; the link to create work packages needs the permission', async () => {
    const own = {
      _type: 'Project',
      id: project.id,
      identifier: project.identifier,
      name: project.name,
      public: false,
      active: true,
      createdAt: TIME,
      updatedAt: TIME,
    };
    const self = { href: `/api/v3/projects/${project.id}`, title: project.name };
    const seen = {
      self,
      categories: { href: `${self.href}/categories` },
      workPackages: { href: `${self.href}/work_packages` },
      types: { href: `${self.href}/types` },
      memberships: {
        href: `/api/v3/memberships?filters=${encodeURIComponent(`[{"project":{"operator":"=","values":["${project.id}"]}}]`)}`,
      },
      parent: { href: null },
    };
    expect((await app.get(self.href, viewer)).body).toEqual({ ...own, _links: seen });
    expect((await app.get(self.href, admin)).body).toEqual({
      ...own,
      _links: {
        ...seen,
        createWorkPackage: { href: `${self.href}/work_packages/form`, method: 'post' },
        createWorkPackageImmediately: { href: `${self.href}/work_packages`, method: 'post' },
        storages: [],
        projectStorages: {
          href: `/api/v3/project_storages?filters=${encodeURIComponent(`[{"projectId":{"operator":"=","values":["${project.id}"]}}]`)}`,
        },
      },
    });
    for (const person of [author, undefined])
      expect((await app.get(self.href, person)).body).toEqual(notFound);
  });
});

describe.each(kinds)('a %s', (kind: Kind) => {
  let container: ContainerHandle;
  let workPackage: ContainerHandle;
  beforeAll(async () => {
    workPackage = await app.given.workPackage(project, author, 'Order bricks');
    container =
      kind === 'Activity'
        ? await app.given.comment(workPackage, author, { text: 'The **red** <i>ones</i>' })
        : await app.given.container(kind, project, author);
  });

  const expected = (may: { add: boolean; edit: boolean; comment: boolean; link: boolean }) => {
    const { id, title, path, attachments } = container;
    const links = {
      self: { href: path, ...(title !== null && { title }) },
      attachments: { href: attachments },
      ...(may.add && { addAttachment: { href: attachments, method: 'post' } }),
      project: { href: `/api/v3/projects/${project.id}`, title: project.name },
    };
    const user = { href: `/api/v3/users/${author.id}`, title: author.name };
    const _embedded = { attachments: collectionOf(attachments, []) };
    switch (kind) {
      case 'WorkPackage':
        return {
          _type: kind,
          id,
          subject: title,
          description: { format: 'markdown', raw: '', html: '' },
          lockVersion: 0,
          createdAt: TIME,
          updatedAt: TIME,
          _embedded,
          _links: {
            ...links,
            ...defaultDetails,
            author: user,
            ancestors: [],
            activities: { href: `${path}/activities` },
            ...(may.comment && { addComment: { href: `${path}/activities`, method: 'post' } }),
            ...(may.link && {
              fileLinks: { href: `${path}/file_links` },
              addFileLink: { href: `${path}/file_links`, method: 'post' },
            }),
            ...(may.edit && { updateImmediately: { href: path, method: 'patch' } }),
          },
        };
      case 'Activity':
        return {
          _type: 'Activity::Comment',
          id,
          comment: {
            format: 'markdown',
            raw: 'The **red** <i>ones</i>',
            html: '<p>The <strong>red</strong> &lt;i&gt;ones&lt;/i&gt;</p>',
          },
          details: [],
          internal: false,
          createdAt: TIME,
          updatedAt: TIME,
          _embedded,
          _links: {
            ...links,
            workPackage: { href: workPackage.path, title: 'Order bricks' },
            user,
            ...(may.edit && { update: { href: path, method: 'patch' } }),
          },
        };
      case 'Post':
        return { _type: kind, id, subject: title, _links: links };
      default:
        return { _type: kind, id, title, _links: links };
    }
  };

  test('is shown in full, with the links that the caller can follow', async () => {
    expect((await app.get(container.path, viewer)).body).toEqual(
      expected({ add: kind === 'Activity', edit: false, comment: false, link: false }),
    );
    expect((await app.get(container.path, admin)).body).toEqual(
      expected({ add: true, edit: true, comment: true, link: true }),
    );
  });

  test('hidden and missing ones answer exactly the same 404', async () => {
    const hidden = await app.get(container.path, author);
    const missing = await app.get(container.path.replace(/\d+$/, '99999'), author);
    expect({ status: hidden.status, body: hidden.body }).toEqual({ status: 404, body: notFound });
    expect(hidden.bytes.equals(missing.bytes)).toBe(true);
  });

  test('all its GET links resolve', async () => {
    await app.given.attachment({ container, author });
    for (const person of [viewer, admin]) {
      const { body } = await app.get(container.path, person);
      const list = (await app.get(container.attachments, person)).body;
      const single = (await app.get(list._embedded.elements[0]._links.self.href, person)).body;
      const links = [
        body,
        list,
        single,
        ...list._embedded.elements,
        single._embedded.author,
        single._embedded.container,
      ].flatMap(({ _links }: any) => Object.values<any>(_links).flat());
      for (const { href, method } of links)
        if (href !== null && method === undefined)
          expect({ href, status: (await app.get(href, person)).status }).toEqual({
            href,
            status: 200,
          });
    }
  });
});

describe('the history of a work package', () => {
  test('activities are listed oldest first, each with its attachments', async () => {
    const workPackage = await app.given.workPackage(project, author, 'History');
    const [first, second] = [
      await app.given.comment(workPackage, author, { text: 'first' }),
      await app.given.comment(workPackage, author, { text: 'second' }),
    ];
    await app.given.attachment({ container: second, author, fileName: 'a.txt' });
    const { status, body } = await app.get(`${workPackage.path}/activities`, viewer);
    expect({ status, self: body._links.self.href, total: body.total, count: body.count }).toEqual({
      status: 200,
      self: `${workPackage.path}/activities`,
      total: 2,
      count: 2,
    });
    expect(
      body._embedded.elements.map((activity: any) => [
        activity.id,
        activity.comment.raw,
        activity._embedded.attachments.total,
      ]),
    ).toEqual([
      [first.id, 'first', 0],
      [second.id, 'second', 1],
    ]);
    expect(body._embedded.elements[1]).toEqual((await app.get(second.path, viewer)).body);
  });
});
