/** The operations on attachments, alone and of each container (interface 4.1). */
import type { Profile } from '../../contract/profiles.js';
import { containerKinds, containerTypes } from '../../contract/container-kinds.js';
import { one } from '../../contract/words.js';
import { freshHeaders, named } from './headers.js';
import { bodyFaults, hal, idOf, needlessBody, noContent, operation } from './operations.js';
import { preparation, upload } from './requests.js';

/** As clients are told: "edit work packages, add work packages, or …". */
const wordsOf = (permissions: readonly string[]) => {
  const words = permissions.map((permission) => permission.replaceAll('_', ' '));
  return words.length > 1 ? `${words.slice(0, -1).join(', ')}, or ${words.at(-1)}` : words[0]!;
};
const kinds = containerTypes.map((type) => {
  const { tag, segment, noun, field, order, ...rules } = containerKinds[type];
  return {
    tag,
    segment,
    noun,
    type,
    field,
    order,
    add:
      wordsOf(rules.add) +
      (type === 'Activity' ? '; for internal comments view internal comments as well' : ''),
    ...('prepare' in rules && { prepare: wordsOf(rules.prepare) }),
  };
});

const tag = 'Attachments';

export const attachmentPaths = (profile: Profile) => ({
  '/attachments': {
    post: operation({
      operationId: 'createAttachment',
      tag,
      summary: 'Create an attachment without container',
      graphql: 'createAttachment',
      description:
        'A regular upload (interface 4.1 and 4.2), to be claimed later by the same user. It asks for one of the permissions of interface section 5 in any project; visitors are refused.',
      body: upload,
      answers: hal(profile.createdStatus, 'Attachment', 'The stored file.'),
      refusals: [...bodyFaults, 'MissingPermission', 'PropertyConstraintViolation'],
    }),
  },
  '/attachments/prepare': {
    post: operation({
      operationId: 'prepareAttachment',
      tag,
      summary: 'Prepare a direct upload without container',
      graphql: 'prepareAttachmentUpload',
      description: `${PREPARE} It asks for one of the permissions of interface section 5 in any project; visitors are refused.`,
      body: preparation,
      answers: hal(
        201,
        'AttachmentUpload',
        'The prepared upload, which cannot be read again.',
        freshHeaders,
      ),
      refusals: [...bodyFaults, 'MissingPermission', 'PropertyConstraintViolation'],
    }),
  },
  '/attachments/{id}': {
    parameters: [idOf('attachment')],
    get: operation({
      operationId: 'viewAttachment',
      tag,
      summary: 'View an attachment',
      graphql: 'attachment',
      description:
        'For those who may view its container, or its author where it has none (interface 4.1 and section 5).',
      answers: hal(200, 'Attachment', 'The attachment.'),
      refusals: ['NotFound'],
    }),
    delete: operation({
      operationId: 'deleteAttachment',
      tag,
      summary: 'Delete an attachment',
      graphql: 'deleteAttachment',
      description:
        'For those who may edit its container, or its author where it has none (interface 4.1, sections 5 and 7).',
      answers: noContent('The attachment and its content are gone.'),
      refusals: [...needlessBody, 'MissingPermission', 'NotFound'],
    }),
  },
  '/attachments/{id}/uploaded': {
    parameters: [idOf('attachment')],
    get: operation({
      operationId: 'completeAttachmentUpload',
      tag,
      summary: 'Complete a direct upload',
      graphql: 'completeAttachmentUpload',
      description:
        'Says that the bytes of a prepared upload are in the storage; it is finalised in the background (interface section 3, 4.3 and 7.5). For the user who prepared it. Repeated while that is pending, it answers the same; afterwards 404. `HEAD` completes nothing.',
      answers: hal(
        200,
        'CompletedAttachment',
        'The attachment, which embeds nothing here.',
        freshHeaders,
      ),
      refusals: ['NotFound'],
    }),
  },
  '/attachments/{id}/content': { parameters: [idOf('attachment')], get: download },
  ...Object.fromEntries(
    kinds.flatMap((kind) => [
      [`/${kind.segment}/{id}/attachments`, ofContainer(profile, kind)],
      [`/${kind.segment}/{id}/attachments/prepare`, preparationOf(kind)],
    ]),
  ),
});

