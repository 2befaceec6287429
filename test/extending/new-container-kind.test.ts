/** A new kind of container needs four small files by hand, and both APIs serve it like the others. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../src/config.js';
import { openDatabase, type Database } from '../../src/database/index.js';
import { bash, copyOfSources, root, succeeded } from '../packaging/checkout.js';
import { endCommands, type Outcome } from '../support/cli.js';
import { Client, type GraphqlAnswer } from '../support/client.js';
import { databaseKind, on } from '../support/database.js';
import {
  attachmentElement,
  collectionOf,
  errorBody,
  missingPermission,
  notFound,
  TIME,
  userBody,
} from '../support/expected.js';
import { afterAll, beforeAll, describe, expect, test } from '../support/jest.js';
import { Contract, operationsOf, type Description } from '../support/openapi.js';
import { addDocumentKind } from './document-kind.js';
import { compiling, served, type Served } from './served-copy.js';

const person = (login: string, firstName: string, lastName: string) => ({
  login,
  firstName,
  lastName,
  apiKeys: [{ name: 'test', key: `key-of-${login}-0123456789` }],
});
const directory = {
  users: [person('ada', 'Ada', 'Fen'), person('rob', 'Rob', 'Ray'), person('eve', 'Eve', 'Low')],
  roles: [
    { name: 'Editor', permissions: ['view_documents', 'edit_documents'] },
    { name: 'Reader', permissions: ['view_documents'] },
    {
      name: 'Other',
      permissions: ['view_meetings', 'edit_meetings', 'view_work_packages', 'edit_work_packages'],
    },
    { name: 'Anonymous', permissions: ['view_documents'] },
    { name: 'Non member', permissions: ['view_documents', 'edit_documents'] },
  ],
  projects: [
    {
      identifier: 'house',
      name: 'House',
      memberships: [
        { user: 'ada', roles: ['Editor'] },
        { user: 'rob', roles: ['Reader'] },
        { user: 'eve', roles: ['Other'] },
      ],
      documents: [{ ref: 'd-1', title: 'Floor plan', author: 'ada' }],
      workPackages: [
        {
          ref: 'w-1',
          subject: 'Order bricks',
          author: 'ada',
          activities: [{ ref: 'c-1', comment: 'Red ones.', author: 'ada' }],
        },
      ],
      meetings: [{ ref: 'm-1', title: 'Kick-off', author: 'ada' }],
      posts: [{ ref: 'p-1', subject: 'Welcome', author: 'ada' }],
      wikiPages: [{ ref: 'i-1', title: 'Home', author: 'ada' }],
    },
    {
      identifier: 'garden',
      name: 'Garden',
      public: true,
      documents: [{ ref: 'd-2', title: 'Flower beds', author: 'eve' }],
    },
  ],
};

interface Caller {
  id: number;
  login: string;
  name: string;
  key: string;
}

let copy: string;
let added: ReturnType<typeof addDocumentKind>;
let typeCheck: Promise<Outcome>;
let database: Database | undefined;
/** The output of `moorage import`. */
let ids: Served['ids'];
let ada: Caller;
let rob: Caller;
let eve: Caller;
let contract: Contract;
let client: Client;
beforeAll(async () => {
  copy = copyOfSources();
  added = addDocumentKind(copy);
  // As if an earlier version had generated it.
  writeFileSync(join(copy, 'openapi/generated/earlier.json'), '{}');
  succeeded(await bash('npm run --silent generate', copy, compiling(copy)));
  // The code is the same on both databases, so one run is enough.
  if (databaseKind() === 'sqlite')
    typeCheck = bash('npm run --silent typecheck -- --singleThreaded', copy);
  const service = await served(copy, directory);
  ({ ids } = service);
  [ada, rob, eve] = directory.users.map(({ login, firstName, lastName, apiKeys }) => ({
    id: ids['users']![login]!,
    login,
    name: `${firstName} ${lastName}`,
    key: apiKeys[0]!.key,
  })) as [Caller, Caller, Caller];
  database = openDatabase(readConfig(service.environment).database, pino({ level: 'silent' }));
  const { address } = service;
  // Every response below is checked against the OpenAPI description of this server.
  contract = new Contract(
    (await (await fetch(`${address}/api/v3/spec.json`)).json()) as Description,
  );
  client = new Client(address, (method, path, answer) => contract.check(method, path, answer));
}, 180_000);
afterAll(async () => {
  await endCommands();
  await database?.close();
  rmSync(copy, { recursive: true, force: true });
});

