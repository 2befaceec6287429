import { storageTypes, type StorageType } from '../../../src/storages/types.js';
import { containerKinds, containerTypes } from '../../../src/contract/container-kinds.js';
import { profiles } from '../../../src/contract/profiles.js';
import { restRouter } from '../../../src/rest/index.js';
import { schema } from '../../../src/graphql/schema.js';
import { version } from '../../../src/contract/version.js';
import {
  startApp,
  startBeside,
  type Answer,
  type App,
  type RequestOptions,
  type UploadOptions,
} from '../../support/app.js';
import { startFileServer, type FileServer } from '../../../demo/servers/file-server.js';
import { serveFake, type FakeServer } from '../../../demo/servers/http-server.js';
import { kinds, type ContainerHandle, type Person } from '../../support/factories.js';
import { finalized, prepare, uploaded } from '../../support/direct-upload.js';
import { png, SET_AVATAR } from '../../support/images.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { ask, head } from '../../support/raw.js';
import { freshBucket, s3Environment } from '../../support/rgw.js';
import {
  contractOf,
  descriptionOf,
  escaped,
  operationsOf,
  type Description,
} from '../../support/openapi.js';

/** Without a store, its answers are skipped here. The tests of the store report the reason. */
const remoteStore = process.env['MOORAGE_TEST_S3_ENDPOINT'] !== undefined;

interface Sample {
  method: string;
  path: string;
  answer: Answer;
}

/**
 * Members that depend on the caller, with the type of their document if it differs. All other members are always
 * present.
 */
const optional = [
  'delete',
  'addAttachment',
  'addComment',
  'updateImmediately',
  'update',
  'createWorkPackage',
  'createWorkPackageImmediate',
  'createWorkPackageImmediately',
  'commit',
  'workPackages',
  'types',
  'statuses',
  'notifications',
  '_links.readIAN',
  'unreadIAN',
  'activity',
  'groups',
  'Project.memberships',
  'Project.storages',
  'Project.projectStorages',
  'coreVersion',
  'fileLinks',
  'addFileLink',
  'originOpen',
  'originOpenLocation',
  'authorize',
  'OAuthApplication.integration',
  'projectFolder',
  'previousByOffset',
  'nextByOffset',
];
/**
 * The same for members that depend on a store with direct upload: the link, and the form, which only the store
 * defines.
 */
const optionalOfStore = [
  'prepareAttachment',
  'key',
  'bucket',
  'Content-Type',
  'success_action_status',
  'policy',
  'X-Amz-Algorithm',
  'X-Amz-Credential',
  'X-Amz-Date',
  'X-Amz-Signature',
];
/** Members that can be null or text. */
const nullable = [
  'color',
  'email',
  'identityUrl',
  'storageAudience',
  'tokenExchangeScope',
  'tenantId',
  'driveId',
];
/** Properties of files that can be unknown: text, or another type. */
const originMembers: { [name: string]: 'text' | 'other' } = {
  mimeType: 'text',
  createdByName: 'text',
  lastModifiedByName: 'text',
  size: 'other',
  createdAt: 'other',
  lastModifiedAt: 'other',
};
/** Links whose href can be null. */
const nullableLinks = ['openWithConnectionEnsured', 'allowedValues'];

