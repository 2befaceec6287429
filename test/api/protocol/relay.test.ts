/**
 * The Relay server specifications (object identification, cursor connections), checked on the whole schema as clients
 * see it.
 */
import {
  buildClientSchema,
  getIntrospectionQuery,
  isObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import { globalId } from '../../../src/contract/ids.js';
import { schema as served } from '../../../src/graphql/schema.js';
import { startApp, type App } from '../../support/app.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { createSampleData } from './sample-data.js';

let app: App;
let admin: Person;
/** The global id of one row of each Node type. Its lists have some rows each. */
let one: { [type: string]: string };
beforeAll(async () => {
  app = await startApp({ TRASH_DAYS: '30' });
  ({ admin, one } = await createSampleData(app));
  for (const kind of ['Activity', 'Meeting', 'Post', 'WikiPage', 'WorkPackage'])
    await fillTrash(one[kind]!);
});
afterAll(() => app.stop());

async function fillTrash(containerId: string): Promise<void> {
  const ids: string[] = [];
  for (let file = 0; file < 6; file += 1) {
    const { data } = await app.graphqlUpload(
      `mutation ($containerId: ID!, $file: Upload!) {
        createAttachment(input: { containerId: $containerId, fileName: "old.txt", file: $file }) {
          attachment { id }
        }
      }`,
      { containerId },
      'old',
      admin,
    );
    ids.push(data.createAttachment.attachment.id);
  }
  const { errors } = await app.graphql(
    'mutation ($ids: [ID!]!) { deleteAttachments(input: { ids: $ids }) { __typename } }',
    { ids },
    admin,
  );
  expect(errors).toBeUndefined();
}

const objectTypes = (schema: GraphQLSchema) =>
  Object.values(schema.getTypeMap()).filter(
    (type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith('__'),
  );
const fieldsOf = (type: GraphQLObjectType) =>
  Object.fromEntries(
    Object.entries(type.getFields()).map(([name, field]) => [name, String(field.type)]),
  );

interface List {
  parent: string;
  field: string;
}

/** Every field of an object that returns a connection, e.g. `WorkPackage.attachments`. */
const lists = objectTypes(served).flatMap((type): List[] =>
  Object.values(type.getFields())
    .filter((field) => String(field.type).endsWith('Connection!'))
    .map(({ name }) => ({ parent: type.name, field: name })),
);

interface Arguments {
  first?: number;
  after?: string | null;
  last?: number;
  before?: string | null;
}
/** A deleted file has the id that it had, but no longer is the object with this id. */
const idField = ({ field }: List) => (field === 'deletedAttachments' ? 'id: attachmentId' : 'id');
const pageOf = (list: List) => {
  const id = idField(list);
  return `totalCount nodes { ${id} } edges { cursor node { ${id} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`;
};

async function ask(wanted: List, asked: Arguments) {
  const { parent, field } = wanted;
  const list = `${field}(first: $first, after: $after, last: $last, before: $before) { ${pageOf(wanted)} }`;
  const found =
    parent === 'Query'
      ? list
      : `found: node(id: "${one[parent]}") { ... on ${parent} { ${list} } }`;
  const query = `query ($first: Int, $after: String, $last: Int, $before: String) { ${found} }`;
  return app.graphql(query, asked, admin);
}

/** One page, with checks that its parts agree. */
async function page(
  list: List,
  asked: Arguments,
): Promise<{ ids: string[]; cursors: string[]; next: boolean; total: number }> {
  const { data, errors } = await ask(list, asked);
  expect(errors).toBeUndefined();
  const { totalCount, nodes, edges, pageInfo } = (list.parent === 'Query' ? data : data.found)[
    list.field
  ];
  const cursors = edges.map(({ cursor }: { cursor: string }) => cursor);
  expect(nodes).toEqual(edges.map(({ node }: { node: object }) => node));
  expect(pageInfo).toEqual({
    hasNextPage: expect.any(Boolean),
    hasPreviousPage: asked.after !== undefined,
    startCursor: cursors[0] ?? null,
    endCursor: cursors.at(-1) ?? null,
  });
  return {
    ids: nodes.map(({ id }: { id: string }) => id),
    cursors,
    next: pageInfo.hasNextPage,
    total: totalCount,
  };
}

describe('the schema', () => {
  let schema: GraphQLSchema;
  beforeAll(async () => {
    schema = buildClientSchema((await app.graphql(getIntrospectionQuery())).data);
  });

  test('has the Node interface and its root field', () => {
    expect(String(schema.getType('Node'))).toBe('Node');
    expect(
      Object.values((schema.getType('Node') as GraphQLObjectType).getFields()).map(
        ({ name, type }) => `${name}: ${type}`,
      ),
    ).toEqual(['id: ID!']);
    const { args, type } = schema.getQueryType()!.getFields()['node']!;
    expect([String(type), args.map((argument) => `${argument.name}: ${argument.type}`)]).toEqual([
      'Node',
      ['id: ID!'],
    ]);
  });

  test('every object with a global id is a Node, except the upload form, which is shown once', () => {
    const identified = objectTypes(schema).filter((type) => fieldsOf(type)['id'] === 'ID!');
    expect(
      identified
        .filter((type) => !type.getInterfaces().some(({ name }) => name === 'Node'))
        .map(({ name }) => name),
    ).toEqual(['AttachmentUpload']);
    expect(identified.length).toBeGreaterThan(10);
  });

  test('page information has the four fields with their types', () => {
    expect(fieldsOf(schema.getType('PageInfo') as GraphQLObjectType)).toEqual({
      hasNextPage: 'Boolean!',
      hasPreviousPage: 'Boolean!',
      startCursor: 'String',
      endCursor: 'String',
    });
  });

  test('every connection has edges with node and cursor, and page information', () => {
    const connections = objectTypes(schema).filter(({ name }) => name.endsWith('Connection'));
    for (const connection of connections) {
      const of = connection.name.replace(/Connection$/, '');
      expect(fieldsOf(connection)).toMatchObject({
        edges: `[${of}Edge!]!`,
        nodes: `[${of}!]!`,
        pageInfo: 'PageInfo!',
      });
      expect(fieldsOf(schema.getType(`${of}Edge`) as GraphQLObjectType)).toEqual({
        node: `${of}!`,
        cursor: 'String!',
      });
    }
    expect(connections.length).toBeGreaterThan(5);
    const ending = (suffix: string) =>
      objectTypes(schema).filter(({ name }) => name.endsWith(suffix)).length;
    expect(ending('Edge')).toBe(connections.length);
  });

  test('every list is a connection with first, after, last and before', () => {
    for (const { parent, field } of lists) {
      const { args } = (schema.getType(parent) as GraphQLObjectType).getFields()[field]!;
      expect(Object.fromEntries(args.map(({ name, type }) => [name, String(type)]))).toMatchObject({
        first: 'Int',
        after: 'String',
        last: 'Int',
        before: 'String',
      });
    }
    expect(lists.map(({ parent, field }) => `${parent}.${field}`).sort()).toEqual([
      'Activity.attachments',
      'Activity.deletedAttachments',
      'Meeting.attachments',
      'Meeting.deletedAttachments',
      'Post.attachments',
      'Post.deletedAttachments',
      'Project.deletedAttachments',
      'Project.meetings',
      'Project.members',
      'Project.memberships',
      'Project.posts',
      'Project.wikiPages',
      'Project.workPackages',
      'Query.attachments',
      'Query.auditEvents',
      'Query.fileLinks',
      'Query.memberships',
      'Query.oauthApplications',
      'Query.projectStorages',
      'Query.projects',
      'Query.quarantinedAttachments',
      'Query.storages',
      'Query.users',
      'Query.usersSessions',
      'Query.webhooks',
      'Query.workPackages',
      'Storage.connections',
      'Storage.projectStorages',
      'User.authorizations',
      'User.connections',
      'User.memberships',
      'User.notifications',
      'User.pendingUploads',
      'User.recentAttachments',
      'User.sessions',
      'Webhook.deliveries',
      'WikiPage.attachments',
      'WikiPage.deletedAttachments',
      'WorkPackage.activities',
      'WorkPackage.attachments',
      'WorkPackage.deletedAttachments',
      'WorkPackage.fileLinks',
    ]);
  });

  test('every Node is found by its id, and each id belongs to one object', async () => {
    const types = schema
      .getPossibleTypes(schema.getType('Node') as never)
      .map(({ name }) => name)
      .sort();
    expect(Object.keys(one).sort()).toEqual(types);
    for (const [type, id] of Object.entries(one)) {
      const { data, errors } = await app.graphql(
        'query ($id: ID!) { node(id: $id) { __typename id } }',
        { id },
        admin,
      );
      expect({ data, errors }).toEqual({
        data: { node: { __typename: type, id } },
        errors: undefined,
      });
    }
    expect(new Set(Object.values(one)).size).toBe(types.length);
  });

  test('a global id has one form: every other spelling names nothing', async () => {
    const spellings = (type: string, id: string): string[] => {
      const text = Buffer.from(id, 'base64url').toString();
      const number = text.slice(type.length + 1);
      const encoded = (other: string) => Buffer.from(other).toString('base64url');
      const last = id.at(-1)!;
      // The same bytes with other unused bits at the end.
      const sameBytes = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
        .split('')
        .map((letter) => id.slice(0, -1) + letter)
        .filter((other) => other !== id && Buffer.from(other, 'base64url').toString() === text);
      return [
        `${id}=`,
        `${id}==`,
        ` ${id}`,
        `${id}\n`,
        `${id.slice(0, 4)}\n${id.slice(4)}`,
        `${id}.`,
        `${id}*${last}`,
        `${id.slice(0, 2)}*${id.slice(2)}`,
        id + ' '.repeat(300),
        ...sameBytes,
        encoded(`${type}:0${number}`),
        encoded(`${type}:+${number}`),
        encoded(`${type}: ${number}`),
        encoded(`${type}:${number}.0`),
        encoded(
          `${type}:${number.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))}`,
        ),
        encoded(`${type.toLowerCase()}:${number}`),
        encoded(`${text}\n`),
      ];
    };
    const node = 'query ($id: ID!) { node(id: $id) { __typename } }';
    let sameBytes = 0;
    for (const [type, id] of Object.entries(one))
      for (const spelling of spellings(type, id)) {
        sameBytes += Number(
          Buffer.from(spelling, 'base64url').toString() === Buffer.from(id, 'base64url').toString(),
        );
        const { data, errors } = await app.graphql(node, { id: spelling }, admin);
        expect({ type, spelling, data, errors }).toEqual({
          type,
          spelling,
          data: { node: null },
          errors: undefined,
        });
      }
    expect(sameBytes).toBeGreaterThan(20);
    const { errors } = await app.graphql(
      'query ($id: ID!) { attachment(id: $id) { id } }',
      { id: `${one['Attachment']}=` },
      admin,
    );
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', status: 404 } }]);
  });

  const NODES = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';

  test('nodes returns objects of all types in the order of their ids, also the same one twice', async () => {
    const ids = Object.values(one);
    const asked = [
      ...ids,
      'nonsense',
      ...ids.toReversed(),
      globalId('Attachment', 99_999),
      ids[0]!,
    ];
    const nodeOf = (id: string) => {
      const type = Object.keys(one).find((name) => one[name] === id);
      return type ? { __typename: type, id } : null;
    };
    const { data, errors } = await app.graphql(NODES, { ids: asked }, admin);
    expect({ data, errors }).toEqual({
      data: { nodes: asked.map(nodeOf) },
      errors: undefined,
    });
    expect((await app.graphql(NODES, { ids: [] }, admin)).data).toEqual({ nodes: [] });
  });

  test('nodes has null for objects that the caller cannot see, and shows what node shows', async () => {
    const ids = Object.values(one);
    for (const caller of [await app.given.user(), undefined]) {
      const { data } = await app.graphql(NODES, { ids }, caller);
      const each = [];
      for (const id of ids)
        each.push(
          (
            await app.graphql(
              'query ($id: ID!) { node(id: $id) { __typename id } }',
              { id },
              caller,
            )
          ).data.node,
        );
      expect(data.nodes).toEqual(each);
      expect(each.filter((node) => node !== null).length).toBeLessThan(2);
    }
  });

  test('nodes takes at most 100 ids, and reads the rows of a type in one statement', async () => {
    const project = await app.given.project();
    const author = await app.given.user({ admin: true });
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1)
      ids.push((await app.given.workPackage(project, author)).globalId);
    let data: any;
    const statements = await app.statements(async () => {
      ({ data } = await app.graphql(NODES, { ids }, author));
    });
    expect(data.nodes).toEqual(ids.map((id) => ({ __typename: 'WorkPackage', id })));
    expect(statements.filter((sql) => sql.includes('work_packages'))).toHaveLength(1);
    const many = Array.from({ length: 100 }, (_, n) => globalId('WorkPackage', n + 1));
    expect((await app.graphql(NODES, { ids: many }, author)).data.nodes).toHaveLength(100);
    const refused = await app.graphql(NODES, { ids: [...many, 'x'] }, author);
    expect({ data: refused.data, errors: refused.errors }).toEqual({
      data: null,
      errors: [
        {
          message: 'The argument "ids" has more than 100 ids.',
          path: ['nodes'],
          locations: [expect.any(Object)],
          extensions: {
            code: 'INVALID_QUERY',
            errorIdentifier: 'urn:service-org:api:v3:errors:InvalidQuery',
            status: 400,
            attribute: 'ids',
          },
        },
      ],
    });
  });

  test('node is null for missing objects and for objects that the caller cannot see', async () => {
    const stranger = await app.given.user();
    // Users can see each other.
    const hidden = Object.entries(one).filter(([type]) => type !== 'User');
    for (const [, id] of hidden)
      expect(
        (await app.graphql('query ($id: ID!) { node(id: $id) { __typename } }', { id }, stranger))
          .data,
      ).toEqual({ node: null });
    for (const id of [
      'nonsense',
      '',
      '1',
      Buffer.from('Attachment:99999').toString('base64url'),
      Buffer.from('Query:1').toString('base64url'),
    ]) {
      expect(
        (await app.graphql('query ($id: ID!) { node(id: $id) { __typename } }', { id }, admin))
          .data,
      ).toEqual({ node: null });
    }
  });
});

/** All rows: every list of this test is shorter. */
const WHOLE = { first: 200 };

describe.each(lists)('$parent.$field', (list) => {
  test('reading page by page finds every row once, in the order of the whole list', async () => {
    const whole = await page(list, WHOLE);
    expect(new Set(whole.ids).size).toBe(whole.total);
    expect(whole.total).toBeGreaterThanOrEqual(5);
    const walked: string[] = [];
    for (let asked: Arguments | undefined = { first: 2 }; asked;) {
      const { ids, cursors, next, total } = await page(list, asked);
      expect(total).toBe(whole.total);
      walked.push(...ids);
      expect([ids.length, next]).toEqual([
        walked.length < total ? 2 : ids.length,
        walked.length < total,
      ]);
      asked = next ? { first: 2, after: cursors.at(-1)! } : undefined;
    }
    expect(walked).toEqual(whole.ids);
  });

  test('every cursor is followed by the next rows', async () => {
    const { ids, cursors } = await page(list, WHOLE);
    for (const [at, after] of cursors.entries())
      expect((await page(list, { first: 200, after })).ids).toEqual(ids.slice(at + 1));
  });

  test('last and before return the rows that the Relay specification says, with first and after too', async () => {
    const { ids, cursors } = await page(list, WHOLE);
    const bounds = [undefined, ...cursors.slice(0, 5).keys()];
    const asked: { [alias: string]: string } = {};
    const expected: { [alias: string]: object } = {};
    const total = ids.length;
    for (const after of bounds)
      for (const before of bounds)
        for (const size of [{}, { first: 2 }, { last: 0 }, { last: 2 }, { last: 100 }]) {
          const args = [
            ...Object.entries(size).map(([name, value]) => `${name}: ${value}`),
            ...(after === undefined ? [] : [`after: "${cursors[after]}"`]),
            ...(before === undefined ? [] : [`before: "${cursors[before]}"`]),
          ];
          const { last, first = last === undefined ? 20 : undefined } = size as {
            first?: number;
            last?: number;
          };
          const between = ids.slice(
            after === undefined ? 0 : after + 1,
            before === undefined ? total : before,
          );
          const alias = `a${Object.keys(asked).length}`;
          asked[alias] =
            `${list.field}${args.length > 0 ? `(${args.join(', ')})` : ''} { totalCount nodes { ${idField(list)} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
          const shown =
            last === undefined
              ? between.slice(0, first)
              : between.slice(Math.max(0, between.length - last));
          const at = (id: string | undefined) =>
            id === undefined ? null : cursors[ids.indexOf(id)];
          expected[alias] = {
            totalCount: total,
            nodes: shown.map((id) => ({ id })),
            pageInfo: {
              hasNextPage: before !== undefined || (first !== undefined && between.length > first),
              hasPreviousPage: after !== undefined || (last !== undefined && between.length > last),
              startCursor: at(shown[0]),
              endCursor: at(shown.at(-1)),
            },
          };
        }
    const aliases = Object.keys(asked);
    while (aliases.length > 0) {
      const some = aliases.splice(0, 8);
      const fields = some.map((alias) => `${alias}: ${asked[alias]}`).join(' ');
      const { parent } = list;
      const { data, errors } = await app.graphql(
        parent === 'Query'
          ? `{ ${fields} }`
          : `{ found: node(id: "${one[parent]}") { ... on ${parent} { ${fields} } } }`,
        {},
        admin,
      );
      expect(errors).toBeUndefined();
      expect(parent === 'Query' ? data : data.found).toEqual(
        Object.fromEntries(some.map((alias) => [alias, expected[alias]])),
      );
    }
  });

  test('reading from the end page by page finds every row once', async () => {
    const { ids } = await page(list, WHOLE);
    const walked: string[] = [];
    for (let before: string | undefined | null = undefined; before !== null;) {
      const { data } = await ask(list, { last: 2, ...(before && { before }) });
      const { nodes, pageInfo } = (list.parent === 'Query' ? data : data.found)[list.field];
      walked.unshift(...nodes.map(({ id }: { id: string }) => id));
      expect(pageInfo.hasPreviousPage).toBe(walked.length < ids.length);
      before = pageInfo.hasPreviousPage ? pageInfo.startCursor : null;
    }
    expect(walked).toEqual(ids);
  });

  test('a page has at most 200 rows and by default 20', async () => {
    const { ids } = await page(list, WHOLE);
    expect((await page(list, {})).ids).toEqual(ids.slice(0, 20));
    for (const name of ['first', 'last']) {
      const { errors } = await ask(list, { [name]: 201 });
      expect(errors?.map(({ message }) => message)).toEqual([
        `The argument "${name}" is a number from 0 to 200.`,
      ]);
    }
  });

  test('first: 0 returns an empty page; a negative count and an unknown cursor are refused', async () => {
    expect(await page(list, { first: 0 })).toMatchObject({ ids: [], next: true });
    for (const [asked, attribute] of [
      [{ first: -1 }, 'first'],
      [{ first: 2, after: 'nonsense' }, 'after'],
      [{ last: -1 }, 'last'],
      [{ last: 2, before: 'nonsense' }, 'before'],
      [{ first: 2, last: 2 }, 'last'],
    ] as const) {
      const { errors } = await ask(list, asked);
      expect(errors?.map(({ extensions: { code, attribute: named } }) => [code, named])).toEqual([
        ['INVALID_QUERY', attribute],
      ]);
    }
  });
});