/** A document, by its ids in both APIs. */
interface Handle {
  id: number;
  title: string;
  globalId: string;
  path: string;
  attachments: string;
}
const handle = (id: number, title: string): Handle => ({
  id,
  title,
  globalId: Buffer.from(`Document:${id}`).toString('base64url'),
  path: `/api/v3/documents/${id}`,
  attachments: `/api/v3/documents/${id}/attachments`,
});
const imported = () => handle(ids['documents']!['d-1']!, 'Floor plan');

/** A new document by Ada. */
async function made(title: string, more: object = {}): Promise<Handle> {
  const { data } = await client.graphql(
    'mutation ($input: CreateDocumentInput!) { createDocument(input: $input) { document { databaseId } } }',
    { input: { projectId: String(ids['projects']!['house']), title, ...more } },
    ada,
  );
  return handle(data.createDocument.document.databaseId as number, title);
}

const body = (
  { id, title, path, attachments }: Handle,
  {
    addable,
    project = directory.projects[0]!,
  }: { addable: boolean; project?: { identifier: string; name: string } },
) => ({
  _type: 'Document',
  id,
  title,
  _links: {
    self: { href: path, title },
    attachments: { href: attachments },
    ...(addable && { addAttachment: { href: attachments, method: 'post' } }),
    project: {
      href: `/api/v3/projects/${ids['projects']![project.identifier]}`,
      title: project.name,
    },
  },
});

const sha256 = (content: string) => ({
  algorithm: 'sha256',
  hash: createHash('sha256').update(content).digest('hex'),
});
const element = (
  id: number,
  fileName: string,
  content: string,
  container: Handle,
  deletable = true,
) =>
  attachmentElement({
    id,
    fileName,
    fileSize: content.length,
    contentType: 'text/plain',
    digest: sha256(content),
    author: ada,
    container,
    deletable,
  });
/** The same document as a single resource, which embeds the author and the container. */
function whole(
  ...[id, fileName, content, container, deletable = true]: Parameters<typeof element>
) {
  const { _links, ...own } = element(id, fileName, content, container, deletable);
  return {
    ...own,
    _embedded: { author: userBody(ada), container: body(container, { addable: deletable }) },
    _links,
  };
}

const UPLOAD =
  'mutation ($file: Upload!, $containerId: ID, $fileName: String) { createAttachment(input: { file: $file, containerId: $containerId, fileName: $fileName }) { attachment { databaseId fileName container { __typename databaseId ... on Document { title } } viewerCanDelete } } }';
const DELETE = 'mutation ($id: ID!) { deleteDocument(input: { id: $id }) { deletedDocumentId } }';
const DELETE_ATTACHMENT =
  'mutation ($id: ID!) { deleteAttachment(input: { id: $id }) { deletedAttachmentId } }';
const refused = ({ data, errors }: GraphqlAnswer) => ({
  data,
  errors: errors?.map(({ extensions: { code, status } }) => ({ code, status })),
});

const answered = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer;
  return { status, body };
};

/** The files that differ from the checkout, by name. */
function differences(): string[] {
  const names = (folder: string) =>
    ['migrations', 'src', 'docs', 'openapi']
      .flatMap((name) =>
        readdirSync(join(folder, name), { recursive: true, encoding: 'utf8', withFileTypes: true }),
      )
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) =>
        join(parentPath, name).slice(folder.length).replace(/^\//, ''),
      );
  const text = (folder: string, name: string) => {
    try {
      return readFileSync(join(folder, name), 'utf8');
    } catch {
      return undefined;
    }
  };
  return [...new Set(['schema.graphql', ...names(copy), ...names(root)])]
    .filter((name) => text(copy, name) !== text(root, name))
    .sort();
}

describe('the checkout', () => {
  on('sqlite')(
    'differs in a migration, a model, its entry and a row; five more files are generated',
    async () => {
      expect(added.files).toHaveLength(4);
      expect(differences()).toEqual(
        [
          ...added.files,
          'docs/reference/generated/permissions.md',
          'openapi/generated/openproject.json',
          'openapi/generated/standard.json',
          'schema.graphql',
          'src/rest/generated/documents.ts',
        ].sort(),
      );
    },
  );
});