/** Real answers of every operation and of every refusal that a client can cause. */
async function samplesOf(app: App): Promise<Sample[]> {
  const samples: Sample[] = [];
  const keep = (method: string, path: string, answer: Answer) =>
    void samples.push({ method, path, answer });
  const take = async (method: string, path: string, options: RequestOptions = {}) =>
    keep(method, path, await app.request(method, path, options));
  const upload = async (path: string, options: UploadOptions = {}) =>
    keep('POST', path, await app.upload(path, options));

  const { given } = app;
  const project = await given.project();
  const editor = await given.member(
    project,
    [
      'view_work_packages',
      'add_work_packages',
      'edit_work_packages',
      'add_work_package_comments',
      'view_internal_comments',
      'view_meetings',
      'edit_meetings',
      'view_messages',
      'edit_messages',
      'view_wiki_pages',
      'edit_wiki_pages',
    ],
    { email: 'mia@example.org' },
  );
  const viewer = await given.member(project, [
    'view_work_packages',
    'view_meetings',
    'view_messages',
    'view_wiki_pages',
  ]);
  const admin = await given.user({ admin: true });

  for (const [path, as] of [
    ['/api/v3', undefined],
    ['/api/v3', admin],
    ['/api/v3/configuration', editor],
    ['/api/v3/users/me', undefined],
    ['/api/v3/users/me', editor],
    [`/api/v3/users/${editor.id}`, viewer],
    [`/api/v3/users/${editor.id}`, admin],
    [`/api/v3/projects/${project.id}`, editor],
    [`/api/v3/projects/${project.id}`, admin],
    [`/api/v3/projects/${project.id}`, viewer],
    ['/api/v3/spec.json', undefined],
  ] as const)
    await take('GET', path, { as });

  await sampleLists(app, take, { project, editor, viewer });
  const noticed = await app.given.workPackage(project, viewer);
  await sampleNotifications(app, take, { workPackage: noticed, editor, viewer });

  for (const kind of kinds) {
    const container = await given.container(kind, project, editor);
    await upload(container.attachments, { as: editor, description: 'ground <floor>' });
    const attachment = await given.attachment({ container, author: editor });
    for (const as of [editor, viewer])
      for (const path of [
        container.path,
        container.attachments,
        `${container.attachments}/archive`,
        `/api/v3/attachments/${attachment.id}`,
      ])
        await take('GET', path, { as });
  }

  await upload('/api/v3/attachments', { as: editor });
  const unclaimed = samples.at(-1)!.answer.body;
  await take('GET', unclaimed._links.self.href, { as: editor });
  const content = unclaimed._links.downloadLocation.href;
  for (const headers of [
    {},
    { range: 'bytes=1-3' },
    { range: 'bytes=90-' },
    { 'if-none-match': '*' },
    { 'if-match': '"0"' },
  ] as { [name: string]: string }[])
    await take('GET', content, { as: editor, headers });
  await take('HEAD', content, { as: editor });
  // Links that a browser without a session opens. `fetch` would send a mode of its own.
  const archives = containerTypes.map(
    (type) => `/api/v3/${containerKinds[type].segment}/2147483647/attachments/archive`,
  );
  for (const path of [content, ...archives]) {
    const navigation = { 'Sec-Fetch-Mode': 'navigate', Accept: 'text/html' };
    const opened = await ask(app, head('GET', path, { headers: navigation }));
    keep('GET', path, {
      ...opened,
      headers: new Headers(opened.headers),
      bytes: Buffer.from(opened.text),
    });
  }
  await app.graphqlUpload(SET_AVATAR, { id: String(editor.id) }, png(), editor);
  await take('GET', `/api/v3/users/${editor.id}/avatar`, { as: editor });
  await take('GET', `/api/v3/users/${editor.id}/avatar`, {
    as: editor,
    headers: { 'if-none-match': '*' },
  });
  await take(
    'GET',
    `/api/v3/attachments/${(await given.attachment({ author: editor, status: 'quarantined' })).id}/content`,
    { as: editor },
  );
  await take(
    'GET',
    `/api/v3/attachments/${(await given.attachment({ author: editor, status: 'prepared' })).id}`,
    { as: editor },
  );
  await take('DELETE', unclaimed._links.self.href, { as: editor });

  await take('POST', '/api/v3/work_packages', {
    as: editor,
    json: {
      subject: 'Order bricks',
      _links: { project: { href: `/api/v3/projects/${project.id}` } },
    },
  });
  const workPackage = samples.at(-1)!.answer.body._links;
  await take('POST', `/api/v3/projects/${project.id}/work_packages`, {
    as: editor,
    json: { subject: 'Order wood' },
  });
  await take('PATCH', workPackage.self.href, {
    as: editor,
    json: { subject: 'Order more bricks' },
  });
  await take('PATCH', workPackage.self.href, { as: editor, json: { lockVersion: 9 } });
  await upload(workPackage.attachments.href, { as: editor });
  await take('POST', workPackage.activities.href, {
    as: editor,
    json: { comment: { raw: '*done*' }, internal: true },
  });
  await take('PATCH', samples.at(-1)!.answer.body._links.self.href, {
    as: editor,
    json: { comment: 'not yet' },
  });
  await take('GET', workPackage.activities.href, { as: editor });
  await take('GET', samples.at(-1)!.answer.body._embedded.elements[0]._links.self.href, {
    as: editor,
  });

  await take('GET', '/api/v3/attachments/99999', { as: editor });
  await take('GET', '/api/v3/nowhere', { as: editor });
  await take('GET', '/api/v3/', { headers: { authorization: 'Bearer wrong' } });
  await take('GET', '/api/v3', { headers: { 'x-long': 'x'.repeat(20_000) } });
  await take('PUT', '/api/v3/attachments', { as: editor });
  await take('OPTIONS', '/api/v3/configuration');
  await take('POST', workPackage.activities.href, { as: viewer, json: { comment: 'mine' } });
  await take('POST', workPackage.activities.href, { as: editor, json: [] });
  await take('POST', workPackage.activities.href, { as: editor });
  await take('POST', workPackage.activities.href, {
    as: editor,
    body: 'comment',
    headers: { 'content-type': 'text/plain' },
  });
  await take('POST', workPackage.activities.href, { as: editor, json: {} });
  await upload('/api/v3/attachments', { as: editor, fileName: '', description: 7 });
  const { write } = app.running.services.db;
  await write.schema.renameTable('posts', 'gone');
  await take('GET', '/api/v3/posts/1', { as: admin });
  await write.schema.renameTable('gone', 'posts');
  return samples;
}

/** Notifications that are read and unread, with and without an activity. */
async function sampleNotifications(
  { given }: App,
  take: (method: string, path: string, options?: RequestOptions) => Promise<void>,
  { workPackage, editor, viewer }: { workPackage: ContainerHandle; editor: Person; viewer: Person },
): Promise<void> {
  const list = '/api/v3/notifications';
  const comment = await given.comment(workPackage, editor);
  const change = await given.comment(workPackage, editor, { system: true });
  const ids: number[] = [];
  for (const columns of [
    { activityId: comment.id },
    { activityId: change.id, read: true },
    { read: true },
  ])
    ids.push((await given.notification(viewer, workPackage, editor, columns)).id);
  await take('GET', list);
  for (const query of ['', '?pageSize=1', '?pageSize=1&offset=2', '?groupBy=reason'])
    await take('GET', list + query, { as: viewer });
  await take('GET', `${list}?groupBy=project`, { as: viewer });
  await take('GET', `${list}?groupBy=actor`, { as: viewer });
  for (const id of ids) await take('GET', `${list}/${id}`, { as: viewer });
  await take('GET', `${list}/${ids[0]}`, { as: editor });
  for (const action of ['read_ian', 'unread_ian']) {
    await take('POST', `${list}/${ids[0]}/${action}`, { as: viewer });
    await take('POST', `${list}/${ids[0]}/${action}`, { as: editor });
    await take('POST', `${list}/${action}`, { as: viewer });
    await take('POST', `${list}/${action}`);
    await take('POST', `${list}/${action}?filters=x`, { as: viewer });
  }
}

