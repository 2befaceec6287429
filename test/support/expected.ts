/** The expected HAL documents, written without the code of the service. */
import type { ContainerHandle, Person } from './factories.js';
import { expect } from './jest.js';

/** GraphQL: the name of a container of any kind, as `title`. */
export const TITLE =
  '... on WorkPackage { title: subject } ... on Meeting { title } ... on Post { title: subject } ... on WikiPage { title }';
export const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** The author of records that the service makes. The migrations create it after the anonymous user. */
export const SYSTEM = { id: 2, name: 'System' };

export interface ExpectedAttachment {
  id: number;
  fileName: string;
  fileSize: number;
  description?: { raw: string; html: string };
  status?: string;
  contentType: string;
  digest: { algorithm: string; hash: string };
  author: { id: number; name: string };
  container?: Pick<ContainerHandle, 'path' | 'title'> | undefined;
  deletable: boolean;
  /** An address at the store. Absent: the static address. */
  downloadLocation?: unknown;
}

/** An attachment as an element of a list. */
export const attachmentElement = ({
  id,
  fileName,
  fileSize,
  description = { raw: '', html: '' },
  status = 'uploaded',
  contentType,
  digest,
  author,
  container,
  deletable,
  downloadLocation = `/api/v3/attachments/${id}/content`,
}: ExpectedAttachment) => ({
  _type: 'Attachment',
  id,
  title: fileName,
  fileName,
  fileSize,
  description: { format: 'plain', ...description },
  status,
  contentType,
  digest,
  createdAt: TIME,
  _links: {
    self: { href: `/api/v3/attachments/${id}`, title: fileName },
    author: { href: `/api/v3/users/${author.id}`, title: author.name },
    container: container
      ? { href: container.path, ...(container.title !== null && { title: container.title }) }
      : { href: null },
    staticDownloadLocation: { href: `/api/v3/attachments/${id}/content` },
    downloadLocation: { href: downloadLocation },
    ...(deletable && { delete: { href: `/api/v3/attachments/${id}`, method: 'delete' } }),
  },
});

export const userBody = (
  person: Person,
  { admin = false, email = null as string | null } = {},
) => ({
  _type: 'User',
  id: person.id,
  login: person.login,
  name: person.name,
  firstName: person.name.split(' ')[0],
  lastName: person.name.split(' ').slice(1).join(' '),
  admin,
  avatar: '',
  email,
  identityUrl: null,
  status: 'active',
  createdAt: TIME,
  updatedAt: TIME,
  _links: { self: { href: `/api/v3/users/${person.id}`, title: person.name } },
});

/** A record of changes in the history of a work package, with one sentence for each change. */
export const changeBody = (
  id: number,
  workPackage: ContainerHandle,
  project: { id: number; name: string },
  user: { id: number; name: string },
  ...sentences: string[]
) => ({
  _type: 'Activity',
  id,
  comment: { format: 'markdown', raw: '', html: '' },
  details: sentences.map((raw) => ({ format: 'plain', raw, html: `<p>${raw}</p>` })),
  internal: false,
  createdAt: TIME,
  updatedAt: TIME,
  _embedded: { attachments: collectionOf(`/api/v3/activities/${id}/attachments`, []) },
  _links: {
    self: { href: `/api/v3/activities/${id}` },
    attachments: { href: `/api/v3/activities/${id}/attachments` },
    workPackage: { href: workPackage.path, title: workPackage.title },
    user: { href: `/api/v3/users/${user.id}`, title: user.name },
    project: { href: `/api/v3/projects/${project.id}`, title: project.name },
  },
});

export interface ExpectedUpload {
  id: number;
  fileName: string;
  description?: { raw: string; html: string };
  author: Person;
  container?: ContainerHandle | undefined;
  form: { href: string; form_fields: unknown };
}

/** A prepared direct upload. */
export const uploadBody = ({
  id,
  fileName,
  description = { raw: '', html: '' },
  author,
  container,
  form,
}: ExpectedUpload) => ({
  _type: 'AttachmentUpload',
  id,
  fileName,
  description: { format: 'plain', ...description },
  createdAt: TIME,
  _links: {
    self: { href: `/api/v3/attachment_upload/${id}`, title: fileName },
    author: { href: `/api/v3/users/${author.id}`, title: author.name },
    ...(container && {
      container: {
        href: container.path,
        ...(container.title !== null && { title: container.title }),
      },
    }),
    addAttachment: { ...form, method: 'post' },
    completeUpload: { href: `/api/v3/attachments/${id}/uploaded` },
    delete: { href: `/api/v3/attachments/${id}`, method: 'delete' },
    staticDownloadLocation: { href: `/api/v3/attachments/${id}/content` },
    downloadLocation: { href: `/api/v3/attachments/${id}/content` },
  },
});

export const errorBody = (
  identifier: string,
  message: string,
  attribute?: string,
  word = 'service-org',
) => ({
  _type: 'Error',
  errorIdentifier: `urn:${word}:api:v3:errors:${identifier}`,
  message,
  ...(attribute !== undefined && { _embedded: { details: { attribute } } }),
});

/** An error with several violations. Its message is the first one; all are listed. */
export const violations = (...all: [message: string, attribute: string][]) => ({
  ...errorBody('PropertyConstraintViolation', all[0]![0]),
  _embedded: {
    details: { attribute: all[0]![1] },
    ...(all.length > 1 && {
      errors: all.map(([message, attribute]) =>
        errorBody('PropertyConstraintViolation', message, attribute),
      ),
    }),
  },
});

export const notFound = errorBody('NotFound', 'The requested resource could not be found.');
export const missingPermission = errorBody(
  'MissingPermission',
  'You are not authorized to access this resource.',
);

export const collectionOf = (self: string, elements: object[]) => ({
  _type: 'Collection',
  total: elements.length,
  count: elements.length,
  _embedded: { elements },
  _links: { self: { href: self } },
});

/** Links of a work package whose details are the default ones. */
export const defaultDetails = {
  type: { href: '/api/v3/types/1', title: 'Task' },
  status: { href: '/api/v3/statuses/1', title: 'New' },
  assignee: { href: null },
  responsible: { href: null },
};