describe('the database', () => {
  test('has applied the migration after all others', async () => {
    expect(
      ((await database!.read('knex_migrations').orderBy('id')) as { name: string }[]).map(
        ({ name }) => name,
      ),
    ).toEqual([...readdirSync(join(root, 'migrations')).sort(), added.migration]);
  });

  test('refuses an attachment of a document that also belongs to another container', async () => {
    const {
      body: { id },
    } = await client.upload(imported().attachments, { as: ada });
    const others: { [column: string]: number } = {
      work_package_id: ids['workPackages']!['w-1']!,
      activity_id: ids['activities']!['c-1']!,
      meeting_id: ids['meetings']!['m-1']!,
      post_id: ids['posts']!['p-1']!,
      wiki_page_id: ids['wikiPages']!['i-1']!,
    };
    const change = (columns: object) =>
      database!.write('attachments').where({ id }).update(columns);
    for (const [column, other] of Object.entries(others)) {
      await expect(change({ [column]: other })).rejects.toThrow(
        /check constraint.*attachments_only_document/i,
      );
      expect(await change({ [column]: other, document_id: null })).toBe(1);
      await expect(change({ document_id: imported().id })).rejects.toThrow(
        /check constraint.*attachments_only_document/i,
      );
      expect(await change({ [column]: null, document_id: imported().id })).toBe(1);
    }
    await expect(change({ document_id: 99_999 })).rejects.toThrow(/foreign key constraint/i);
    expect((await client.delete(`/api/v3/attachments/${id}`, ada)).status).toBe(204);
  });
});

describe('the directory file', () => {
  test('imports documents, and answers with their ids', () => {
    const id = expect.any(Number);
    expect(ids).toEqual({
      users: { ada: id, rob: id, eve: id },
      projects: { house: id, garden: id },
      workPackages: { 'w-1': id },
      activities: { 'c-1': id },
      meetings: { 'm-1': id },
      posts: { 'p-1': id },
      wikiPages: { 'i-1': id },
      documents: { 'd-1': id, 'd-2': id },
    });
  });
});

describe('a document', () => {
  test('is shown by both APIs, with links to the allowed actions', async () => {
    const document = imported();
    expect(await answered(client.get(document.path, ada))).toEqual({
      status: 200,
      body: body(document, { addable: true }),
    });
    expect(await answered(client.get(document.path, rob))).toEqual({
      status: 200,
      body: body(document, { addable: false }),
    });
    const fields =
      '__typename id databaseId title createdAt updatedAt author { name } project { name } viewerCanAddAttachment viewerCanPrepareAttachment viewerCanUpdate viewerCanDelete';
    const query = `query ($id: ID!) { document(id: $id) { ${fields} } container(id: $id) { ... on Document { ${fields} } } node(id: $id) { ... on Document { ${fields} } } }`;
    for (const [as, editor] of [
      [ada, true],
      [rob, false],
    ] as const) {
      const { data, errors } = await client.graphql(query, { id: document.globalId }, as);
      const expected = {
        __typename: 'Document',
        id: document.globalId,
        databaseId: document.id,
        title: 'Floor plan',
        createdAt: TIME,
        updatedAt: TIME,
        author: { name: 'Ada Fen' },
        project: { name: 'House' },
        viewerCanAddAttachment: editor,
        viewerCanPrepareAttachment: false,
        viewerCanUpdate: editor,
        viewerCanDelete: editor,
      };
      expect({ data, errors }).toEqual({
        data: { document: expected, container: expected, node: expected },
        errors: undefined,
      });
    }
  });

  test('is created with the attachments it claims, changed, and deleted with its attachments', async () => {
    const free = await client.upload('/api/v3/attachments', {
      as: ada,
      fileName: 'free.txt',
      content: 'free',
    });
    expect(free.status).toBe(200);
    const document = await made('Roof', { attachmentIds: [String(free.body.id)] });
    expect((await client.get(document.path, ada)).body).toEqual(body(document, { addable: true }));
    expect((await client.get(`/api/v3/attachments/${free.body.id}`, ada)).body).toEqual(
      whole(free.body.id, 'free.txt', 'free', document),
    );
    const changed = await client.graphql(
      'mutation ($input: UpdateDocumentInput!) { updateDocument(input: $input) { document { title attachments { nodes { fileName } } } } }',
      { input: { id: document.globalId, title: 'Flat roof' } },
      ada,
    );
    expect(changed.data).toEqual({
      updateDocument: {
        document: { title: 'Flat roof', attachments: { nodes: [{ fileName: 'free.txt' }] } },
      },
    });
    const deleted = await client.graphql(DELETE, { id: document.globalId }, ada);
    expect(deleted.data).toEqual({ deleteDocument: { deletedDocumentId: document.globalId } });
    for (const path of [document.path, document.attachments, `/api/v3/attachments/${free.body.id}`])
      expect(await answered(client.get(path, ada))).toEqual({ status: 404, body: notFound });
    expect(
      refused(
        await client.graphql(
          'query ($id: ID!) { document(id: $id) { id } }',
          { id: document.globalId },
          ada,
        ),
      ),
    ).toEqual({ data: { document: null }, errors: [{ code: 'NOT_FOUND', status: 404 }] });
  });

  test('needs a title', async () => {
    const { errors } = await client.graphql(
      'mutation ($input: CreateDocumentInput!) { createDocument(input: $input) { document { id } } }',
      { input: { projectId: String(ids['projects']!['house']) } },
      ada,
    );
    expect(errors).toMatchObject([
      {
        message: "Title can't be blank.",
        extensions: { code: 'PROPERTY_CONSTRAINT_VIOLATION', attribute: 'title' },
      },
    ]);
  });

  test('can be created with the permission of its row', async () => {
    const query =
      'query ($id: ID!) { project(id: $id) { viewerCanCreateDocument viewerCanCreateMeeting } }';
    const asked = await Promise.all(
      [ada, rob, eve].map(
        async (one) =>
          (await client.graphql(query, { id: String(ids['projects']!['house']) }, one)).data
            .project,
      ),
    );
    expect(asked).toEqual([
      { viewerCanCreateDocument: true, viewerCanCreateMeeting: false },
      { viewerCanCreateDocument: false, viewerCanCreateMeeting: false },
      { viewerCanCreateDocument: false, viewerCanCreateMeeting: true },
    ]);
  });
});