/** Lists, statuses, types and forms, with and without what can be absent. */
async function sampleLists(
  app: App,
  take: (method: string, path: string, options?: RequestOptions) => Promise<void>,
  { project, editor, viewer }: { project: { id: number }; editor: Person; viewer: Person },
): Promise<void> {
  const { given } = app;
  const open = await given.project({ isPublic: true });
  const hidden = await given.project();
  const { body: memberships } = await app.get('/api/v3/memberships', viewer);
  const [{ id: membership }] = memberships._embedded.elements;
  const below = await given.project({ isPublic: true, parent: hidden });
  const path = `/api/v3/projects/${project.id}`;
  for (const subject of ['Lay cable', 'Order bricks'])
    await given.workPackage(project, editor, subject, { assigneeId: editor.id });
  for (const [of, as] of [
    [`/api/v3/projects/${open.id}`, viewer],
    [`/api/v3/projects/${below.id}`, viewer],
    ['/api/v3/work_packages?pageSize=1', viewer],
    ['/api/v3/work_packages?pageSize=1&offset=2', editor],
    [`${path}/work_packages`, viewer],
    [`${path}/work_packages`, editor],
    ['/api/v3/work_packages/available_projects', editor],
    ['/api/v3/projects?pageSize=1', viewer],
    ['/api/v3/projects?pageSize=1&offset=2', editor],
    [`${path}/types`, viewer],
    [`${path}/available_assignees`, editor],
    ['/api/v3/memberships?pageSize=1', viewer],
    ['/api/v3/memberships?pageSize=1&offset=2', editor],
    [`/api/v3/memberships/${membership}`, viewer],
    ['/api/v3/roles', viewer],
    ['/api/v3/roles/3', viewer],
    ['/api/v3/memberships/schema', viewer],
    [`${path}/categories`, viewer],
    ['/api/v3/statuses', viewer],
    ['/api/v3/statuses/1', viewer],
    ['/api/v3/types', viewer],
    ['/api/v3/types/1', viewer],
  ] as const)
    await take('GET', of, { as });
  await take('POST', '/api/v3/render/markdown', {
    as: viewer,
    body: '*soon*',
    headers: { 'content-type': 'text/plain' },
  });
  for (const form of ['/api/v3/work_packages/form', `${path}/work_packages/form`])
    for (const json of [{}, { subject: 'Order nails' }])
      await take('POST', form, { as: editor, json });
}

/** The fake cloud: it knows every user, and answers correctly only for some drives. */
const serveCloud = () =>
  serveFake(({ path }, response) => {
    const status =
      { forbidden: 403, gone: 404, broken: 502 }[/^\/drives\/(\w+?)-/.exec(path)?.[1] ?? ''] ?? 200;
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(
        JSON.stringify(
          status === 200 ? { id: 'mia', webUrl: 'https://drive.example.test/sites/plans' } : {},
        ),
      );
  });

