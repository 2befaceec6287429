/** The bodies that clients send; members that are not named here are ignored. */
import { ownMemberNames, ownMembers } from '../../storages/types.js';
import { array, flag, id, text, type Schema } from './shapes.js';

const members = (properties: { [name: string]: Schema }, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
});

const name = { type: 'string', minLength: 1, maxLength: 255 };
const formattable = (more: Schema = {}): Schema => ({
  anyOf: [{ ...text, ...more }, members({ raw: { ...text, ...more } })],
});
const linkTo = (segment: string): Schema =>
  members({ href: { type: 'string', pattern: `^/api/v3/${segment}/\\d{1,20}/?$` } }, ['href']);
const claims = (description: string): Schema => array(linkTo('attachments'), { description });

const linkClaims = (description: string): Schema =>
  array(linkTo('(file_links|work_packages/\\d+/file_links)'), { description });

const NEW_LINKS = 'Unclaimed file links of the same user, to be claimed.';
const SET_LINKS = 'The complete new set of file links: missing ones are removed, new ones claimed.';
const NEW = 'Unclaimed attachments of the same user, to be claimed.';
const SET = 'The complete new set: missing ones are deleted, new ones claimed.';

const json = (schema: Schema) => ({
  required: true,
  content: { 'application/json': { schema }, 'application/hal+json': { schema } },
});

/** The two-part form of a regular upload. */
export const upload = {
  description: 'Exactly two parts in either order (interface 4.2).',
  required: true,
  content: {
    'multipart/form-data': {
      schema: members(
        {
          metadata: members(
            {
              fileName: {
                ...name,
                description:
                  'The name of the file. The filename of the part `file` must be there and is ignored.',
              },
              description: formattable({ maxLength: 255 }),
            },
            ['fileName'],
          ),
          file: { description: 'The content.' },
        },
        ['metadata', 'file'],
      ),
      encoding: {
        metadata: { contentType: 'application/json' },
        file: {
          contentType: '*/*',
          headers: {
            'Content-Disposition': {
              required: true,
              schema: { type: 'string' },
              description: 'Must carry a filename.',
            },
          },
        },
      },
    },
  },
};

/** The one-part form that prepares a direct upload. */
export const preparation = {
  description: 'Exactly one part, without the file (interface 2.4 and 4.3).',
  required: true,
  content: {
    'multipart/form-data': {
      schema: members(
        {
          metadata: members(
            {
              fileName: name,
              fileSize: { type: 'integer', minimum: 0, description: 'Exact, in bytes.' },
              contentType: {
                type: 'string',
                maxLength: 255,
                description: 'Media type as the client knows it; the bytes decide in the end.',
              },
              description: formattable({ maxLength: 255 }),
              digest: members(
                {
                  algorithm: { type: 'string', enum: ['sha256', 'sha1', 'md5'] },
                  hash: { type: 'string', pattern: '^[0-9A-Fa-f]+$' },
                },
                ['algorithm', 'hash'],
              ),
            },
            ['fileName', 'fileSize'],
          ),
        },
        ['metadata'],
      ),
      encoding: { metadata: { contentType: 'application/json' } },
    },
  },
};

export const newWorkPackage = json(
  members(
    {
      subject: name,
      _links: members(
        { project: linkTo('projects'), attachments: claims(NEW), fileLinks: linkClaims(NEW_LINKS) },
        ['project'],
      ),
    },
    ['subject', '_links'],
  ),
);
export const newProjectWorkPackage = json(
  members(
    {
      subject: name,
      _links: members({ attachments: claims(NEW), fileLinks: linkClaims(NEW_LINKS) }),
    },
    ['subject'],
  ),
);
export const workPackageChanges = json(
  members({
    subject: name,
    lockVersion: {
      ...id,
      minimum: 0,
      description: 'Refuse the change unless this is still the version.',
    },
    _links: members({ attachments: claims(SET), fileLinks: linkClaims(SET_LINKS) }),
  }),
);
export const newComment = json(
  members(
    {
      comment: formattable({ minLength: 1, maxLength: 65_536 }),
      internal: { ...flag, default: false },
      _links: members({
        attachments: claims(`${NEW} Those that the text links to are claimed as well.`),
      }),
    },
    ['comment'],
  ),
);
export const commentChanges = json(
  members({
    comment: formattable({ minLength: 1, maxLength: 65_536 }),
    _links: members({ attachments: claims(SET) }),
  }),
);

const given: Schema = { type: ['string', 'null'] };
const urnLink = (description: string): Schema => ({
  ...members({ href: text }, ['href']),
  description,
});
const details = {
  name: { ...name, description: 'Unique. A new storage without one gets that of its type.' },
  storageAudience: {
    ...given,
    description: 'Audience that tokens for the storage must have, with single sign-on.',
  },
  applicationPassword: {
    ...given,
    description: 'A string sets it, null unsets it; ignored for cloud drives.',
  },
  ...Object.fromEntries(
    ownMemberNames.map((name) => [
      name,
      { ...given, description: ownMembers[name].input ?? ownMembers[name].description },
    ]),
  ),
};
const storageLinks = {
  origin: {
    ...members({ href: { type: 'string', format: 'uri' } }, ['href']),
    description:
      'Address of a self-hosted file server, required for one; https, or http on this machine.',
  },
  type: urnLink('URN of the type.'),
  authenticationMethod: urnLink('URN of the method.'),
};
export const newStorage = json(
  members({ ...details, _links: members(storageLinks, ['type']) }, ['_links']),
);
export const storageChanges = json(members({ ...details, _links: members(storageLinks) }));
export const clientCredentials = json(
  members({ clientId: { ...name }, clientSecret: { type: 'string', minLength: 1 } }, [
    'clientId',
    'clientSecret',
  ]),
);

const origin = members(
  {
    id: {
      anyOf: [{ type: 'string', minLength: 1, maxLength: 100 }, { type: 'integer' }],
      description: 'Id in the storage.',
    },
    name: { ...name, description: 'Name in the storage.' },
    mimeType: {
      ...given,
      description: 'A folder has `application/x-op-directory`; empty is unknown.',
    },
    size: { type: ['integer', 'null'], minimum: 0, description: 'Bytes.' },
    createdAt: { ...given, description: 'ISO 8601.' },
    lastModifiedAt: { ...given, description: 'ISO 8601.' },
    createdByName: given,
    lastModifiedByName: given,
  },
  ['id', 'name'],
);
const fileLink = members(
  {
    originData: origin,
    _links: {
      ...members({ storage: linkTo('storages'), storageUrl: members({ href: text }, ['href']) }),
      description: 'One of the two; both must name the same storage.',
    },
  },
  ['originData', '_links'],
);
export const newFileLinks = json(
  members(
    {
      _embedded: members({ elements: array(fileLink, { minItems: 1, maxItems: 20 }) }, [
        'elements',
      ]),
    },
    ['_embedded'],
  ),
);

const parent: Schema = {
  anyOf: [{ type: 'string', minLength: 1 }, { type: 'integer' }],
  description: 'Id of the folder, or its path beginning with `/`.',
};
export const newUpload = json(
  members({ projectId: id, fileName: name, parent }, ['projectId', 'fileName', 'parent']),
);
export const newFolder = json(members({ name, parentId: parent }, ['name', 'parentId']));