describe('a document of a public project', () => {
  test('is shown to anonymous users, with its author and the authors of its files', async () => {
    const document = handle(ids['documents']!['d-2']!, 'Flower beds');
    expect((await client.upload(document.attachments, { as: ada })).status).toBe(200);
    expect(await answered(client.get(document.path))).toEqual({
      status: 200,
      body: body(document, { addable: false, project: directory.projects[1]! }),
    });
    expect((await client.get(document.attachments)).body.total).toBe(1);
    const users = await Promise.all(
      [eve, ada, rob].map(({ id }) => answered(client.get(`/api/v3/users/${id}`))),
    );
    expect(users).toEqual([
      { status: 200, body: userBody(eve) },
      { status: 200, body: userBody(ada) },
      { status: 404, body: notFound },
    ]);
  });
});

describe('attachments of a document', () => {
  const LIST =
    'query ($id: ID!) { document(id: $id) { attachments { totalCount nodes { databaseId fileName } } } container(id: $id) { attachments { totalCount } } }';

  test('are added by both APIs, and both list them in the order of their creation', async () => {
    const document = await made('Cellar');
    const rest = await client.upload(document.attachments, {
      as: ada,
      fileName: 'rest.txt',
      content: 'over REST',
    });
    expect({ status: rest.status, body: rest.body }).toEqual({
      status: 200,
      body: whole(rest.body.id, 'rest.txt', 'over REST', document),
    });
    const graph = await client.graphqlUpload(
      UPLOAD,
      { containerId: document.globalId, fileName: 'graph.txt' },
      'over GraphQL',
      ada,
    );
    const id = graph.data.createAttachment.attachment.databaseId as number;
    expect({ data: graph.data, errors: graph.errors }).toEqual({
      data: {
        createAttachment: {
          attachment: {
            databaseId: id,
            fileName: 'graph.txt',
            container: { __typename: 'Document', databaseId: document.id, title: 'Cellar' },
            viewerCanDelete: true,
          },
        },
      },
      errors: undefined,
    });
    const list = (deletable: boolean) =>
      collectionOf(document.attachments, [
        element(rest.body.id, 'rest.txt', 'over REST', document, deletable),
        element(id, 'graph.txt', 'over GraphQL', document, deletable),
      ]);
    expect(await answered(client.get(document.attachments, ada))).toEqual({
      status: 200,
      body: list(true),
    });
    expect(await answered(client.get(document.attachments, rob))).toEqual({
      status: 200,
      body: list(false),
    });
    for (const one of [ada, rob]) {
      expect((await client.graphql(LIST, { id: document.globalId }, one)).data).toEqual({
        document: {
          attachments: {
            totalCount: 2,
            nodes: [
              { databaseId: rest.body.id, fileName: 'rest.txt' },
              { databaseId: id, fileName: 'graph.txt' },
            ],
          },
        },
        container: { attachments: { totalCount: 2 } },
      });
    }
  });

  test('are shown with the document embedded, and downloaded', async () => {
    const document = await made('Attic');
    const {
      body: { id },
    } = await client.upload(document.attachments, {
      as: ada,
      fileName: 'beam.txt',
      content: 'oak',
    });
    expect(await answered(client.get(`/api/v3/attachments/${id}`, ada))).toEqual({
      status: 200,
      body: whole(id, 'beam.txt', 'oak', document),
    });
    expect(await answered(client.get(`/api/v3/attachments/${id}`, rob))).toEqual({
      status: 200,
      body: whole(id, 'beam.txt', 'oak', document, false),
    });
    expect((await client.get(`/api/v3/attachments/${id}/content`, rob)).text).toBe('oak');
    const { data } = await client.graphql(
      'query ($id: ID!) { attachment(id: $id) { fileName container { __typename ... on Document { title project { name } } } } }',
      { id: String(id) },
      rob,
    );
    expect(data).toEqual({
      attachment: {
        fileName: 'beam.txt',
        container: { __typename: 'Document', title: 'Attic', project: { name: 'House' } },
      },
    });
  });

  test('are deleted by both APIs', async () => {
    const document = await made('Garage');
    const upload = async (fileName: string) =>
      (await client.upload(document.attachments, { as: ada, fileName })).body.id as number;
    const [rest, graph] = [await upload('rest.txt'), await upload('graph.txt')];
    const deleted = await client.delete(`/api/v3/attachments/${rest}`, ada);
    expect({ status: deleted.status, text: deleted.text }).toEqual({ status: 204, text: '' });
    expect((await client.graphql(DELETE_ATTACHMENT, { id: String(graph) }, ada)).data).toEqual({
      deleteAttachment: {
        deletedAttachmentId: Buffer.from(`Attachment:${graph}`).toString('base64url'),
      },
    });
    for (const id of [rest, graph])
      expect(await answered(client.get(`/api/v3/attachments/${id}`, ada))).toEqual({
        status: 404,
        body: notFound,
      });
    expect((await client.get(document.attachments, ada)).body).toEqual(
      collectionOf(document.attachments, []),
    );
    expect((await client.graphql(LIST, { id: document.globalId }, ada)).data).toEqual({
      document: { attachments: { totalCount: 0, nodes: [] } },
      container: { attachments: { totalCount: 0 } },
    });
    expect(await database!.write('attachments').where({ document_id: document.id })).toEqual([]);
  });

  test('cannot be prepared if the store has no direct upload', async () => {
    const form = new FormData();
    form.append(
      'metadata',
      new Blob([JSON.stringify({ fileName: 'a.txt', fileSize: 1 })], { type: 'application/json' }),
    );
    const { status, body: refusal } = await client.request(
      'POST',
      `${imported().attachments}/prepare`,
      { as: ada, body: form },
    );
    expect({ status, body: refusal }).toEqual({
      status: 422,
      body: errorBody(
        'PropertyConstraintViolation',
        'Direct upload is not available due to a system configuration. Use the regular upload instead.',
        'base',
      ),
    });
  });
});