/** Every operation on storages, as all users who get different answers. */
async function storageSamplesOf(app: App, server: FileServer): Promise<Sample[]> {
  const samples: Sample[] = [];
  const take = async (
    method: string,
    path: string,
    options: RequestOptions = {},
    asked = app,
  ): Promise<any> => {
    const answer = await asked.request(method, path, options);
    samples.push({ method, path, answer });
    return answer.body;
  };
  const { given } = app;
  const project = await given.project();
  const member = await given.member(project, [
    'view_work_packages',
    'view_file_links',
    'manage_file_links',
  ]);
  const admin = await given.user({ admin: true });
  const { urnWord, name } = app.profile;
  const type = (of: StorageType) => ({
    href: `urn:${urnWord}:api:v3:storages:${storageTypes[of].names[name]}`,
  });

  const drive = await take('POST', '/api/v3/storages', {
    as: admin,
    json: { _links: { type: type('CloudDrive') } },
  });
  await take('PATCH', drive._links.self.href, {
    as: admin,
    json: { tenantId: 'consumers', driveId: 'b!0123456789abcdefgh' },
  });
  await take('POST', `${drive._links.self.href}/oauth_client_credentials`, {
    as: admin,
    json: { clientId: 'ours', clientSecret: 'secret' },
  });
  await take('GET', drive._links.self.href, { as: admin });
  const made = await take('POST', '/api/v3/storages', {
    as: admin,
    json: {
      name: 'Plans',
      storageAudience: 'files',
      tokenExchangeScope: 'openid files',
      _links: { type: type('SelfHostedFileServer'), origin: { href: server.url } },
    },
  });
  const {
    self: { href: path },
    oauthApplication,
    projectStorages,
  } = made._links;
  await take('GET', path, { as: admin });
  await take('GET', '/api/v3/storages?pageSize=1', { as: admin });
  await given.projectStorage(project, made);
  await take('POST', `${path}/oauth_client_credentials`, {
    as: admin,
    json: { clientId: 'ours', clientSecret: 'secret' },
  });
  const {
    _links: { oauthClientCredentials },
  } = await take('GET', path, { as: admin });
  await take('GET', path, { as: member });
  await take('GET', '/api/v3/storages?pageSize=1&offset=2', { as: admin });
  await take('GET', '/api/v3/storages', { as: member });
  for (const { href } of [oauthApplication, oauthClientCredentials])
    for (const as of [admin, member]) await take('GET', href, { as });
  await take('PATCH', path, {
    as: admin,
    json: {
      name: 'All plans',
      _links: {
        authenticationMethod: {
          href: `urn:${urnWord}:api:v3:storages:authenticationMethod:OAuth2SSO`,
        },
      },
    },
  });
  await take('GET', path, { as: member });
  for (const as of [undefined, admin, member]) await take('GET', `${path}/open`, { as });

  for (const folder of [{ mode: 'manual', folderId: '42' }, { mode: 'automatic' }] as const)
    await given.projectStorage(await given.project(), made, folder);
  await given.projectStorage(project, await given.storage());
  for (const list of ['/api/v3/project_storages', projectStorages.href]) {
    for (const {
      _links: { self, open },
    } of (await take('GET', list, { as: admin }))._embedded.elements)
      for (const { href } of [self, open]) await take('GET', href, { as: admin });
    await take('GET', list, { as: member });
  }

  const client = { id: 'ours', secret: 'secret' };
  server.user('mia');
  server.setClient({ ...client, redirectUri: 'https://moorage.example.test/' });
  for (const { accessToken } of [server.grant('mia'), { accessToken: 'wrong' }]) {
    // Another name of the same machine, because an origin can have only one storage.
    const connected = await given.storage({
      origin: `${server.url.replace('127.0.0.1', 'localhost')}/${accessToken === 'wrong' ? 'nowhere' : ''}`,
      client,
    });
    await given.projectStorage(project, connected);
    await given.storageTokens(member, connected, { accessToken });
    await take('GET', connected.path, { as: member });
  }
  for (const driveId of [
    'open-0123456789abcd',
    'forbidden-012345678',
    'gone-0123456789abcd',
    'broken-01234567890',
  ]) {
    const cloud = await given.storage({
      type: 'CloudDrive',
      driveId,
      tenantId: 'consumers',
      client,
    });
    await given.projectStorage(project, cloud);
    await take('GET', `${cloud.path}/open`, { as: member });
    await given.storageTokens(member, cloud, { accessToken: 'token' });
    await take('GET', `${cloud.path}/open`, { as: member });
    await take('GET', cloud.path, { as: member });
  }
  const other = await given.storage();
  await app.running.services.db
    .write('oauth_applications')
    .where('storage_id', other.id)
    .update({ storage_id: null });
  await take('GET', `/api/v3/oauth_applications/${other.application.id}`, { as: admin });
  await app.running.services.db
    .write('oauth_applications')
    .where('id', other.application.id)
    .update({ storage_id: other.id });

  const without = await startBeside(app, { CLOUD_DRIVE_ENABLED: 'false' });
  await take(
    'POST',
    '/api/v3/storages',
    { as: admin, json: { _links: { type: type('CloudDrive') } } },
    without,
  );
  await without.stop();
  await take('GET', '/api/v3/storages?offset=first', { as: admin });
  await take('GET', '/api/v3/project_storages?filters=x', { as: admin });
  await take('GET', '/api/v3/storages?filters=[{"name":{"operator":"=","values":["x"]}}]', {
    as: admin,
  });
  await take('POST', '/api/v3/storages', { as: member, json: {} });
  await take('POST', '/api/v3/storages', { as: admin, json: [] });
  await take('POST', '/api/v3/storages', {
    as: admin,
    body: 'a storage',
    headers: { 'content-type': 'text/plain' },
  });
  await take('POST', '/api/v3/storages', { as: admin });
  await take('POST', '/api/v3/storages', {
    as: admin,
    json: { _links: { type: type('SelfHostedFileServer') } },
  });
  await take('POST', '/api/v3/storages', {
    as: admin,
    json: {
      name: 'All plans',
      _links: { type: type('SelfHostedFileServer'), origin: { href: server.url } },
    },
  });
  await take('POST', `${path}/oauth_client_credentials`, { as: admin, json: {} });
  await take('DELETE', path, { as: member });
  await take('DELETE', path, { as: admin });
  await take('GET', path, { as: admin });
  return samples;
}

