/** Every argument and input member that names one row takes the same ids, and answers alike. */
import {
  getNamedType,
  getNullableType,
  GraphQLID,
  isInputObjectType,
  isNonNullType,
} from 'graphql';
import { schema } from '../../../src/graphql/schema.js';
import { startApp, type App } from '../../support/app.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';
import { listen } from '../../support/stream.js';

const globalId = (type: string, id: number) => Buffer.from(`${type}:${id}`).toString('base64url');

/** No argument takes them, whatever rows there are. */
const NO_IDS = [
  '',
  ' ',
  '0',
  '01',
  '+1',
  '-1',
  '1.0',
  '2147483647',
  '99999999999999999999',
  'WorkPackage:1',
  '/api/v3/work_packages/1',
  globalId('Nothing', 1),
  globalId('WorkPackage', 2_147_483_647),
  `${globalId('WorkPackage', 1)}=`,
  globalId('Formattable', 1),
];

/** The root fields that read one row by its id. */
const single = Object.values(schema.getQueryType()!.getFields())
  .filter(({ name, args }) => name !== 'node' && args.some((arg) => arg.name === 'id'))
  .map(({ name }) => name);

let app: App;
let admin: Person;
let workPackage: Awaited<ReturnType<App['given']['workPackage']>>;
beforeAll(async () => {
  app = await startApp();
  admin = await app.given.user({ admin: true });
  workPackage = await app.given.workPackage(await app.given.project(), admin);
});
afterAll(() => app.stop());

const codesOf = async (query: string, variables: object): Promise<unknown> => {
  const { errors } = await app.graphql(query, variables, admin);
  return errors?.map(({ extensions }: any) => extensions.code);
};
const NOT_FOUND = ['NOT_FOUND'];

/** The ids that get another answer than NOT_FOUND, with their answers. */
async function others(
  ids: readonly string[],
  ask: (id: string) => Promise<unknown>,
): Promise<unknown[]> {
  const answers = [];
  for (const id of ids) {
    const answer = await ask(id);
    if (JSON.stringify(answer) !== JSON.stringify(NOT_FOUND)) answers.push([id, answer]);
  }
  return answers;
}

test.each(single)('%s(id)', async (field) => {
  const query = `query ($id: ID) { ${field}(id: $id) { __typename } }`;
  const given = isNonNullType(
    schema
      .getQueryType()!
      .getFields()
      [field]!.args.find(({ name }) => name === 'id')!.type,
  )
    ? query.replace('$id: ID', '$id: ID!')
    : query;
  expect(await others(NO_IDS, (id) => codesOf(given, { id }))).toEqual([]);
});

test('container(id) takes every kind by its global id, and no integer, which has no kind', async () => {
  const query = 'query ($id: ID!) { container(id: $id) { id } }';
  for (const kind of ['WorkPackage', 'Activity', 'Meeting', 'Post', 'WikiPage'] as const) {
    const { id, globalId: whole } = await app.given.container(
      kind,
      { id: workPackage.projectId },
      admin,
    );
    expect(await app.graphql(query, { id: whole }, admin)).toMatchObject({
      data: { container: { id: whole } },
      errors: undefined,
    });
    expect(await others([String(id)], (one) => codesOf(query, { id: one }))).toEqual([]);
  }
});

const inputOf = (mutation: string) => {
  const input = getNamedType(schema.getMutationType()!.getFields()[mutation]!.args[0]!.type);
  if (!isInputObjectType(input)) throw new Error(`${mutation} has no input.`);
  return input;
};
/** The members of the inputs of all mutations that name one row. */
const members = Object.keys(schema.getMutationType()!.getFields()).flatMap((mutation) =>
  Object.values(inputOf(mutation).getFields())
    .filter(({ type }) => getNullableType(type) === GraphQLID)
    .map(({ name }) => [mutation, name] as const),
);

test.each(members)('%s: %s answers like an id that no row has', async (mutation, member) => {
  const storage = await app.given.storage();
  const project = { id: workPackage.projectId };
  await app.given.projectStorage(project, storage);
  const attachment = await app.given.attachment({ container: workPackage, author: admin });
  const linked = await app.graphql(
    `mutation ($input: CreateFileLinksInput!) {
      createFileLinks(input: $input) { fileLinks { id } }
    }`,
    {
      input: {
        workPackageId: workPackage.globalId,
        fileLinks: [{ storageId: storage.globalId, originData: { id: '1', name: 'a' } }],
      },
    },
    admin,
  );
  const right: { [name: string]: unknown } = {
    projectId: String(project.id),
    userId: String(admin.id),
    roleIds: [],
    storageId: String(storage.id),
    subject: 'Order bricks',
    fileName: 'a.txt',
    name: 'a',
    ids: [String(attachment.id)],
    parent: '/',
    // So the id of another member is looked at.
    id: mutation === 'deleteFileLink' ? linked.data.createFileLinks.fileLinks[0].id : undefined,
    ...(mutation === 'updateWorkPackage' && { id: workPackage.globalId }),
  };
  const fields = inputOf(mutation).getFields();
  const given = Object.fromEntries(Object.entries(right).filter(([name]) => name in fields));
  const query = (file: string) =>
    `mutation ($input: ${inputOf(mutation).name}!${file}) { ${mutation}(input: $input) { __typename } }`;
  const answerOf = async (id: string) => {
    const input = { ...given, [member]: id };
    const { data, errors } =
      'file' in fields
        ? await upload(mutation, input)
        : await app.graphql(query(''), { input }, admin);
    return {
      data,
      errors: errors?.map(({ message, extensions }: any) => [message, extensions.code]),
    };
  };
  const upload = (name: string, input: { [member: string]: unknown }) =>
    app.graphqlUpload(
      `mutation ($id: ID!, $file: Upload!) {
        ${name}(input: { ${member}: $id, file: $file${'fileName' in input ? ', fileName: "a.txt"' : ''} }) { __typename }
      }`,
      { id: input[member] },
      'text',
      admin,
    );
  const unknown = await answerOf('2147483646');
  expect(unknown.data).toBeNull();
  for (const id of NO_IDS) expect({ id, ...(await answerOf(id)) }).toEqual({ id, ...unknown });
});

test('the storage of a new file link', async () => {
  const answerOf = async (storageId: string) => {
    const fileLinks = [{ storageId, originData: { id: '1', name: 'a' } }];
    const { data, errors } = await app.graphql(
      `mutation ($input: CreateFileLinksInput!) {
        createFileLinks(input: $input) { fileLinks { id } }
      }`,
      { input: { workPackageId: workPackage.globalId, fileLinks } },
      admin,
    );
    return { data, errors: errors?.map(({ message }: any) => message) };
  };
  const unknown = await answerOf('2147483646');
  expect(unknown.data).toBeNull();
  for (const id of NO_IDS) expect({ id, ...(await answerOf(id)) }).toEqual({ id, ...unknown });
});

test.each(['containerId', 'attachmentId'])('attachmentChanged(%s)', async (name) => {
  const query = `subscription ($id: ID) { attachmentChanged(${name}: $id) { event } }`;
  const codes = async (id: string) => {
    const listener = await listen(app, admin, { query, variables: { id } });
    const [{ errors }] = (await listener.next(1)) as any;
    return errors?.map(({ extensions }: any) => extensions.code);
  };
  expect(await others(NO_IDS, codes)).toEqual([]);
});
