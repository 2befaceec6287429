/** The operations on attachments, with and without a container. */
import type { Profile } from '../src/contract/profiles.js';
import {
  containerKinds,
  containerTypes,
  namedContainers,
} from '../src/contract/container-kinds.js';
import { MAX_ARCHIVED_IDS } from '../src/contract/limits.js';
import { withArticle, withCommas } from '../src/contract/words.js';
import { freshHeaders, headerRefs } from './headers.js';
import {
  bodyFaults,
  conditionParameters,
  hal,
  idOf,
  needlessBody,
  noContent,
  notModified,
  operation,
  accessIn,
  queryParameter,
  requestHeader,
  redirect303,
  wholeListParameters,
} from './operation-parts.js';
import { preparation, upload } from './upload-forms.js';

/** Permissions as text: "edit work packages, add work packages, or …". */
const wordsOf = (permissions: readonly string[]) => {
  const words = permissions.map((permission) => permission.replaceAll('_', ' '));
  return words.length > 1 ? `${words.slice(0, -1).join(', ')}, or ${words.at(-1)}` : words.join();
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
      (type === 'Activity' ? '; for internal comments also view internal comments' : ''),
    ...('prepare' in rules && { prepare: wordsOf(rules.prepare) }),
  };
});

const tag = 'Attachments';
const UNCLAIMED = 'Uploads a file without a container. The same user attaches it later.';
const ANYWHERE = `Needs one of these permissions in any project: ${wordsOf(
  namedContainers.flatMap((type) => [...containerKinds[type].add]),
)}. Anonymous callers get 403.`;

export const attachmentPaths = (profile: Profile) => ({
  '/attachments': {
    post: operation({
      operationId: 'createAttachment',
      tag,
      summary: 'Create an attachment without container',
      graphql: 'createAttachment',
      description: `${UNCLAIMED} ${ANYWHERE}`,
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
      description: `${PREPARE} ${ANYWHERE}`,
      body: preparation,
      answers: hal(
        201,
        'AttachmentUpload',
        'The prepared upload. It cannot be read again.',
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
      description: 'For users who can view its container. Without a container, for its author.',
      answers: hal(200, 'Attachment', 'The attachment.'),
      refusals: ['NotFound'],
    }),
    delete: operation({
      operationId: 'deleteAttachment',
      tag,
      summary: 'Delete an attachment',
      graphql: 'deleteAttachment',
      description: 'For users who can edit its container. Without a container, for its author.',
      answers: noContent('The attachment and its content are deleted.'),
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
        'Says that the bytes of a prepared upload are in the store. The service then ' +
        'finalises it in the background. For the user who prepared it. Until it is ' +
        'finalised, the answer stays the same. Afterwards it is 404. `HEAD` completes ' +
        'nothing.',
      answers: hal(
        200,
        'CompletedAttachment',
        'The attachment. Nothing is embedded.',
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
      [`/${kind.segment}/{id}/attachments/archive`, archiveOf(kind)],
    ]),
  ),
});

const PREPARE =
  'The first of three steps. Next, the client posts the form fields and the file ' +
  'to the store. Then it completes the upload. A store without direct uploads ' +
  'answers 422: use the regular upload.';

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
    summary: `Prepare a direct upload for ${withArticle(noun)}`,
    graphql: 'prepareAttachmentUpload',
    description: `${PREPARE} Needs the permission ${prepare}. Anonymous callers get 403.`,
    body: preparation,
    answers: hal(
      201,
      'ContainerAttachmentUpload',
      'The prepared upload. It cannot be read again.',
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
      summary: `List the attachments of ${withArticle(noun)}`,
      graphql: field,
      description: `Ordered by ${order}. For users who can view the ${noun}.`,
      parameters: wholeListParameters,
      answers: hal(200, 'AttachmentCollection', 'All its finished attachments.'),
      refusals: ['NotFound'],
    }),
    post: operation({
      operationId: `add${type}Attachment`,
      tag,
      summary: `Add an attachment to ${withArticle(noun)}`,
      graphql: 'createAttachment',
      description: `Uploads a file. Needs the permission ${add}.`,
      body: upload,
      answers: hal(createdStatus, 'Attachment', 'The stored file.'),
      refusals: [...bodyFaults, 'MissingPermission', 'NotFound', 'PropertyConstraintViolation'],
    }),
  };
}

/** Answers of links that people open, besides those to programs. */
const SIGN_IN = 'For a browser without a session that opens the link: the sign-in.';

const archiveOf = ({ tag, noun, type, field }: (typeof kinds)[number]) => ({
  parameters: [idOf(noun)],
  get: operation({
    operationId: `archive${type}Attachments`,
    tag,
    summary: `Download the attachments of ${withArticle(noun)} as one ZIP archive`,
    graphql: field,
    description:
      `For users who can view the ${noun}. Files that they may not download, and files that are ` +
      'gone, are listed in a text file inside. `HEAD` has no `Content-Length`.',
    parameters: [
      queryParameter(
        'ids',
        `Only these attachments: 1 to ${withCommas(MAX_ARCHIVED_IDS)} ids with commas between them. ` +
          'Without it: all.',
        { type: 'string' },
      ),
      accessIn('attachmentsArchive'),
    ],
    answers: {
      200: {
        description: 'The archive. The files in it are not compressed again.',
        headers: headerRefs(
          'X-Request-Id',
          'X-Content-Type-Options',
          'Private-Cache-Control',
          'Content-Disposition',
        ),
        content: { 'application/zip': {} },
      },
      ...redirect303(SIGN_IN),
    },
    refusals: ['InvalidQuery', 'MissingPermission', 'NotFound'],
  }),
});

/** Types that browsers can show. Other files are sent as text/plain or as bytes. */
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
const fileHeaders = headerRefs(
  'X-Request-Id',
  'X-Content-Type-Options',
  'Cache-Control',
  'ETag',
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Security-Policy',
);
const download = operation({
  operationId: 'downloadAttachment',
  tag,
  summary: 'Download the content of an attachment',
  graphql: 'attachment',
  description:
    'The target of `staticDownloadLocation` and `downloadLocation`, with ' +
    'conditions and ranges of RFC 9110. GraphQL has no field for the bytes: they ' +
    'are served here only.',
  parameters: [
    queryParameter(
      'disposition',
      'Whether a browser saves the file (`attachment`) or shows it if that is safe (`inline`).',
      { type: 'string', enum: ['attachment', 'inline'], default: 'inline' },
    ),
    accessIn('contentAddress'),
    ...conditionParameters,
    requestHeader(
      'Range',
      'One range of bytes. For several ranges, the answer is the whole content.',
    ),
    requestHeader('If-Range', 'Use the range only if the content still has this entity tag.'),
  ],
  answers: {
    200: {
      description: 'The whole content.',
      headers: { ...fileHeaders, ...headerRefs('Content-Length') },
      content: bytes,
    },
    206: {
      description: 'The requested range.',
      headers: { ...fileHeaders, ...headerRefs('Content-Length', 'Content-Range') },
      content: bytes,
    },
    302: {
      description:
        'The file is in a remote store: redirects to a short-lived address that needs ' +
        'no credentials.',
      headers: headerRefs(
        'X-Request-Id',
        'X-Content-Type-Options',
        'Private-Cache-Control',
        'Location',
      ),
    },
    ...redirect303(SIGN_IN),
    ...notModified,
  },
  refusals: [
    'InvalidQuery',
    'MissingPermission',
    'NotFound',
    'PreconditionFailed',
    'RangeNotSatisfiable',
  ],
});
