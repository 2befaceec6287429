/** The GraphQL multipart request specification, as the client library urql implements it. */
import { Client, fetchExchange, gql, type TypedDocumentNode } from '@urql/core';
import { startApp, type App } from '../../support/app.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

let app: App;
let editor: Person;
let workPackage: ContainerHandle;
let client: Client;
beforeAll(async () => {
  app = await startApp();
  const project = await app.given.project();
  editor = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  workPackage = await app.given.workPackage(project, editor);
  client = clientOf(editor);
});
afterAll(() => app.stop());

const clientOf = (person: Person) =>
  new Client({
    url: `${app.url}/graphql`,
    exchanges: [fetchExchange],
    preferGetMethod: false,
    fetchOptions: {
      headers: { authorization: `Bearer ${person.key}`, 'apollo-require-preflight': 'true' },
    },
  });

const CREATE: TypedDocumentNode<any, { input: object }> = gql`
  mutation ($input: CreateAttachmentInput!) {
    createAttachment(input: $input) {
      attachment {
        __typename
        id
        databaseId
        fileName
        fileSize
        contentType
        description {
          __typename
          raw
        }
        container {
          __typename
          id
        }
      }
    }
  }
`;
const LIST: TypedDocumentNode<any, { id: string }> = gql`
  query ($id: ID!) {
    workPackage(id: $id) {
      __typename
      id
      attachments {
        __typename
        totalCount
        nodes {
          __typename
          id
          fileName
        }
      }
    }
  }
`;

/** The client's result for a file, and its bytes over REST. */
async function create(input: object): Promise<{ attachment: any; bytes: Buffer }> {
  const { data, error } = await client.mutation(CREATE, { input });
  if (error) throw error;
  const { attachment } = data.createAttachment;
  return {
    attachment,
    bytes: (await app.get(`/api/v3/attachments/${attachment.databaseId}/content`, editor)).bytes,
  };
}

test('a file in the middle of an input is uploaded, with the variables around it', async () => {
  const content = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
  const file = new File([content], 'ignored.bin', { type: 'application/octet-stream' });
  const { attachment, bytes } = await create({
    containerId: workPackage.globalId,
    file,
    fileName: 'Grundriß 見.bin',
    description: 'north “wing”',
  });
  expect(attachment).toEqual({
    __typename: 'Attachment',
    id: expect.any(String),
    databaseId: expect.any(Number),
    fileName: 'Grundriß 見.bin',
    fileSize: 300_000,
    contentType: 'application/octet-stream',
    description: { __typename: 'Formattable', raw: 'north “wing”' },
    container: { __typename: 'WorkPackage', id: workPackage.globalId },
  });
  expect(bytes.equals(content)).toBe(true);
});

test('a Blob without a name and an empty file are uploaded', async () => {
  for (const [file, content] of [
    [new Blob(['some text']), 'some text'],
    [new File([], 'empty.txt'), ''],
  ] as const) {
    const { attachment, bytes } = await create({ file, fileName: 'a.txt' });
    expect([
      attachment.fileName,
      attachment.fileSize,
      attachment.container,
      bytes.toString(),
    ]).toEqual(['a.txt', content.length, null, content]);
  }
});

test('concurrent uploads do not interfere', async () => {
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, at) =>
      create({ file: new Blob([`content ${at}`]), fileName: `${at}.txt` }),
    ),
  );
  expect(made.map(({ attachment, bytes }) => [attachment.fileName, bytes.toString()])).toEqual(
    made.map((_, at) => [`${at}.txt`, `content ${at}`]),
  );
});

test('requests without a file are sent and answered as JSON by the same client', async () => {
  const container = await app.given.workPackage({ id: workPackage.projectId }, editor);
  const { id } = await app.given.attachment({ container, author: editor, fileName: 'plan.txt' });
  const { data } = await client.query(LIST, { id: container.globalId });
  const globalId = Buffer.from(`Attachment:${id}`).toString('base64url');
  expect(data).toEqual({
    workPackage: {
      __typename: 'WorkPackage',
      id: container.globalId,
      attachments: {
        __typename: 'AttachmentConnection',
        totalCount: 1,
        nodes: [{ __typename: 'Attachment', id: globalId, fileName: 'plan.txt' }],
      },
    },
  });
});

test('an error reaches the application with its code and attribute, and nothing is stored', async () => {
  const stranger = clientOf(await app.given.user());
  const refusalOf = async (by: Client, input: object) => {
    const { error } = await by.mutation(CREATE, { input });
    return error?.graphQLErrors.map(({ message, path, extensions }) => ({
      message,
      path,
      extensions,
    }));
  };
  const count = async () => (await app.running.services.db.read('attachments').select('id')).length;
  const before = await count();
  const file = new Blob(['some text']);
  expect(await refusalOf(client, { file, fileName: '' })).toEqual([
    {
      message: "File can't be blank.",
      path: ['createAttachment'],
      extensions: {
        code: 'PROPERTY_CONSTRAINT_VIOLATION',
        errorIdentifier: 'urn:service-org:api:v3:errors:PropertyConstraintViolation',
        status: 422,
        attribute: 'file',
      },
    },
  ]);
  expect(
    await refusalOf(stranger, { file, fileName: 'a.txt', containerId: workPackage.globalId }),
  ).toEqual([
    {
      message: 'The requested resource could not be found.',
      path: ['createAttachment'],
      extensions: {
        code: 'NOT_FOUND',
        errorIdentifier: 'urn:service-org:api:v3:errors:NotFound',
        status: 404,
      },
    },
  ]);
  expect(await count()).toBe(before);
});
