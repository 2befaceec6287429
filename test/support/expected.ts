/** The documents of interface 2.2 as this suite reads it, written out a second time. */
import { expect } from '@jest/globals';
import type { ContainerHandle, Person } from './factories.js';

export const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

export interface ExpectedAttachment {
  id: number;
  fileName: string;
  fileSize: number;
  description?: { raw: string; html: string };
  status?: string;
  contentType: string;
  digest: { algorithm: string; hash: string };
  author: Person;
  container?: ContainerHandle;
  deletable: boolean;
}

/** An attachment as an element of a list. */
export const attachmentElement = ({ id, fileName, fileSize, description = { raw: '', html: '' }, status = 'uploaded', contentType, digest, author, container, deletable }: ExpectedAttachment) => ({
  _type: 'Attachment', id, title: fileName, fileName, fileSize,
  description: { format: 'plain', ...description },
  status, contentType, digest, createdAt: TIME,
  _links: {
    self: { href: `/api/v3/attachments/${id}`, title: fileName },
    author: { href: `/api/v3/users/${author.id}`, title: author.name },
    container: container ? { href: container.path, ...(container.title !== null && { title: container.title }) } : { href: null },
    staticDownloadLocation: { href: `/api/v3/attachments/${id}/content` },
    downloadLocation: { href: `/api/v3/attachments/${id}/content` },
    ...(deletable && { delete: { href: `/api/v3/attachments/${id}`, method: 'delete' } }),
  },
});

export const userBody = (person: Person, { admin = false, email = null as string | null } = {}) => ({
  _type: 'User', id: person.id, login: person.login, name: person.name,
  firstName: person.name.split(' ')[0], lastName: person.name.split(' ').slice(1).join(' '),
  admin, avatar: '', email, identityUrl: null, status: 'active', createdAt: TIME, updatedAt: TIME,
  _links: { self: { href: `/api/v3/users/${person.id}`, title: person.name } },
});

export const errorBody = (identifier: string, message: string, attribute?: string, word = 'service-org') => ({
  _type: 'Error', errorIdentifier: `urn:${word}:api:v3:errors:${identifier}`, message,
  ...(attribute !== undefined && { _embedded: { details: { attribute } } }),
});

export const notFound = errorBody('NotFound', 'The requested resource could not be found.');
export const missingPermission = errorBody('MissingPermission', 'You are not authorized to access this resource.');

export const collectionOf = (self: string, elements: object[]) => ({
  _type: 'Collection', total: elements.length, count: elements.length, _embedded: { elements }, _links: { self: { href: self } },
});
