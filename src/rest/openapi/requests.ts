/** The bodies that clients send; members that are not named here are ignored. */
import { array, flag, id, text, type Schema } from './shapes.js';

const members = (properties: { [name: string]: Schema }, required: string[] = []): Schema => ({ type: 'object', properties, ...(required.length > 0 && { required }) });

const name = { type: 'string', minLength: 1, maxLength: 255 };
const formattable = (more: Schema = {}): Schema => ({ anyOf: [{ ...text, ...more }, members({ raw: { ...text, ...more } })] });
const linkTo = (segment: string): Schema => members({ href: { type: 'string', pattern: `^/api/v3/${segment}/\\d{1,20}/?$` } }, ['href']);
const claims = (description: string): Schema => array(linkTo('attachments'), { description });

const NEW = 'Unclaimed attachments of the same user, to be claimed.';
const SET = 'The complete new set: missing ones are deleted, new ones claimed.';

const json = (schema: Schema) => ({ required: true, content: { 'application/json': { schema }, 'application/hal+json': { schema } } });

/** The two-part form of a regular upload. */
export const upload = {
  description: 'Exactly two parts in either order (interface 4.2).',
  required: true,
  content: {
    'multipart/form-data': {
      schema: members({
        metadata: members({ fileName: { ...name, description: 'The name of the file. The filename of the part `file` must be there and is ignored.' }, description: formattable({ maxLength: 255 }) }, ['fileName']),
        file: { description: 'The content.' },
      }, ['metadata', 'file']),
      encoding: {
        metadata: { contentType: 'application/json' },
        file: { contentType: '*/*', headers: { 'Content-Disposition': { required: true, schema: { type: 'string' }, description: 'Must carry a filename.' } } },
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
      schema: members({
        metadata: members({
          fileName: name,
          fileSize: { type: 'integer', minimum: 0, description: 'Exact, in bytes.' },
          contentType: { type: 'string', maxLength: 255, description: 'Media type as the client knows it; the bytes decide in the end.' },
          description: formattable({ maxLength: 255 }),
          digest: members({ algorithm: { type: 'string', enum: ['sha256', 'sha1', 'md5'] }, hash: { type: 'string', pattern: '^[0-9A-Fa-f]+$' } }, ['algorithm', 'hash']),
        }, ['fileName', 'fileSize']),
      }, ['metadata']),
      encoding: { metadata: { contentType: 'application/json' } },
    },
  },
};

export const newWorkPackage = json(members({ subject: name, _links: members({ project: linkTo('projects'), attachments: claims(NEW) }, ['project']) }, ['subject', '_links']));
export const newProjectWorkPackage = json(members({ subject: name, _links: members({ attachments: claims(NEW) }) }, ['subject']));
export const workPackageChanges = json(members({
  subject: name,
  lockVersion: { ...id, minimum: 0, description: 'Refuse the change unless this is still the version.' },
  _links: members({ attachments: claims(SET) }),
}));
export const newComment = json(members({ comment: formattable({ minLength: 1 }), internal: { ...flag, default: false }, _links: members({ attachments: claims(`${NEW} Those that the text links to are claimed as well.`) }) }, ['comment']));
export const commentChanges = json(members({ comment: formattable({ minLength: 1 }), _links: members({ attachments: claims(SET) }) }));
