/** Files, people, projects and the service itself as representations (interface section 2). */
import { containerKinds, containerTypes, namedContainers } from '../../contract/container-kinds.js';
import { commentSchemas, containerSchemas } from './container-schemas.js';
import {
  action,
  array,
  constant,
  count,
  flag,
  id,
  link,
  object,
  oneOf,
  ref,
  text,
  time,
  titled,
  type Schema,
} from './shapes.js';

const formattable = (format: string, description: string) =>
  object({ format: constant(format), raw: text, html: text }, description);

const digest = (algorithm: string, length: number): Schema =>
  object({
    algorithm: constant(algorithm),
    hash: {
      type: 'string',
      pattern: `^([0-9a-f]{${length}})?$`,
      description: 'Empty while the content is not known.',
    },
  });

const attachment = {
  _type: constant('Attachment'),
  id,
  title: { type: 'string', minLength: 1, description: 'The file name.' },
  fileName: { type: 'string', minLength: 1 },
  fileSize: { ...count, description: 'Bytes.' },
  description: ref('PlainText'),
  status: ref('AttachmentStatus'),
  contentType: {
    type: 'string',
    description: 'Media type as the service determined it from the content and the name.',
  },
  digest: ref('Digest'),
  createdAt: time,
};

/** A short-lived address at the object store. */
const remote = object({ href: { type: 'string', format: 'uri', pattern: '^https?://' } });

const attachmentLinks = (container: Schema) =>
  object({
    self: titled('/attachments/{id}'),
    author: titled('/users/{id}'),
    container,
    staticDownloadLocation: link('/attachments/{id}/content'),
    downloadLocation: oneOf(link('/attachments/{id}/content'), remote),
    'delete?': action('/attachments/{id}', 'delete'),
  });

const claimed = oneOf(
  titled(`/(${namedContainers.map((type) => containerKinds[type].segment).join('|')})/{id}`),
  link('/activities/{id}'),
);
const unclaimed = object({ href: { type: 'null' } });

const upload = {
  _type: constant('AttachmentUpload'),
  id,
  fileName: { type: 'string', minLength: 1 },
  description: ref('PlainText'),
  createdAt: time,
};
const uploadLinks = {
  self: titled('/attachment_upload/{id}'),
  author: titled('/users/{id}'),
  addAttachment: object({
    href: { type: 'string', format: 'uri', description: 'Address at the storage.' },
    method: constant('post'),
    form_fields: {
      type: 'object',
      additionalProperties: { type: 'string' },
      unevaluatedProperties: false,
      description:
        'Parts of the form, to be sent unchanged and in this order before the part `file`; they live for minutes.',
    },
  }),
  completeUpload: link('/attachments/{id}/uploaded'),
  'delete?': action('/attachments/{id}', 'delete'),
  staticDownloadLocation: link('/attachments/{id}/content'),
  downloadLocation: link('/attachments/{id}/content'),
};

