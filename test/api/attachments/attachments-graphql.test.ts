import { createHash } from 'node:crypto';
import { startApp, type App } from '../../support/app.js';
import { TIME, TITLE } from '../../support/expected.js';
import { kinds, type ContainerHandle, type Kind, type Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

let app: App;
let project: { id: number; name: string };
let editor: Person;
let stranger: Person;
const everything = [
  'view_work_packages',
  'edit_work_packages',
  'add_work_packages',
  'add_work_package_comments',
  'view_meetings',
  'edit_meetings',
  'view_messages',
  'edit_messages',
  'view_wiki_pages',
  'edit_wiki_pages',
];
beforeAll(async () => {
  app = await startApp();
  project = await app.given.project();
  editor = await app.given.member(project, everything);
  stranger = await app.given.user();
});
afterAll(() => app.stop());

const id = (type: string, databaseId: number) =>
  Buffer.from(`${type}:${databaseId}`).toString('base64url');
const fieldOf: { [kind in Kind]: string } = {
  WorkPackage: 'workPackage',
  Activity: 'activity',
  Meeting: 'meeting',
  Post: 'post',
  WikiPage: 'wikiPage',
};
const error = (
  code: string,
  identifier: string,
  status: number,
  message: string,
  attribute?: string,
) => ({
  message,
  extensions: {
    code,
    errorIdentifier: `urn:service-org:api:v3:errors:${identifier}`,
    status,
    ...(attribute && { attribute }),
  },
});
const notFound = error('NOT_FOUND', 'NotFound', 404, 'The requested resource could not be found.');

const CREATE = `mutation ($container: ID, $file: Upload!, $name: String, $description: String) {
  createAttachment(input: { containerId: $container, file: $file, fileName: $name, description: $description }) {
    attachment {
      id databaseId fileName fileSize status contentType createdAt description { format raw html } digest { algorithm hash }
      author { id databaseId name email } container { __typename id databaseId ${TITLE} project { id name } } viewerCanDelete
    }
  }
}`;

describe.each(kinds)('attachments of a %s over GraphQL', (kind) => {
  let container: ContainerHandle;
  beforeAll(async () => {
    container = await app.given.container(kind, project, editor);
  });

  test('an upload returns the full attachment, REST shows the same, and the bytes are unchanged', async () => {
    const { status, data, errors } = await app.graphqlUpload(
      CREATE,
      { container: container.globalId, name: 'plan.txt', description: 'the <plan>' },
      'content',
      editor,
    );
    expect({ status, errors }).toEqual({ status: 200, errors: undefined });
    const made = data.createAttachment.attachment;
    expect(made).toEqual({
      id: id('Attachment', made.databaseId),
      databaseId: expect.any(Number),
      fileName: 'plan.txt',
      fileSize: 7,
      status: 'UPLOADED',
      contentType: 'text/plain',
      createdAt: TIME,
      description: { format: 'PLAIN', raw: 'the <plan>', html: '<p>the &lt;plan&gt;</p>' },
      digest: { algorithm: 'SHA256', hash: createHash('sha256').update('content').digest('hex') },
      author: { id: id('User', editor.id), databaseId: editor.id, name: editor.name, email: null },
      container: {
        __typename: kind,
        id: container.globalId,
        databaseId: container.id,
        ...(container.title !== null && { title: container.title }),
        project: { id: id('Project', project.id), name: project.name },
      },
      viewerCanDelete: true,
    });
    expect((await app.get(`/api/v3/attachments/${made.databaseId}/content`, editor)).text).toBe(
      'content',
    );
  });

  test('attachments are found by either form of id, and node takes the global id', async () => {
    const row = await app.given.attachment({ container, author: editor, fileName: 'x.txt' });
    const QUERY = `query ($a: ID!, $b: ID!, $c: ID!, $d: ID!) { byGlobal: attachment(id: $a) { databaseId } byInteger: attachment(id: $b) { databaseId } node(id: $a) { __typename id ... on Attachment { fileName } }
      containerByInteger: ${fieldOf[kind]}(id: $c) { id } containerNode: node(id: $d) { __typename id } }`;
    const { data, errors } = await app.graphql(
      QUERY,
      {
        a: id('Attachment', row.id),
        b: String(row.id),
        c: String(container.id),
        d: container.globalId,
      },
      editor,
    );
    expect({ data, errors }).toEqual({
      errors: undefined,
      data: {
        byGlobal: { databaseId: row.id },
        byInteger: { databaseId: row.id },
        node: { __typename: 'Attachment', id: id('Attachment', row.id), fileName: 'x.txt' },
        containerByInteger: { id: container.globalId },
        containerNode: { __typename: kind, id: container.globalId },
      },
    });
  });

  test('a user without access gets NOT_FOUND where REST answers 404, and null from node', async () => {
    const row = await app.given.attachment({ container, author: editor });
    const { data, errors } = await app.graphql(
      `query ($a: ID!) { attachment(id: $a) { fileName } }`,
      { a: String(row.id) },
      stranger,
    );
    expect({ data, errors }).toEqual({
      data: { attachment: null },
      errors: [{ ...notFound, path: ['attachment'], locations: expect.any(Array) }],
    });
    expect(
      (
        await app.graphql(
          `query ($a: ID!) { node(id: $a) { id } }`,
          { a: id('Attachment', row.id) },
          stranger,
        )
      ).data,
    ).toEqual({ node: null });
    expect(
      (await app.graphqlUpload(CREATE, { container: container.globalId, name: 'x' }, 'x', stranger))
        .errors,
    ).toMatchObject([notFound]);
    expect(
      (
        await app.graphql(
          `mutation ($a: ID!) { deleteAttachment(input: { id: $a }) { deletedAttachmentId } }`,
          { a: String(row.id) },
          stranger,
        )
      ).errors,
    ).toMatchObject([notFound]);
  });

  test('cursor pages follow the order of the list', async () => {
    const own = await app.given.container(kind, project, editor);
    for (const fileName of ['c.txt', 'a.txt', 'e.txt', 'b.txt', 'd.txt'])
      await app.given.attachment({ container: own, author: editor, fileName });
    const sorted =
      kind === 'WorkPackage' || kind === 'Meeting'
        ? ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt']
        : ['c.txt', 'a.txt', 'e.txt', 'b.txt', 'd.txt'];
    const PAGE = `query ($id: ID!, $first: Int, $after: String) { container: ${fieldOf[kind]}(id: $id) { attachments(first: $first, after: $after) {
      totalCount nodes { fileName } edges { cursor node { fileName } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;
    const seen: string[] = [];
    let after: string | null = null;
    for (const expected of [
      { size: 2, next: true, previous: false },
      { size: 2, next: true, previous: true },
      { size: 1, next: false, previous: true },
    ]) {
      const { data, errors } = await app.graphql(
        PAGE,
        { id: own.globalId, first: 2, after },
        editor,
      );
      expect(errors).toBeUndefined();
      const { nodes, edges, pageInfo, totalCount } = data.container.attachments;
      expect({ totalCount, size: nodes.length, ...pageInfo }).toEqual({
        totalCount: 5,
        size: expected.size,
        hasNextPage: expected.next,
        hasPreviousPage: expected.previous,
        startCursor: edges[0].cursor,
        endCursor: edges.at(-1).cursor,
      });
      expect(edges.map(({ node }: any) => node)).toEqual(nodes);
      seen.push(...nodes.map(({ fileName }: { fileName: string }) => fileName));
      after = pageInfo.endCursor;
    }
    expect(seen).toEqual(sorted);
    const whole = await app.graphql(PAGE, { id: own.globalId }, editor);
    expect(whole.data.container.attachments.nodes.map(({ fileName }: any) => fileName)).toEqual(
      sorted,
    );
    const none = await app.graphql(PAGE, { id: own.globalId, first: 0 }, editor);
    expect(none.data.container.attachments).toEqual({
      totalCount: 5,
      nodes: [],
      edges: [],
      pageInfo: { hasNextPage: true, hasPreviousPage: false, startCursor: null, endCursor: null },
    });
  });

  test('several pages of one list in one document are independent', async () => {
    const own = await app.given.container(kind, project, editor);
    for (const fileName of ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'])
      await app.given.attachment({ container: own, author: editor, fileName });
    const field = fieldOf[kind];
    const { data } = await app.graphql(
      `query ($id: ID!) { container: ${field}(id: $id) { attachments { edges { cursor } } } }`,
      { id: own.globalId },
      editor,
    );
    const [first, second, third] = data.container.attachments.edges.map(
      ({ cursor }: { cursor: string }) => cursor,
    );
    const page = (name: string, args: string) =>
      `${name}: attachments(${args}) { totalCount nodes { fileName } pageInfo { hasNextPage } }`;
    const pages = await app.graphql(
      `query ($id: ID!, $first: String, $second: String, $third: String) { container: ${field}(id: $id) {
      ${page('one', 'first: 2, after: $first')} ${page('two', 'first: 2, after: $third')} ${page('three', 'after: $second')} ${page('four', 'after: $third')} ${page('five', 'first: 2')}
    } }`,
      { id: own.globalId, first, second, third },
      editor,
    );
    const shown = ({ totalCount, nodes, pageInfo }: any) => [
      totalCount,
      nodes.map(({ fileName }: { fileName: string }) => fileName[0]).join(''),
      pageInfo.hasNextPage,
    ];
    expect(
      Object.entries(pages.data.container).map(([name, list]) => [name, ...shown(list)]),
    ).toEqual([
      ['one', 5, 'bc', true],
      ['two', 5, 'de', false],
      ['three', 5, 'cde', false],
      ['four', 5, 'de', false],
      ['five', 5, 'ab', true],
    ]);
  });

  test('the viewerCan… fields agree with the results of the mutations', async () => {
    const viewer = await app.given.member(project, [
      'view_work_packages',
      'view_meetings',
      'view_messages',
      'view_wiki_pages',
    ]);
    const row = await app.given.attachment({ container, author: editor });
    const ASK = `query ($c: ID!, $a: ID!) { container: ${fieldOf[kind]}(id: $c) { viewerCanAddAttachment viewerCanUpdate viewerCanDelete } attachment(id: $a) { viewerCanDelete } }`;
    const ask = async (person: Person) =>
      (await app.graphql(ASK, { c: container.globalId, a: String(row.id) }, person)).data;
    expect(await ask(editor)).toEqual({
      container: { viewerCanAddAttachment: true, viewerCanUpdate: true, viewerCanDelete: true },
      attachment: { viewerCanDelete: true },
    });
    expect(await ask(viewer)).toEqual({
      container: {
        viewerCanAddAttachment: kind === 'Activity',
        viewerCanUpdate: false,
        viewerCanDelete: false,
      },
      attachment: { viewerCanDelete: false },
    });
  });
});

describe('refusals', () => {
  test('an upload without a file name is the same validation error as over REST', async () => {
    const { data, errors } = await app.graphqlUpload(
      CREATE,
      { container: (await app.given.post(project, editor)).globalId },
      'x',
      editor,
      'part.txt',
    );
    expect({ data, errors }).toEqual({
      data: null,
      errors: [
        {
          ...error(
            'PROPERTY_CONSTRAINT_VIOLATION',
            'PropertyConstraintViolation',
            422,
            "File can't be blank.",
            'file',
          ),
          path: ['createAttachment'],
          locations: expect.any(Array),
        },
      ],
    });
  });

  test('containerId accepts only the global id', async () => {
    const page = await app.given.wikiPage(project, editor);
    for (const container of [
      String(page.id),
      'nonsense',
      id('User', editor.id),
      id('WikiPage', 99_999),
    ]) {
      expect(
        (await app.graphqlUpload(CREATE, { container, name: 'x' }, 'x', editor)).errors,
      ).toMatchObject([notFound]);
    }
  });

  test('a cursor of another list is an InvalidQuery', async () => {
    const page = await app.given.wikiPage(project, editor);
    const { errors } = await app.graphql(
      'query ($id: ID!, $after: String) { wikiPage(id: $id) { attachments(after: $after) { totalCount } } }',
      { id: page.globalId, after: 'bm9uc2Vuc2U' },
      editor,
    );
    expect(errors).toMatchObject([
      error(
        'INVALID_QUERY',
        'InvalidQuery',
        400,
        'The argument "after" is not a cursor of this list.',
        'after',
      ),
    ]);
  });
});

describe('costs', () => {
  test('a list of 50 attachments with authors and containers takes as many SQL statements as a list of 1', async () => {
    const container = await app.given.workPackage(project, editor);
    const QUERY =
      'query ($id: ID!) { workPackage(id: $id) { subject attachments(first: 50) { totalCount nodes { fileName author { name } container { ... on WorkPackage { subject } project { name } } viewerCanDelete } } } }';
    const count = async (number: number) => {
      for (let n = 0; n < number; n += 1)
        await app.given.attachment({
          container,
          author: n % 2 === 0 ? editor : await app.given.user(),
        });
      app.running.services.forgetIdentities();
      return (await app.statements(() => app.graphql(QUERY, { id: container.globalId }, editor)))
        .length;
    };
    // The user; the work package; its attachments; their authors; the project; the permissions.
    expect(await count(1)).toBe(6);
    expect(await count(49)).toBe(6);
  });

  test('the attachments of 20 activities are read in one SQL statement', async () => {
    const workPackage = await app.given.workPackage(project, editor);
    for (let n = 0; n < 20; n += 1) {
      const container = await app.given.comment(workPackage, editor);
      for (const fileName of ['a.txt', 'b.txt', 'c.txt'])
        await app.given.attachment({ container, author: editor, fileName });
    }
    const read = async (paging: string) => {
      const QUERY = `query ($id: ID!) { workPackage(id: $id) { activities { nodes { attachments${paging} { totalCount nodes { fileName } pageInfo { hasNextPage } } } } } }`;
      app.running.services.forgetIdentities();
      let answer: any;
      const statements = await app.statements(async () => {
        answer = await app.graphql(QUERY, { id: workPackage.globalId }, editor);
      });
      return {
        statements: statements.length,
        attachments: answer.data.workPackage.activities.nodes.map(
          (activity: any) => activity.attachments,
        ),
      };
    };
    // The user; the work package; its activities; their attachments.
    const whole = await read('');
    expect(whole).toEqual({
      statements: 4,
      attachments: Array.from({ length: 20 }, () => ({
        totalCount: 3,
        nodes: ['a.txt', 'b.txt', 'c.txt'].map((fileName) => ({ fileName })),
        pageInfo: { hasNextPage: false },
      })),
    });
    const firstTwo = await read('(first: 2)');
    expect(firstTwo).toEqual({
      statements: 5,
      attachments: Array.from({ length: 20 }, () => ({
        totalCount: 3,
        nodes: ['a.txt', 'b.txt'].map((fileName) => ({ fileName })),
        pageInfo: { hasNextPage: true },
      })),
    });
  });

  test('REST reads one attachment, and a list, in a limited number of SQL statements', async () => {
    const container = await app.given.workPackage(project, editor);
    const row = await app.given.attachment({ container, author: editor });
    const cold = async (path: string) => {
      app.running.services.forgetIdentities();
      return (await app.statements(() => app.get(path, editor))).length;
    };
    // Cached entries last one second, and a single request can take longer on a busy machine.
    const warm = async (path: string) => {
      const counts: number[] = [];
      for (let n = 0; n < 10; n += 1)
        counts.push((await app.statements(() => app.get(path, editor))).length);
      return Math.min(...counts);
    };
    expect({
      one: await cold(`/api/v3/attachments/${row.id}`),
      warmOne: await warm(`/api/v3/attachments/${row.id}`),
    }).toEqual({ one: 7, warmOne: 1 });
    expect({
      list: await cold(container.attachments),
      warmList: await warm(container.attachments),
    }).toEqual({ list: 5, warmList: 2 });
  });
});