/** Every operation on file links and on the files of storages. */
async function fileSamplesOf(app: App, server: FileServer): Promise<Sample[]> {
  const samples: Sample[] = [];
  const take = async (method: string, path: string, options: RequestOptions = {}): Promise<any> => {
    const answer = await app.request(method, path, options);
    samples.push({ method, path, answer });
    return answer.body;
  };
  const { given } = app;
  const project = await given.project();
  const manager = await given.member(project, [
    'view_work_packages',
    'edit_work_packages',
    'view_file_links',
    'manage_file_links',
  ]);
  const reader = await given.member(project, ['view_work_packages', 'view_file_links']);
  const blind = await given.member(project, ['view_work_packages']);
  const workPackage = await given.workPackage(project, manager);
  const client = { id: 'links', secret: 'secret' };
  server.setClient({ ...client, redirectUri: 'https://moorage.example.test/' });
  const storage = await given.storage({ origin: server.url, client });
  await given.projectStorage(project, storage);
  await given.storageTokens(manager, storage, server.grant('mia'));
  const folder = String(server.folder('mia', '/Plans'));
  const [plan, hidden, gone] = ['plan.txt', 'hidden.txt', 'gone.txt'].map((name) =>
    String(server.file('mia', `/Plans/${name}`, { content: 'x', ctime: 1_700_000_000 })),
  ) as [string, string, string];
  const path = `${workPackage.path}/file_links`;
  const element = (id: string | number) => ({
    originData: { id, name: 'plan.txt' },
    _links: { storage: { href: storage.path } },
  });
  const made = await take('POST', path, {
    as: manager,
    json: { _embedded: { elements: [plan, hidden, gone].map(element) } },
  });
  server.hide(Number(hidden), 'mia');
  server.remove(Number(gone));
  for (const as of [manager, reader]) await take('GET', path, { as });
  await take('GET', `${path}?pageSize=1&offset=2`, { as: manager });
  await take('GET', path, { as: blind });
  await take('GET', `${path}?filters=x`, { as: manager });
  for (const json of [
    {},
    { _embedded: { elements: 42 } },
    { _embedded: { elements: [{}] } },
    { _embedded: { elements: [{}, {}] } },
  ])
    await take('POST', path, { as: manager, json });
  await take('POST', path, { as: reader, json: { _embedded: { elements: [element(plan)] } } });
  const [{ id }] = made._embedded.elements;
  for (const address of [
    `/api/v3/file_links/${id}`,
    `${path}/${id}`,
    '/api/v3/file_links/99999',
    `${path}/99999`,
  ])
    await take('GET', address, { as: manager });
  await take('GET', workPackage.path, { as: manager });
  const free = await take('POST', '/api/v3/file_links', {
    as: manager,
    json: { _embedded: { elements: [element(plan)] } },
  });
  await take('GET', free._embedded.elements[0]._links.self.href, { as: manager });
  for (const more of ['open', 'open?location=true', 'download'])
    await take('GET', `/api/v3/file_links/${id}/${more}`, { as: manager });
  await take('GET', `/api/v3/file_links/${made._embedded.elements[2].id}/download`, {
    as: manager,
  });
  await take('DELETE', `/api/v3/file_links/${id}`, { as: reader });
  await take('DELETE', `/api/v3/file_links/${id}`, { as: manager });
  await take('DELETE', `${path}/${made._embedded.elements[1].id}`, { as: manager });

  for (const parent of ['', `?parent=${folder}`, '?parent=/Plans/plan.txt', '?parent=/nowhere'])
    await take('GET', `${storage.path}/files${parent}`, { as: manager });
  await take('GET', `${storage.path}/files/${plan}`, { as: manager });
  await take('GET', `${storage.path}/files/${gone}`, { as: manager });
  for (const parent of [folder, '/'])
    await take('POST', `${storage.path}/files/prepare_upload`, {
      as: manager,
      json: { projectId: project.id, fileName: 'a.txt', parent },
    });
  await take('POST', `${storage.path}/files/prepare_upload`, { as: manager, json: {} });
  for (const name of ['New', 'New'])
    await take('POST', `${storage.path}/folders`, {
      as: manager,
      json: { name, parentId: folder },
    });
  await take('POST', `${storage.path}/folders`, {
    as: reader,
    json: { name: 'New', parentId: folder },
  });
  return samples;
}

/** The answers that only a service with a remote store gives. */
async function remoteSamplesOf(app: App): Promise<Sample[]> {
  const samples: Sample[] = [];
  const keep = (method: string, path: string, answer: Answer) =>
    void samples.push({ method, path, answer });
  const { given } = app;
  const project = await given.project();
  const editor = await given.member(project, [
    'view_work_packages',
    'edit_work_packages',
    'add_work_package_comments',
    'view_meetings',
    'edit_meetings',
    'view_messages',
    'edit_messages',
    'view_wiki_pages',
    'edit_wiki_pages',
  ]);
  keep('GET', '/api/v3/configuration', await app.get('/api/v3/configuration', editor));
  for (const kind of kinds) {
    const container = await given.container(kind, project, editor);
    const path = `${container.attachments}/prepare`;
    keep(
      'POST',
      path,
      await prepare(app, path, editor, {
        fileName: 'a.txt',
        fileSize: 1,
        contentType: 'text/plain',
        description: { raw: 'x' },
      }),
    );
    keep('GET', container.path, await app.get(container.path, editor));
  }
  keep(
    'POST',
    '/api/v3/attachments/prepare',
    await prepare(app, '/api/v3/attachments/prepare', editor, { fileName: 'a.txt', fileSize: 1 }),
  );
  const workPackage = await given.workPackage(project, editor);
  for (const to of [undefined, workPackage.attachments]) {
    const { id, completion } = await uploaded(app, { as: editor, ...(to !== undefined && { to }) });
    keep('GET', completion, await app.get(completion, editor));
    await finalized(app, id, editor);
    for (const path of [`/api/v3/attachments/${id}`, `/api/v3/attachments/${id}/content`])
      keep('GET', path, await app.get(path, editor));
  }
  keep('GET', workPackage.attachments, await app.get(workPackage.attachments, editor));
  return samples;
}

