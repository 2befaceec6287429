/** All schemas of documents; here those of files, users, projects and the service. */
import type { Profile } from '../src/contract/profiles.js';
import {
  containerKinds,
  containerTypes,
  namedContainers,
} from '../src/contract/container-kinds.js';
import * as documents from '../src/rest/generated/documents.js';
import { activitySchemas } from './activity-schemas.js';
import { collectionMembers } from './collections.js';
import { containerSchemas } from './container-schemas.js';
import { membersOf, orNull } from './derive.js';
import { links, type Links } from './links.js';
import {
  action,
  array,
  constant,
  described,
  embedded,
  link,
  linkTo,
  methodMember,
  nullLink,
  object,
  oneOf,
  ref,
  text,
  titled,
  typeMember,
  uri,
  type Members,
  type Schema,
} from './shapes.js';

/** @param format the only format of this schema; the GraphQL type has both formats */
const formattable = (format: string, description: string) =>
  object(
    membersOf(documents.FormattableMembersFragmentDoc, { format: constant(format) }),
    description,
  );

/** @param length number of hexadecimal digits, which the GraphQL schema does not have */
const digest = (algorithm: string, length: number): Schema =>
  object(
    membersOf(documents.DigestMembersFragmentDoc, {
      algorithm: constant(algorithm),
      hash: { pattern: `^([0-9a-f]{${length}})?$` },
    }),
  );

const attachment = membersOf(documents.AttachmentMembersFragmentDoc, {
  // No file has an empty name.
  title: { minLength: 1 },
  fileName: { minLength: 1 },
  // Markdown is for comments only.
  description: ref('PlainText'),
});

const attachmentLinks = (container: Schema) =>
  links({
    self: titled('/attachments/{id}'),
    author: titled('/users/{id}'),
    container,
    staticDownloadLocation: link('/attachments/{id}/content'),
    downloadLocation: oneOf(
      link('/attachments/{id}/content'),
      linkTo({ ...uri, pattern: '^https?://' }),
    ),
    'delete?': action('/attachments/{id}', 'delete'),
  });

const segmentsOf = (types: readonly (keyof typeof containerKinds)[]) =>
  types.map((type) => containerKinds[type].segment).join('|');

const claimed = oneOf(titled(`/(${segmentsOf(namedContainers)})/{id}`), link('/activities/{id}'));

const upload = membersOf(documents.AttachmentUploadMembersFragmentDoc, {
  // As for attachments.
  fileName: { minLength: 1 },
  description: ref('PlainText'),
});
const uploadLinks: Links = {
  self: described(
    'The prepared upload. It cannot be read again: this address answers 404.',
    titled('/attachment_upload/{id}'),
  ),
  author: titled('/users/{id}'),
  addAttachment: described(
    'The form that sends the bytes to the store.',
    linkTo(described('Address at the store.', uri), {
      method: methodMember(constant('post')),
      form_fields: {
        type: 'object',
        additionalProperties: { type: 'string' },
        unevaluatedProperties: false,
        description:
          'Parts of the form. Send them unchanged and in this order, before the part ' +
          '`file`. They expire after some minutes.',
      },
    }),
  ),
  completeUpload: link('/attachments/{id}/uploaded'),
  'delete?': action('/attachments/{id}', 'delete'),
  staticDownloadLocation: link('/attachments/{id}/content'),
  downloadLocation: link('/attachments/{id}/content'),
};