describe('a user', () => {
  let document: Handle;
  let attachment: number;
  beforeAll(async () => {
    document = await made('Secret door');
    attachment = (
      await client.upload(document.attachments, { as: ada, fileName: 'key.txt', content: 'iron' })
    ).body.id as number;
  });
  afterAll(async () => {
    expect((await client.get(document.attachments, ada)).body).toEqual(
      collectionOf(document.attachments, [element(attachment, 'key.txt', 'iron', document)]),
    );
  });

  const refusals = async (
    as: Caller | undefined,
    ...requests: [document: string, variables: object][]
  ) =>
    Promise.all(
      requests.map(
        async ([text, variables]) => refused(await client.graphql(text, variables, as)).errors,
      ),
    );
  const looking = (): [string, object][] => [
    ['query ($id: ID!) { document(id: $id) { id } }', { id: document.globalId }],
    ['query ($id: ID!) { container(id: $id) { id } }', { id: document.globalId }],
    ['query ($id: ID!) { attachment(id: $id) { id } }', { id: String(attachment) }],
  ];
  const changing = (): [string, object][] => [
    [
      'mutation ($id: ID!) { updateDocument(input: { id: $id, title: "Door" }) { document { id } } }',
      { id: document.globalId },
    ],
    [DELETE, { id: document.globalId }],
    [DELETE_ATTACHMENT, { id: String(attachment) }],
  ];
  const hidden = [{ code: 'NOT_FOUND', status: 404 }];
  const forbidden = [{ code: 'MISSING_PERMISSION', status: 403 }];
  const upload = async (as: Caller) =>
    refused(
      await client.graphqlUpload(
        UPLOAD,
        { containerId: document.globalId, fileName: 'x.txt' },
        'x',
        as,
      ),
    ).errors;

  test('without the view permission finds nothing, even with all other permissions in the project', async () => {
    for (const as of [eve, undefined]) {
      for (const path of [
        document.path,
        document.attachments,
        `/api/v3/attachments/${attachment}`,
        `/api/v3/attachments/${attachment}/content`,
      ])
        expect(await answered(client.get(path, as))).toEqual({ status: 404, body: notFound });
      expect(await answered(client.upload(document.attachments, { as }))).toEqual({
        status: 404,
        body: notFound,
      });
      expect(await answered(client.delete(`/api/v3/attachments/${attachment}`, as))).toEqual({
        status: 404,
        body: notFound,
      });
      expect(await refusals(as, ...looking(), ...changing())).toEqual(
        [...looking(), ...changing()].map(() => hidden),
      );
    }
    expect(await upload(eve)).toEqual(hidden);
  });

  test('with only the view permission can change nothing', async () => {
    expect(await answered(client.upload(document.attachments, { as: rob }))).toEqual({
      status: 403,
      body: missingPermission,
    });
    expect(await answered(client.delete(`/api/v3/attachments/${attachment}`, rob))).toEqual({
      status: 403,
      body: missingPermission,
    });
    expect(await refusals(rob, ...looking(), ...changing())).toEqual([
      ...looking().map(() => undefined),
      ...changing().map(() => forbidden),
    ]);
    expect(await upload(rob)).toEqual(forbidden);
  });
});