/** Operations that only a service with a remote store answers like this. */
const remoteOnly = / 302$|\/prepare 201$|\/uploaded 200$/;

type Token = string | number;
interface Place {
  path: Token[];
  value: unknown;
}

const isObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const typeOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/**
 * The structure of a value: its members, their types, and the type of each document. Values with the same structure
 * are described alike.
 */
function shapeOf(value: unknown, name?: string): string {
  if (Array.isArray(value))
    return `[${[...new Set(value.map((item) => shapeOf(item)))].sort().join()}]`;
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([key, item]) => `${key}:${shapeOf(item, key)}`)
      .sort()
      .join()}}`;
  return name === '_type' || name === 'errorIdentifier' ? String(value) : typeOf(value);
}

/** Keeps the first item for each key. */
const distinctBy = <Item>(items: Item[], keyOf: (item: Item) => string): Item[] =>
  [...new Map(items.toReversed().map((item) => [keyOf(item), item])).values()].toReversed();

/** Every place in a document. With `once`, only the first of several list items with the same structure. */
function placesOf(
  value: unknown,
  { path = [], once = false }: { path?: Token[]; once?: boolean } = {},
): Place[] {
  const items = Array.isArray(value)
    ? value.map((item, index): [Token, unknown] => [index, item])
    : [];
  const inside = isObject(value)
    ? Object.entries(value)
    : once
      ? distinctBy(items, ([, item]) => shapeOf(item))
      : items;
  return [
    { path, value },
    ...inside.flatMap(([token, item]) => placesOf(item, { path: [...path, token], once })),
  ];
}

/** A copy in which the value at a path is replaced or removed. */
function changed(
  value: any,
  [token, ...rest]: Token[],
  change: { to: unknown } | 'removed',
): unknown {
  if (token === undefined) return change === 'removed' ? undefined : change.to;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  if (rest.length === 0 && change === 'removed') delete copy[token];
  else copy[token] = changed(copy[token], rest, change);
  return copy;
}

interface Mutation {
  what: string;
  body: unknown;
  allowed: boolean;
  /** The optional member that it removes. */
  removes?: string | undefined;
}

/** The type of the document, embedded or not, that contains a place. */
function ownerOf(body: any, path: Token[]): string | undefined {
  const documents = path
    .map((_, length) => path.slice(0, length).reduce((at, token) => at[token], body))
    .filter((value) => isObject(value) && typeof value['_type'] === 'string');
  return documents.at(-1)?._type;
}

/** One unknown member in every object, every member removed, every value replaced by every other type. */
function mutationsOf(
  body: unknown,
  removable: string[],
  { omitsUnknown, isNew }: { omitsUnknown: boolean; isNew: boolean },
): Mutation[] {
  return placesOf(body, { once: true }).flatMap(({ path, value }) => {
    const place = path.join('.');
    const name = path.at(-1);
    const optionalAs = [
      String(name),
      `${ownerOf(body, path)}.${name}`,
      `${String(path.at(-2))}.${name}`,
    ].find((one) => removable.includes(one));
    const nullableLink = name === 'href' && nullableLinks.includes(String(path.at(-2)));
    const additions = isObject(value)
      ? [
          {
            what: `unknown member in ${place}`,
            body: changed(body, path, { to: { ...value, unexpected: true } }),
            allowed: false,
          },
        ]
      : [];
    // Without this link, such a storage is described as other users see it.
    const isOnlyRecord =
      name === 'oauthClientCredentials' &&
      !isNew &&
      !place.includes('_embedded') &&
      isObject(body) &&
      body['_embedded'] === undefined;
    const removals =
      typeof name === 'string'
        ? [
            {
              what: `${place} removed`,
              body: changed(body, path, 'removed'),
              allowed:
                optionalAs !== undefined || isOnlyRecord || path.at(-2) === 'validationErrors',
              removes: optionalAs,
            },
          ]
        : [];
    // A fraction counts as another type, because every number of this API is an integer.
    const others = [null, true, 7.5, 'other', [], {}].filter(
      (other) => typeof other === 'number' || typeOf(other) !== typeOf(value),
    );
    const known = originMembers[String(name)];
    const isOrigin =
      known !== undefined &&
      (path.at(-2) === 'originData' || ownerOf(body, path) === 'StorageFile');
    if (isOrigin)
      return [
        ...additions,
        ...removals.map((removal) => ({
          ...removal,
          allowed: omitsUnknown,
          removes: undefined,
        })),
        ...others.map((other) => ({
          what: `${place} is ${JSON.stringify(other)}`,
          body: changed(body, path, { to: other }),
          allowed: (other === null && !omitsUnknown) || (known === 'text' && other === 'other'),
        })),
      ];
    const changes = others.map((other) => ({
      what: `${place} is ${JSON.stringify(other)}`,
      body: changed(body, path, { to: other }),
      allowed: nullable.includes(String(name))
        ? (other === null &&
            !(omitsUnknown && /^(storageAudience|tokenExchangeScope)$/.test(String(name)))) ||
          other === 'other'
        : nullableLink && other === null,
    }));
    return [...additions, ...removals, ...changes];
  });
}

describe.each(Object.values(profiles))('the description of the $name profile', (profile) => {
  const contract = contractOf(profile);
  const fits = (method: string, path: string, answer: Answer) => {
    // Ten thousands of errors are made here. Most of their time goes into their traces.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      contract.check(method, path, answer);
      return true;
    } catch {
      return false;
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  };

  let app: App;
  let cloud: FakeServer;
  let server: FileServer;
  let samples: Sample[];
  beforeAll(async () => {
    [cloud, server] = await Promise.all([serveCloud(), startFileServer()]);
    app = await startApp({
      API_PROFILE: profile.name,
      CLOUD_DRIVE_API_URL: cloud.url,
      CLOUD_DRIVE_LOGIN_URL: cloud.url,
    });
    samples = [
      ...(await storageSamplesOf(app, server)),
      ...(await fileSamplesOf(app, server)),
      ...(await samplesOf(app)),
    ];
    if (remoteStore) {
      const remote = await startApp({
        API_PROFILE: profile.name,
        BACKGROUND_WORK: 'true',
        ...s3Environment(await freshBucket()),
      });
      samples.push(...(await remoteSamplesOf(remote)));
      await remote.stop();
    }
  });
  afterAll(() => Promise.all([app.stop(), cloud.close(), server.close()]));

  test('all its schemas are valid', () => {
    const schemas = placesOf(contract.document)
      .map(({ path }) => path.map(String))
      .filter(
        (path) =>
          !path.includes('examples') &&
          (path.at(-1) === 'schema' || (path.length === 3 && path[1] === 'schemas')),
      );
    expect(schemas.length).toBeGreaterThan(100);
    for (const path of schemas) contract.validator(`#/${path.map(escaped).join('/')}`);
  });

  test('is served without credentials, with the version of the package', async () => {
    const { body } = await app.get('/api/v3/spec.json');
    expect(body).toEqual(contract.document);
    expect(body.info.version).toBe(version);
  });

  test('matches a real answer of every success and of every refusal that a client can cause', () => {
    for (const { method, path, answer } of samples) contract.check(method, path, answer);
    const described = operationsOf(contract.document).flatMap(([name, { responses }]) =>
      Object.keys(responses)
        .filter((status) => Number(status) < 400)
        .map((status) => `${name} ${status}`),
    );
    const nameless = (name: string) => name.replaceAll(/\/(\d+|\{\w+\})/g, '/{id}');
    const seen = new Set(
      samples.map(({ method, path, answer }) =>
        nameless(
          `${method} ${path.slice('/api/v3'.length).replace(/\/?(\?.*)?$/, '') || '/'} ${answer.status}`,
        ),
      ),
    );
    expect(
      described.filter((one) => !seen.has(nameless(one)) && (remoteStore || !remoteOnly.test(one))),
    ).toEqual([]);
    const refusals = Object.entries(contract.document.components.responses).map(([name]) => name);
    expect(refusals).toHaveLength(20);
    expect(
      [
        ...new Set(samples.map(({ answer }) => answer.status).filter((status) => status >= 400)),
      ].sort(),
    ).toEqual([400, 401, 403, 404, 405, 406, 409, 412, 415, 416, 422, 431, 500]);
    const failures = samples
      .filter(({ answer }) => answer.status === 500)
      .map(({ answer }) => answer.body.errorIdentifier.split(':errors:')[1]);
    expect([...new Set(failures)].sort()).toEqual([
      'InternalServerError',
      'MissingEnterpriseToken',
      ...(profile.outboundSiblings ? ['OutboundRequest:Forbidden'] : []),
      'OutboundRequest:NotFound',
    ]);
  });

  test('rejects every unknown member, missing member and changed type', () => {
    // If the first of several errors is the message, their list can be missing.
    const removable = [
      ...optional,
      ...(remoteStore ? optionalOfStore : []),
      ...(profile.multipleErrors ? [] : ['errors']),
      ...(profile.linksAnonymousUser ? [] : ['Root.user']),
      ...(profile.hidesAccounts
        ? ['admin', 'email', 'firstName', 'identityUrl', 'lastName', 'login', 'status'].map(
            (name) => `User.${name}`,
          )
        : []),
      ...(profile.omitsUnknown ? ['Storage.storageAudience', 'Storage.tokenExchangeScope'] : []),
    ];
    const wrong: string[] = [];
    const removed = new Set<string>();
    let count = 0;
    const documents = samples.filter(
      ({ path, answer }) => answer.body !== undefined && !path.endsWith('/spec.json'),
    );
    for (const { method, path, answer } of distinctBy(
      documents,
      (sample) =>
        `${sample.method} ${sample.path.replaceAll(/\d+/g, '')} ${sample.answer.status} ${shapeOf(sample.answer.body)}`,
    )) {
      for (const { what, body, allowed, removes } of mutationsOf(
        answer.body,
        answer.body._type === 'AttachmentUpload'
          ? removable.filter((name) => name !== 'addAttachment')
          : removable,
        { omitsUnknown: profile.omitsUnknown, isNew: answer.status === 201 },
      )) {
        count += 1;
        if (fits(method, path, { ...answer, body }) !== allowed)
          wrong.push(
            `${method} ${path} ${answer.status} ${allowed ? 'refused' : 'accepted'}: ${what}`,
          );
        if (removes !== undefined) removed.add(removes);
      }
    }
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(10_000);
    // A member is optional only if an answer without it was seen.
    expect([...removed].sort()).toEqual(removable.sort());
  }, 120_000);

  test('rejects other statuses, content types, headers, methods and paths', () => {
    const sample = (status: number) => samples.find(({ answer }) => answer.status === status)!;
    const withHeader = (answer: Answer, name: string, value?: string): Answer => {
      const headers = new Headers(answer.headers);
      if (value === undefined) headers.delete(name);
      else headers.set(name, value);
      return { ...answer, headers };
    };
    for (const { method, path, answer } of samples) {
      expect(fits(method, path, { ...answer, status: 299 })).toBe(false);
      if (answer.body)
        expect(fits(method, path, withHeader(answer, 'content-type', 'text/html'))).toBe(false);
    }
    for (const [status, name] of [
      [200, 'x-request-id'],
      [200, 'cache-control'],
      [206, 'content-range'],
      [206, 'etag'],
      [303, 'location'],
      [303, 'cache-control'],
      [304, 'etag'],
      [401, 'www-authenticate'],
      [405, 'allow'],
      [416, 'content-range'],
    ] as const) {
      const { method, path, answer } = sample(status);
      for (const value of [undefined, '?'])
        expect({
          status,
          name,
          value,
          fits: fits(method, path, withHeader(answer, name, value)),
        }).toEqual({ status, name, value, fits: false });
    }
    const root = samples.find(({ path }) => path === '/api/v3')!;
    expect(fits('GET', '/api/v3', root.answer)).toBe(true);
    for (const [method, path] of [
      ['POST', '/api/v3'],
      ['GET', '/api/v3/nowhere'],
      ['GET', '/api/v3/configuration'],
    ] as const)
      expect(fits(method, path, root.answer)).toBe(false);
    expect(fits('GET', '/api/v3', { ...sample(404).answer })).toBe(false);
    expect(
      fits('DELETE', '/api/v3/attachments/1', { ...sample(204).answer, bytes: Buffer.from('x') }),
    ).toBe(false);
  });

  test('uses only the URNs of its profile', () => {
    const text = JSON.stringify(contract.document);
    for (const { name, urnWord } of Object.values(profiles))
      expect(text.includes(`urn:${urnWord}:`)).toBe(name === profile.name);
    const { responses } = Object.fromEntries(operationsOf(contract.document))['POST /attachments']!;
    expect(Object.keys(responses).filter((status) => status.startsWith('2'))).toEqual([
      String(profile.createdStatus),
    ]);
  });
});