const PREPARE =
  'The first of three steps (interface 4.3): then the client posts the form fields and the file to the storage, and completes. Where the storage takes no direct uploads the answer is 422, and the client uses the regular upload.';

const preparationOf = ({
  tag,
  noun,
  type,
  add,
  prepare = add,
}: (typeof kinds)[number] & { prepare?: string }) => ({
  parameters: [idOf(noun)],
  post: operation({
    operationId: `prepare${type}Attachment`,
    tag,
    summary: `Prepare a direct upload for ${one(noun)}`,
    graphql: 'prepareAttachmentUpload',
    description: `${PREPARE} It asks for: ${prepare} (interface section 5); visitors are refused.`,
    body: preparation,
    answers: hal(
      201,
      'ContainerAttachmentUpload',
      'The prepared upload, which cannot be read again.',
      freshHeaders,
    ),
    refusals: [...bodyFaults, 'MissingPermission', 'NotFound', 'PropertyConstraintViolation'],
  }),
});

function ofContainer(
  { createdStatus }: Profile,
  { tag, noun, type, field, add, order: by }: (typeof kinds)[number],
) {
  const order = by === 'fileName' ? 'file name' : 'creation';
  return {
    parameters: [idOf(noun)],
    get: operation({
      operationId: `list${type}Attachments`,
      tag,
      summary: `List the attachments of ${one(noun)}`,
      graphql: field,
      description: `By ${order}, for those who may view the ${noun} (interface 4.1 and section 5).`,
      answers: hal(200, 'AttachmentCollection', 'All its finished attachments.'),
      refusals: ['NotFound'],
    }),
    post: operation({
      operationId: `add${type}Attachment`,
      tag,
      summary: `Add an attachment to ${one(noun)}`,
      graphql: 'createAttachment',
      description: `A regular upload (interface 4.1 and 4.2). It asks for: ${add} (interface section 5).`,
      body: upload,
      answers: hal(createdStatus, 'Attachment', 'The stored file.'),
      refusals: [...bodyFaults, 'MissingPermission', 'NotFound', 'PropertyConstraintViolation'],
    }),
  };
}

/** Types that are shown as they are; all text is sent as plain text, everything else as bytes. */
const servedTypes = [
  'text/plain',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'application/pdf',
  'video/mp4',
  'video/webm',
  'application/octet-stream',
];
const bytes = Object.fromEntries(servedTypes.map((type) => [type, {}]));
const fileHeaders = named(
  'X-Request-Id',
  'X-Content-Type-Options',
  'Cache-Control',
  'ETag',
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Security-Policy',
);
const requestHeader = (name: string, description: string) => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
});

const download = operation({
  operationId: 'downloadAttachment',
  tag,
  summary: 'Download the content of an attachment',
  graphql: 'attachment',
  description:
    'The target of `staticDownloadLocation` and `downloadLocation` (interface 2.2 and 4.1), with conditions and ranges of RFC 9110. GraphQL names the file; its bytes travel over this address only.',
  parameters: [
    requestHeader('If-Match', 'Refuse unless the content has one of these entity tags.'),
    requestHeader('If-None-Match', 'Answer 304 where the content has one of these entity tags.'),
    requestHeader('Range', 'One range of bytes; several are answered with the whole content.'),
    requestHeader('If-Range', 'Heed the range only where the content still has this entity tag.'),
  ],
  answers: {
    200: {
      description: 'The whole content.',
      headers: { ...fileHeaders, ...named('Content-Length') },
      content: bytes,
    },
    206: {
      description: 'The range that was asked for.',
      headers: { ...fileHeaders, ...named('Content-Length', 'Content-Range') },
      content: bytes,
    },
    302: {
      description:
        'The file is in a remote storage: a short-lived address at which it is read without credentials (interface 2.2).',
      headers: named('X-Request-Id', 'X-Content-Type-Options', 'Private-Cache-Control', 'Location'),
    },
    304: {
      description: 'The client has this content already.',
      headers: named('X-Request-Id', 'Cache-Control', 'ETag'),
    },
  },
  refusals: ['MissingPermission', 'NotFound', 'PreconditionFailed', 'RangeNotSatisfiable'],
});
