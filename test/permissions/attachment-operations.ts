/** The requests of moved and deleted attachments, of their small pictures, and of resumable uploads. */
import { create, patch, TUS } from '../support/tus.js';
import type { Answer } from '../support/app.js';
import {
  inList,
  isFound,
  overGraphql,
  overRest,
  queryGraphql,
  rest,
  type OperationRequests,
  type Result,
} from './requests.js';
import type { AttachmentOperation } from './expected-attachments.js';
import { CONTENT, PICTURE, type Subject } from './targets.js';

const REPLACE =
  'mutation ($file: Upload!, $id: ID!) { replaceAttachment(input: { id: $id, file: $file, fileName: "new.txt" }) { attachment { databaseId fileName } } }';
const uploadPath = ({ attachmentId }: Subject) => `/uploads/${attachmentId}`;
const idsOf = ({ nodes }: any): number[] => nodes.map(({ databaseId }: any) => databaseId);
const idsIn = ({ deletedAttachments }: any): number[] => idsOf(deletedAttachments);

/** HEAD is answered without a body. */
function withoutBody(answer: Answer): Result {
  const result = overRest(answer);
  return answer.status === 404 ? { ...result, refusal: { identifier: 'NotFound' } } : result;
}

/** The answer if it shows the attachment. */
const shown = (result: Result, ids: number[], { attachmentId }: Subject): Result =>
  result.outcome === 'ok' && !ids.includes(attachmentId)
    ? { ...result, outcome: 'ok, but with a wrong answer' }
    : result;

export const attachmentRequests: {
  readonly [operation in AttachmentOperation]: OperationRequests;
} = {
  'find attachment': {
    graphql: (client, { attachmentId }) => isFound(client, 'attachments', attachmentId),
  },
  'move attachment': {
    writes: true,
    consumes: true,
    graphql: async (client, subject) => {
      const result = await queryGraphql(
        client,
        'mutation ($ids: [ID!]!, $to: ID!) { moveAttachments(input: { ids: $ids, to: $to }) { attachments { databaseId container { databaseId } } } }',
        { ids: [String(subject.attachmentId)], to: subject.target!.globalId },
      );
      const moved = () =>
        result.body.moveAttachments.attachments.filter(
          ({ container }: any) => container.databaseId === subject.target!.id,
        );
      return result.outcome === 'ok'
        ? shown(
            result,
            moved().map(({ databaseId }: any) => databaseId),
            subject,
          )
        : result;
    },
  },
  'replace attachment': {
    writes: true,
    consumes: true,
    offers: {
      viewerCanMove: {
        isOffered: async (client, { attachmentId }) =>
          (
            await queryGraphql(
              client,
              'query ($id: ID!) { attachment(id: $id) { viewerCanMove } }',
              { id: String(attachmentId) },
            )
          ).body.attachment.viewerCanMove,
      },
    },
    graphql: async ({ app, person }, { attachmentId }) =>
      overGraphql(
        await app.graphqlUpload(REPLACE, { id: String(attachmentId) }, 'other text', person),
      ),
  },
  'restore attachment': {
    writes: true,
    consumes: true,
    graphql: (client, { attachmentId }) =>
      queryGraphql(
        client,
        'mutation ($ids: [ID!]!) { restoreAttachments(input: { ids: $ids }) { attachments { databaseId } } }',
        { ids: [String(attachmentId)] },
      ),
  },
  'list trash': {
    graphql: async (client, { container, attachmentId }) =>
      inList(
        await queryGraphql(
          client,
          'query ($id: ID!) { container(id: $id) { deletedAttachments { nodes { databaseId } } } }',
          { id: container!.globalId },
        ),
        (body) => idsIn(body.container),
        attachmentId,
      ),
    alsoVisible: async (client, { projectId, attachmentId }) => {
      const { body } = await queryGraphql(
        client,
        'query ($id: ID!) { project(id: $id) { deletedAttachments(first: 200) { nodes { databaseId } } } }',
        { id: String(projectId) },
      );
      return body.project !== null && idsIn(body.project).includes(attachmentId);
    },
  },
  'empty trash': {
    writes: true,
    consumes: true,
    graphql: (client, { projectId }) =>
      queryGraphql(
        client,
        'mutation ($id: ID!) { emptyTrash(input: { projectId: $id }) { removed } }',
        { id: String(projectId) },
      ),
  },
  'view small picture': {
    rest: ({ app, person }, { attachmentId }) =>
      rest(app.get(`/previews/${attachmentId}/${PICTURE.address}`, person)),
    graphql: async (client, { attachmentId }) => {
      const result = await queryGraphql(
        client,
        'query ($id: ID!) { attachment(id: $id) { thumbnail(size: SMALL) { href } } }',
        { id: String(attachmentId) },
      );
      return result.outcome === 'ok' &&
        !result.body.attachment.thumbnail?.href.endsWith(
          `/previews/${attachmentId}/${PICTURE.address}`,
        )
        ? { ...result, outcome: 'ok, but with a wrong answer' }
        : result;
    },
  },
  'begin resumable upload': {
    writes: true,
    rest: ({ app, person }, { container }) =>
      rest(create(app, person, 3, { filename: 'new.txt', container: container!.globalId })),
  },
  'begin unclaimed resumable upload': {
    writes: true,
    rest: ({ app, person }) => rest(create(app, person, 3, { filename: 'new.txt' })),
  },
  'ask for resumable upload': {
    writes: true,
    rest: async ({ app, person }, subject) =>
      withoutBody(await app.request('HEAD', uploadPath(subject), { as: person, headers: TUS })),
  },
  'go on with resumable upload': {
    writes: true,
    consumes: true,
    rest: ({ app, person }, subject) => rest(patch(app, uploadPath(subject), person, 0, CONTENT)),
  },
  'end resumable upload': {
    writes: true,
    consumes: true,
    rest: ({ app, person }, subject) =>
      rest(app.request('DELETE', uploadPath(subject), { as: person, headers: TUS })),
  },
};