const attachments: { [name: string]: Schema } = {
  Attachment: {
    description:
      'A file with its author and, where it has one, its container embedded (interface 2.2).',
    ...oneOf(
      object({
        ...attachment,
        _embedded: object({ author: ref('User') }),
        _links: attachmentLinks(unclaimed),
      }),
      object({
        ...attachment,
        _embedded: object({ author: ref('User'), container: ref('EmbeddedContainer') }),
        _links: attachmentLinks(claimed),
      }),
    ),
  },
  AttachmentElement: object(
    { ...attachment, _links: attachmentLinks(claimed) },
    'A file as an element of a list, which embeds nothing (interface 2.2).',
  ),
  CompletedAttachment: {
    description:
      'The attachment of a direct upload that was completed; it embeds nothing (interface 4.3).',
    ...oneOf(
      object({ ...attachment, _links: attachmentLinks(unclaimed) }),
      object({ ...attachment, _links: attachmentLinks(claimed) }),
    ),
  },
  AttachmentUpload: object(
    { ...upload, _links: object(uploadLinks) },
    'A prepared direct upload, to be claimed later (interface 2.3).',
  ),
  ContainerAttachmentUpload: object(
    { ...upload, _links: object({ ...uploadLinks, container: claimed }) },
    'A prepared direct upload for a container (interface 2.3).',
  ),
  AttachmentCollection: object(
    {
      _type: constant('Collection'),
      total: count,
      count,
      _embedded: object({ elements: array(ref('AttachmentElement')) }),
      _links: object({
        self: link(
          `/(${containerTypes.map((type) => containerKinds[type].segment).join('|')})/{id}/attachments`,
        ),
      }),
    },
    'All finished attachments of a container, unpaginated (interface 2.1 and 4.1).',
  ),
  AttachmentStatus: {
    type: 'string',
    enum: ['uploaded', 'prepared', 'scanned', 'quarantined', 'rescan'],
    description: 'Where the file stands (interface section 3).',
  },
  Digest: {
    description: 'Checksum of the content (interface 2.2).',
    ...oneOf(digest('sha256', 64), digest('md5', 32)),
  },
  PlainText: formattable(
    'plain',
    'Formattable text of which nothing is interpreted (interface 2.1).',
  ),
  MarkdownText: formattable('markdown', 'Formattable text written in Markdown (interface 2.1).'),
};

const service: { [name: string]: Schema } = {
  User: object(
    {
      _type: constant('User'),
      id,
      login: text,
      name: text,
      firstName: text,
      lastName: text,
      admin: flag,
      avatar: { type: 'string', description: 'Address of a picture; empty when there is none.' },
      email: {
        type: ['string', 'null'],
        description: 'Shown to the user and to administrators only.',
      },
      identityUrl: { type: ['string', 'null'], description: 'Identity at an external provider.' },
      status: { type: 'string', enum: ['active', 'locked'] },
      createdAt: time,
      updatedAt: time,
      _links: object({ self: titled('/users/{id}') }),
    },
    'A person, or the anonymous visitor (interface 2.2).',
  ),
  Project: object(
    {
      _type: constant('Project'),
      id,
      identifier: { type: 'string', description: 'Short name, unique.' },
      name: text,
      public: { type: 'boolean', description: 'Whether people who are not members see it.' },
      createdAt: time,
      updatedAt: time,
      _links: object({
        self: titled('/projects/{id}'),
        'createWorkPackage?': action('/projects/{id}/work_packages', 'post'),
      }),
    },
    'A project, the target of `project` links (interface 2.2).',
  ),
  Root: object(
    {
      _type: constant('Root'),
      instanceName: text,
      'coreVersion?': { type: 'string', description: 'Shown to administrators only.' },
      _links: object({
        self: titled(''),
        configuration: link('/configuration'),
        user: titled('/users/{id}'),
      }),
    },
    'Where clients start.',
  ),
  Configuration: object(
    {
      _type: constant('Configuration'),
      maximumAttachmentFileSize: {
        type: 'integer',
        minimum: 1,
        description: 'Largest file in bytes, of both upload modes (interface section 8).',
      },
      perPageOptions: array({ type: 'integer', minimum: 1 }),
      hostName: text,
      dateFormat: { type: 'null' },
      timeFormat: { type: 'null' },
      startOfWeek: { type: 'null' },
      activeFeatureFlags: array(text),
      _links: object({
        self: link('/configuration'),
        'prepareAttachment?': action('/attachments/prepare', 'post'),
      }),
    },
    'Settings that clients need to know (interface section 8).',
  ),
  ApiDescription: {
    type: 'object',
    description: 'An OpenAPI 3.1 document; its members are defined there.',
    properties: { openapi: constant('3.1.1'), info: { type: 'object' }, paths: { type: 'object' } },
    required: ['openapi', 'info', 'paths'],
  },
};

export const schemas: { [name: string]: Schema } = {
  ...attachments,
  ...containerSchemas,
  ...commentSchemas,
  ...service,
};