describe('the OpenAPI description', () => {
  test('has the operations on documents', () => {
    const own = operationsOf(contract.document).filter(([name]) => name.includes('/documents/'));
    const operations = Object.fromEntries(
      own.map(([name, operation]) => {
        const {
          operationId,
          summary,
          tags,
          'x-graphql': field,
        } = operation as typeof operation & { summary: string; tags: string[] };
        return [name, { operationId, summary, tags, field }];
      }),
    );
    const tags = ['Documents'];
    expect(operations).toEqual({
      'GET /documents/{id}': {
        operationId: 'viewDocument',
        summary: 'View a document',
        tags,
        field: 'document',
      },
      'GET /documents/{id}/attachments': {
        operationId: 'listDocumentAttachments',
        summary: 'List the attachments of a document',
        tags,
        field: 'document',
      },
      'GET /documents/{id}/attachments/archive': {
        operationId: 'archiveDocumentAttachments',
        summary: 'Download the attachments of a document as one ZIP archive',
        tags,
        field: 'document',
      },
      'POST /documents/{id}/attachments': {
        operationId: 'addDocumentAttachment',
        summary: 'Add an attachment to a document',
        tags,
        field: 'createAttachment',
      },
      'POST /documents/{id}/attachments/prepare': {
        operationId: 'prepareDocumentAttachment',
        summary: 'Prepare a direct upload for a document',
        tags,
        field: 'prepareAttachmentUpload',
      },
    });
  });

  test('names documents in its introduction and its headings', () => {
    const { info, tags } = contract.document as unknown as {
      info: { description: string };
      tags: { name: string; description: string }[];
    };
    expect(info.description).toMatch(
      /^Attachments of work packages, activities, meetings, posts, wiki pages and documents, and links to files in external storages, as HAL documents\./,
    );
    expect(tags).toContainEqual({ name: 'Documents', description: 'Containers: papers.' });
  });
});

test('the schema of the graph names documents', async () => {
  const { data } = await client.graphql(
    '{ __type(name: "Container") { description possibleTypes { name } } }',
  );
  const { description, possibleTypes } = data.__type as {
    description: string;
    possibleTypes: { name: string }[];
  };
  expect({ description, names: possibleTypes.map(({ name }) => name).sort() }).toEqual({
    description:
      'An object that can have attachments: a work package, an activity (comment), a meeting, a forum post, a wiki page or a document.',
    names: ['Activity', 'Document', 'Meeting', 'Post', 'WikiPage', 'WorkPackage'],
  });
});

// At the end, because it runs beside the other tests.
describe('the type check', () => {
  on('sqlite')('passes, tests included', async () => {
    expect(await typeCheck).toMatchObject({ status: 0, stdout: '' });
  });
});