const attachments: Members = {
  Attachment: {
    description: 'A file. Its author and, if it has one, its container are embedded.',
    ...oneOf(
      object({
        ...attachment,
        _embedded: embedded({ author: ref('User') }),
        _links: attachmentLinks(nullLink),
      }),
      object({
        ...attachment,
        _embedded: embedded({ author: ref('User'), container: ref('EmbeddedContainer') }),
        _links: attachmentLinks(claimed),
      }),
    ),
  },
  AttachmentElement: object(
    { ...attachment, _links: attachmentLinks(claimed) },
    'A file as an element of a list. Nothing is embedded.',
  ),
  CompletedAttachment: {
    description: 'The attachment of a completed direct upload. Nothing is embedded.',
    ...oneOf(
      object({ ...attachment, _links: attachmentLinks(nullLink) }),
      object({ ...attachment, _links: attachmentLinks(claimed) }),
    ),
  },
  AttachmentUpload: object(
    { ...upload, _links: links(uploadLinks) },
    'A prepared direct upload without a container. The same user attaches it later.',
  ),
  ContainerAttachmentUpload: object(
    { ...upload, _links: links({ ...uploadLinks, container: claimed }) },
    'A prepared direct upload for a container.',
  ),
  AttachmentCollection: object(
    {
      ...collectionMembers('AttachmentElement'),
      _links: links({ self: link(`/(${segmentsOf(containerTypes)})/{id}/attachments`) }),
    },
    'All finished attachments of a container, on one page.',
  ),
  Digest: {
    description: 'Checksum of the content.',
    ...oneOf(digest('sha256', 64), digest('md5', 32)),
  },
  PlainText: formattable('plain', 'Plain text, with its rendering as HTML.'),
  MarkdownText: formattable('markdown', 'Markdown, with its rendering as HTML.'),
};

const unused = (name: string): Schema => ({
  type: 'null',
  description: `Always null: the ${name} is the choice of the client.`,
});

/** Members that some profiles show only to the user and to administrators. */
const ofAccount = ['login', 'firstName', 'lastName', 'admin', 'email', 'identityUrl', 'status'];

const userMembers = ({ hidesAccounts }: Profile): Members =>
  Object.fromEntries(
    Object.entries(
      membersOf(documents.UserMembersFragmentDoc, {
        avatar: described('URL of the picture; empty if there is none.', text),
      }),
    )
      .flatMap(([name, schema]) => {
        const member: [string, Schema] = [name, schema];
        return name === 'status'
          ? [['identityUrl', described('Always null.', orNull(text))] as const, member]
          : [member];
      })
      .map(([name, schema]) => [
        hidesAccounts && ofAccount.includes(name) ? `${name}?` : name,
        schema,
      ]),
  );

const service = (profile: Profile): Members => ({
  User: object(
    {
      ...userMembers(profile),
      _links: links({ self: titled('/users/{id}') }),
    },
    'A user, or the anonymous user.',
  ),
  Root: object(
    {
      _type: typeMember('Root'),
      instanceName: described('Name of the service.', text),
      'coreVersion?': described('Version of the service. For administrators only.', text),
      _links: links({
        self: titled(''),
        configuration: link('/configuration'),
        projects: link('/projects'),
        memberships: described('The memberships that the client sees.', link('/memberships')),
        'workPackages?': link('/work_packages'),
        'statuses?': link('/statuses'),
        'types?': link('/types'),
        'notifications?': link('/notifications'),
        [profile.linksAnonymousUser ? 'user' : 'user?']: described(
          `The client itself.${profile.linksAnonymousUser ? '' : ' Only with credentials.'}`,
          titled('/users/{id}'),
        ),
      }),
    },
    'Where clients start.',
  ),
  Configuration: object(
    {
      ...membersOf(documents.ConfigurationMembersFragmentDoc, {
        // The limit is never 0.
        maximumAttachmentFileSize: { minimum: 1 },
      }),
      perPageOptions: described('Sizes of pages to offer.', array({ type: 'integer', minimum: 1 })),
      hostName: described('Host, and port, at which the service is reached.', text),
      dateFormat: unused('format of dates'),
      timeFormat: unused('format of times'),
      startOfWeek: unused('first day of the week'),
      activeFeatureFlags: described('Always empty.', array(text)),
      _links: links({
        self: link('/configuration'),
        'prepareAttachment?': described(
          'Prepares a direct upload without a container; there only if the store supports it.',
          action('/attachments/prepare', 'post'),
        ),
      }),
    },
    'Settings that clients need to know.',
  ),
  ApiDescription: {
    type: 'object',
    description: 'An OpenAPI 3.1 document. The OpenAPI specification defines its members.',
    properties: {
      openapi: constant('3.1.1', 'Version of the OpenAPI specification.'),
      info: { type: 'object', description: 'Title, version and licence.' },
      paths: { type: 'object', description: 'The operations by path and method.' },
    },
    required: ['openapi', 'info', 'paths'],
  },
});

export const schemas = (profile: Profile): Members => ({
  ...attachments,
  ...containerSchemas,
  ...activitySchemas,
  ...service(profile),
});