interface Layer {
  route?: { path: string; methods: { [method: string]: boolean } };
  handle: { stack?: Layer[] };
}

/** Every route of a router and of the routers in it. Catch-all routes only refuse, so they do not count. */
const routesOf = (stack: Layer[]): string[] =>
  stack.flatMap(({ route, handle }) => {
    if (!route) return handle.stack ? routesOf(handle.stack) : [];
    return Object.keys(route.methods)
      .filter((method) => method !== '_all')
      .map((method) => `${method.toUpperCase()} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`);
  });

/** Operations without a GraphQL field that do not say so. */
const parityFaults = (document: Description): string[] =>
  operationsOf(document).flatMap(([name, { 'x-graphql': field, 'x-graphql-reason': reason }]) => {
    // Completing an upload is a GET that changes data. Checking a form is a POST that changes none.
    const root =
      (name.startsWith('GET ') && !name.endsWith('/uploaded')) || name.endsWith('/form')
        ? schema.getQueryType()
        : schema.getMutationType();
    if (field === null) return reason ? [] : [`${name} gives no reason`];
    return field !== undefined && root!.getFields()[field] ? [] : [`${name} names ${field}`];
  });

describe('the description', () => {
  const document = descriptionOf(profiles.standard);
  const names = operationsOf(document).map(([name]) => name);

  test('names every route, and every operation is routed', () => {
    const { stack } = restRouter(profiles.standard, (_req, _res, next) => next()) as unknown as {
      stack: Layer[];
    };
    expect(routesOf(stack).sort()).toEqual([...names].sort());
  });

  test('gives every operation a unique name, a summary, a tag and the root field of the GraphQL schema', () => {
    const operations = operationsOf(document).map(
      ([, operation]) =>
        operation as unknown as { operationId: string; summary: string; tags: string[] },
    );
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(names.length);
    expect(operations.filter(({ summary, tags }) => !summary || tags.length !== 1)).toEqual([]);
    expect(parityFaults(document)).toEqual([]);
  });

  test('fails if GraphQL does not offer an operation', () => {
    for (const [index, name] of names.entries()) {
      for (const field of [undefined, 'nothing']) {
        const copy = structuredClone(document);
        operationsOf(copy)[index]![1]['x-graphql'] = field as string;
        expect(parityFaults(copy)).toEqual([`${name} names ${field}`]);
      }
    }
    const silent = structuredClone(document);
    delete Object.fromEntries(operationsOf(silent))['GET /spec.json']!['x-graphql-reason'];
    expect(parityFaults(silent)).toEqual(['GET /spec.json gives no reason']);
  });

  test('closes every object of an answer', () => {
    const { components } = JSON.parse(JSON.stringify(document)) as {
      components: { schemas: { [name: string]: unknown } };
    };
    delete components.schemas['ApiDescription'];
    const open = placesOf(components.schemas).filter(
      ({ value }) =>
        isObject(value) && value['type'] === 'object' && value['unevaluatedProperties'] !== false,
    );
    expect(open.map(({ path }) => path.join('.'))).toEqual([]);
  });
});
