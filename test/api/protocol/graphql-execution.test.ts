/** Plans of documents answer exactly like graphql-js. Where they cannot, graphql-js answers. */
import { isNonNullType, parse, validate, type DocumentNode, type GraphQLObjectType } from 'graphql';
import { targetName } from '../../../src/actions/storages/access/storage-target.js';
import { makeContext } from '../../../src/context.js';
import { globalId } from '../../../src/contract/ids.js';
import { dataOf, interpret, type Variables } from '../../../src/graphql/execute.js';
import { Documents } from '../../../src/graphql/documents.js';
import { User } from '../../../src/models/user.js';
import * as documents from '../../../src/rest/generated/documents.js';
import { schema } from '../../../src/graphql/schema.js';
import { startApp, type App } from '../../support/app.js';
import { startFileServer, type FileServer } from '../../../demo/servers/file-server.js';
import { kinds, type ContainerHandle, type Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

let app: App;
let member: Person;
let stranger: Person;
const containers: { [kind: string]: ContainerHandle } = {};
let attachmentIds: number[] = [];
let admin: Person;
let server: FileServer;
let silentStorage: { id: number };
let fileLinkId: number;
/** The variables of the documents about storages, by operation name. */
let storageQuestions: { [name: string]: Variables[] };
beforeAll(async () => {
  [app, server] = await Promise.all([startApp(), startFileServer()]);
  const project = await app.given.project();
  member = await app.given.member(project, [
    'view_work_packages',
    'edit_work_packages',
    'add_work_packages',
    'add_work_package_comments',
    'view_meetings',
    'view_messages',
    'view_wiki_pages',
    'edit_wiki_pages',
    'view_file_links',
    'manage_file_links',
  ]);
  stranger = await app.given.user();
  for (const kind of kinds) {
    containers[kind] = await app.given.container(kind, project, member);
    attachmentIds.push(
      (
        await app.given.attachment({
          container: containers[kind],
          author: member,
          description: '<x>',
        })
      ).id,
    );
  }
  attachmentIds.push((await app.given.attachment({ author: member })).id);
  admin = await app.given.user({ admin: true });
  await app.given.notification(member, containers['WorkPackage']!, admin, {
    activityId: containers['Activity']!.id,
  });
  storageQuestions = await storageWorld(project);
});
afterAll(async () => {
  await app.stop();
  await server.close();
});

/** A storage that works and one that fails, with a file link each. */
async function storageWorld(project: { id: number }): Promise<typeof storageQuestions> {
  server.user('mia');
  server.setClient({ id: 'client', secret: 'secret', redirectUri: 'http://127.0.0.1/' });
  const fileId = String(server.file('mia', '/Plans/plan.txt', { content: 'x' }));
  const storages = await Promise.all(
    [server.url, 'http://127.0.0.1:9'].map((origin) =>
      app.given.storage({ origin, client: { id: 'client', secret: 'secret' } }),
    ),
  );
  silentStorage = storages[1]!;
  const used = [];
  for (const storage of storages) {
    used.push(await app.given.projectStorage(project, storage, { mode: 'manual', folderId: '17' }));
    await app.given.storageTokens(member, storage, server.grant('mia'));
  }
  const elements = storages.map(({ path }) => ({
    originData: { id: fileId, name: 'plan.txt' },
    _links: { storage: { href: path } },
  }));
  const made = await app.post(`${containers['WorkPackage']!.path}/file_links`, member, {
    _embedded: { elements },
  });
  const free = await app.post('/api/v3/file_links', member, {
    _embedded: { elements: elements.slice(0, 1) },
  });
  const asked = (ids: unknown[], more: Variables = {}) =>
    [...ids, '99999'].map((id) => ({ id: String(id), ...more }));
  const storageIds = storages.map(({ id }) => id);
  const linkIds = [...made.body._embedded.elements, ...free.body._embedded.elements].map(
    ({ id }: { id: number }) => id,
  );
  fileLinkId = linkIds[0]!;
  const every = { filter: {}, orderBy: ['ID_DESC'] };
  return {
    ListNotifications: [{ first: 10, page: 1, ...every }],
    GroupNotifications: [
      { by: 'PROJECT', ...every },
      { by: 'REASON', ...every },
    ],
    ListStorages: [
      { first: 10, page: 1 },
      { first: 1, page: 2 },
    ],
    ListMemberships: [
      { first: 10, page: 1, filter: {} },
      { first: 1, page: 2, filter: { projectIds: ['1'] } },
      { first: 1, page: 1, filter: { roleIds: ['x'] } },
    ],
    ViewStorage: asked(storageIds),
    OpenStorage: asked(storageIds),
    ViewOAuthApplication: asked(storages.map(({ application }) => application.id)),
    ViewOAuthClientCredentials: asked(storages.map(({ credentialsId }) => credentialsId)),
    ListWorkPackages: [
      { first: 10, filter: {}, orderBy: ['ID_ASC'] },
      { first: 10, filter: { search: 'a', except: {} }, orderBy: ['SUBJECT_DESC', 'ID_ASC'] },
    ],
    ListProjects: [{ first: 10, page: 1, filter: { viewerCan: {} }, orderBy: 'NAME_ASC' }],
    ListProjectStorages: [
      { filter: {} },
      { filter: { storageIds: [String(storageIds[0])] } },
      { filter: { projectIds: ['99999'] } },
    ],
    ViewProjectOfPage: [{ identifier: '1' }, { identifier: '99999' }],
    ViewProjectStorage: asked(used.map(({ id }) => id)),
    OpenProjectStorage: asked(used.map(({ id }) => id)),
    ListFileLinks: asked([containers['WorkPackage']!.id], {
      first: 10,
      page: 1,
      orderBy: 'OLDEST_FIRST',
    }),
    ViewFileLink: asked(linkIds),
    ViewFileLinkContainer: asked(linkIds),
    OpenFileLink: [...asked(linkIds, { location: false }), ...asked(linkIds, { location: true })],
    // Each download URL is different.
    DownloadFileLink: asked([linkIds[1]]),
    ListStorageFiles: [...asked(storageIds), ...asked(storageIds, { parent: '/Plans' })],
    ViewStorageFile: asked(storageIds, { fileId }),
  };
}

/** The data, or the first error, from the plan of a document and from graphql-js. */
async function both(document: DocumentNode, variables: Variables, person: Person) {
  const user = await User.query(app.running.services.db.read).findById(person.id).throwIfNotFound();
  const context = () => {
    // The error of a storage that failed several times depends on the time of the last failure.
    app.running.services.outbound.forget(targetName(silentStorage));
    return makeContext(app.running.services, user);
  };
  const planned = await dataOf(document, context(), variables).then(
    (data) => ({ data }),
    (error: Error) => ({ error: [error.name, error.message] }),
  );
  const { data, errors } = await interpret(document, context(), variables);
  const [first] = errors ?? [];
  const { name, message } = first?.originalError ?? first ?? {};
  return [planned, first ? { error: [name, message] } : { data }].map(
    (answer) => JSON.parse(JSON.stringify(answer)) as { data?: unknown; error?: unknown },
  ) as [{ data?: unknown; error?: unknown }, { data?: unknown; error?: unknown }];
}

const ofKind = (name: string) =>
  [...kinds].reverse().find((kind) => name.includes(kind)) ??
  (name.includes('Activities') ? 'WorkPackage' : undefined);
const named = Object.entries(documents)
  .filter(([name]) => name.endsWith('Document'))
  .map(([name, document]) => [name.replace(/Document$/, ''), document as DocumentNode] as const);
const queries = named.filter(([, document]) =>
  document.definitions.some(
    (definition) => definition.kind === 'OperationDefinition' && definition.operation === 'query',
  ),
);
const mutations = named.filter((one) => !queries.includes(one));

describe('every query of the REST layer', () => {
  test.each(queries)('%s', async (name, document) => {
    const kind = ofKind(name);
    const ids = storageQuestions[name]
      ? []
      : name === 'ListLinksOfPage'
        ? ['1', '99999']
        : ['ListContainerAttachments', 'ViewContainer', 'ViewContainerOfPage'].includes(name)
          ? [...kinds.map((type) => globalId(type, containers[type]!.id)), globalId('Post', 99999)]
          : kind
            ? [String(containers[kind]!.id), '99999']
            : name === 'ViewAttachment'
              ? [...attachmentIds.map(String), '99999', 'x']
              : name === 'ViewUser'
                ? [String(member.id), '99999']
                : [
                      'ViewMembership',
                      'ViewNotification',
                      'ViewProject',
                      'ViewRole',
                      'ViewStatus',
                      'ViewType',
                    ].includes(name)
                  ? ['1', '99999']
                  : [undefined];
    for (const variables of storageQuestions[name] ?? ids.map((id) => ({ id }))) {
      for (const person of storageQuestions[name]
        ? [member, stranger, admin]
        : [member, stranger]) {
        const [planned, interpreted] = await both(document, variables, person);
        expect(planned).toEqual(interpreted);
      }
    }
  });
});

describe('every mutation of the REST layer', () => {
  // Both runs of a mutation must start from the same state, so these mutations are refused.
  test.each(mutations)('%s', async (name, document) => {
    const input = { id: '99999', subject: 'x', comment: 'x' };
    const known: { [mutation: string]: Variables } = {
      UpdateWorkPackage: { input: { id: input.id, subject: input.subject } },
      UpdateComment: { input: { id: input.id, comment: input.comment } },
      CreateWorkPackage: { input: { projectId: '99999', subject: 'x' } },
      CreateComment: {
        workPackageId: String(containers['WorkPackage']!.id),
        comment: ' ',
        internal: false,
      },
      DeleteAttachment: { id: '99999' },
      PrepareAttachmentUpload: { input: { fileName: 'a.txt', fileSize: 1 } },
      CompleteAttachmentUpload: { id: '99999' },
      CreateStorage: { input: { type: 'CLOUD_DRIVE' } },
      UpdateStorage: { input: { id: '99999', name: 'x' } },
      DeleteStorage: { id: '99999' },
      SetOAuthClientCredentials: { input: { storageId: '99999' } },
      SetAndViewOAuthClientCredentials: { input: { storageId: '99999' } },
      CreateFileLinks: { input: { workPackageId: '99999' } },
      MarkNotificationsRead: { input: { filter: { ids: ['99999'] }, read: true } },
      DeleteFileLink: { id: '99999' },
      CreateStorageFolder: { input: { storageId: '99999', name: 'x', parent: '/' } },
      PrepareStorageUpload: {
        input: { storageId: '99999', projectId: '1', fileName: 'x', parent: '/' },
      },
    };
    const variables = known[name];
    if (!variables) {
      expect(name).toBe('AddAttachment');
      return;
    }
    const [planned, interpreted] = await both(document, variables, member);
    expect(planned).toEqual(interpreted);
    expect(interpreted.error).toBeDefined();
  });
});

describe('documents with features that REST does not use', () => {
  test.each([
    [
      'aliases, fragments and unions',
      'query { a: attachment(id: "1") { ...F } b: node(id: "QXR0YWNobWVudDoy") { ... on Attachment { ...F container { ... on Meeting { title } ... on Post { subject } __typename } } } } fragment F on Attachment { id n: fileName description { h: html } }',
    ],
    [
      'an error below a nullable field keeps its siblings',
      'query { viewer { name } node(id: "bm9wZQ") { id } }',
    ],
    [
      'an error of an object of the root keeps its siblings',
      'query { viewer { name } attachment(id: "99999") { fileName } }',
    ],
    [
      'an error of a required field empties the answer',
      'query { viewer { name } webhooks { totalCount } }',
    ],
    [
      'deep nesting',
      'query { workPackage(id: "1") { attachments { nodes { container { ... on WorkPackage { activities { edges { node { author { name } } cursor } pageInfo { endCursor } } } } } } } }',
    ],
    ['meta fields', 'query { __typename viewer { __typename } }'],
  ])('%s', async (_name, text) => {
    const document = parse(text);
    expect(validate(schema, document)).toEqual([]);
    for (const person of [member, stranger]) {
      const [planned, interpreted] = await both(document, {}, person);
      expect(planned).toEqual(interpreted);
    }
  });

  const single = [
    'project',
    'user',
    'container',
    'workPackage',
    'activity',
    'meeting',
    'post',
    'wikiPage',
    'attachment',
    'fileLink',
    'storage',
    'projectStorage',
    'oauthApplication',
    'oauthClientCredentials',
    'webhook',
    'status',
    'type',
    'notification',
    'membership',
    'role',
  ];

  test('each object of the root is null on its own, and the error has its path', async () => {
    const { Query } = schema.getTypeMap() as { Query: GraphQLObjectType };
    expect(
      Object.values(Query.getFields())
        .filter(({ type }) => !isNonNullType(type))
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...single, 'node'].sort());
    for (const field of single) {
      const text = `{ viewer { login } ${field}(id: "99999") { id } again: ${field}(id: "${globalId('Post', 99_999)}") { __typename } }`;
      const { status, data, errors } = await app.graphql(text, {}, member);
      expect({ status, data, errors }).toEqual({
        status: 200,
        data: { viewer: { login: member.login }, [field]: null, again: null },
        errors: expect.arrayContaining(
          [field, 'again'].map((path) => ({
            message: 'The requested resource could not be found.',
            path: [path],
            locations: [expect.any(Object)],
            extensions: {
              code: 'NOT_FOUND',
              errorIdentifier: 'urn:service-org:api:v3:errors:NotFound',
              status: 404,
            },
          })),
        ),
      });
      expect(errors).toHaveLength(2);
      const context = makeContext(
        app.running.services,
        await User.query(app.running.services.db.read).findById(member.id).throwIfNotFound(),
      );
      const interpreted = await interpret(parse(text), context, {});
      expect(data).toEqual(JSON.parse(JSON.stringify(interpreted.data)));
      const paths = (of: readonly { path?: unknown }[] = []) =>
        of.map(({ path }) => String(path)).sort();
      expect(paths(errors)).toEqual(paths(interpreted.errors));
    }
  });

  test('an error of a required field below an object of the root makes that object null only', async () => {
    const text = `query ($refresh: Boolean = true) { viewer { login } a: attachment(id: "${attachmentIds[0]}") { fileName } fileLink(id: "${fileLinkId}") { id originData(refresh: $refresh) { name } } }`;
    const { data, errors } = await app.graphql(text, { refresh: null }, member);
    expect({ data, paths: errors!.map(({ path }) => path) }).toEqual({
      data: {
        viewer: { login: member.login },
        a: { fileName: expect.any(String) },
        fileLink: null,
      },
      paths: [['fileLink', 'originData']],
    });
  });

  test('documents with @skip and @include run in graphql-js', async () => {
    const text =
      'query ($on: Boolean!) { viewer { ...N @include(if: $on) login @skip(if: $on) } again: viewer { ...N } } fragment N on User { name }';
    for (const on of [true, false]) {
      const { data } = await app.graphql(text, { on }, member);
      expect(data).toEqual({
        viewer: on ? { name: member.name } : { login: member.login },
        again: { name: member.name },
      });
    }
  });

  test('the same document has the same answer the first, second and third time', async () => {
    const text =
      'query Again($id: ID!) { attachment(id: $id) { fileName author { name } container { databaseId } } missing: node(id: "eA") { id } }';
    const answers = [];
    for (let n = 0; n < 3; n += 1)
      answers.push(await app.graphql(text, { id: String(attachmentIds[0]) }, member));
    expect(answers[0]!.errors).toBeUndefined();
    for (const { data, errors, status } of answers)
      expect({ data, errors, status }).toEqual({
        data: answers[0]!.data,
        errors: undefined,
        status: 200,
      });
    const refused = [];
    for (let n = 0; n < 3; n += 1)
      refused.push(await app.graphql(text, { id: String(attachmentIds[0]) }, stranger));
    for (const { data, errors } of refused)
      expect({ data, errors }).toEqual({ data: refused[0]!.data, errors: refused[0]!.errors });
  });

  test('a mutation after a failed one is not executed, the first, second and third time', async () => {
    const kept = await app.given.attachment({ author: member });
    const text =
      'mutation Both($missing: ID!, $kept: ID!) { a: deleteAttachment(input: { id: $missing }) { deletedAttachmentId } b: deleteAttachment(input: { id: $kept }) { deletedAttachmentId } }';
    const spread =
      'mutation Both($missing: ID!, $kept: ID!) { ...M } fragment M on Mutation { a: deleteAttachment(input: { id: $missing }) { deletedAttachmentId } b: deleteAttachment(input: { id: $kept }) { deletedAttachmentId } }';
    for (const document of [text, spread]) {
      for (let n = 0; n < 3; n += 1) {
        const { data, errors } = await app.graphql(
          document,
          { missing: '99999', kept: String(kept.id) },
          member,
        );
        expect({
          data,
          codes: errors?.map(({ path, extensions }) => [path, extensions?.['code']]),
        }).toEqual({ data: null, codes: [[['a'], 'NOT_FOUND']] });
        expect((await app.get(`/api/v3/attachments/${kept.id}`, member)).status).toBe(200);
      }
    }
  });

  test('600 documents sent twice each get their own answers, also with several operations and large fragments', async () => {
    const ask = async (text: string, operationName?: string) =>
      (await app.post('/graphql', member, { query: text, operationName })).body;
    for (let n = 0; n < 600; n += 1) {
      const text = `{ name${n}: viewer { name } } # ${n}`;
      for (let time = 0; time < 2; time += 1)
        expect(await ask(text)).toEqual({ data: { [`name${n}`]: { name: member.name } } });
    }
    const several = 'query A { viewer { name } } query B { viewer { login } }';
    const large = `query { ${'abcdefghijkl'
      .split('')
      .map((name) => `${name}: viewer { ...F }`)
      .join(' ')} } fragment F on User { ${'name login '.repeat(20)} }`;
    const one = { name: member.name, login: member.login };
    for (let time = 0; time < 3; time += 1) {
      expect([await ask(several, 'A'), await ask(several, 'B')]).toEqual([
        { data: { viewer: { name: member.name } } },
        { data: { viewer: { login: member.login } } },
      ]);
      expect(await ask(large)).toEqual({
        data: Object.fromEntries('abcdefghijkl'.split('').map((name) => [name, one])),
      });
    }
  });
});

test('the latest documents are cached, up to a number and a total size', async () => {
  const documents = new Documents();
  const kept = async (names: number[]) => {
    const found = [];
    for (const name of names) if (await documents.get(String(name))) found.push(name);
    return found;
  };
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
  for (const n of range(0, 600)) {
    await documents.set(String(n), parse('{ a }'));
    await documents.get('0');
  }
  expect(await kept(range(0, 600))).toEqual([0, ...range(401, 600)]);
  for (const n of range(600, 610))
    await documents.set(String(n), parse(`{ a } # ${'x'.repeat(99_000)}`));
  expect(await kept(range(0, 610))).toEqual(range(605, 610));
  await documents.set('610', parse(`{ a } # ${'x'.repeat(600_000)}`));
  expect(await kept(range(0, 611))).toEqual([]);
});
