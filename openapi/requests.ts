/** Request bodies that are JSON. */
import { ownMemberNames } from '../src/storages/types.js';
import {
  attachmentsLink,
  body,
  fileLinksLink,
  formattable,
  json,
  linksOf,
  linkToA,
  linkToNullable,
  linkToProject,
  linkWith,
  name,
  unsettable,
} from './bodies.js';
import {
  MAX_COMMENT,
  MAX_NEW_FILE_LINKS,
  MAX_WORK_PACKAGE_DESCRIPTION,
} from '../src/contract/limits.js';
import { inputOf, inputsOf, textOf } from './derive.js';
import { array, described, id, text, uri, type Members, type Schema } from './shapes.js';

const NEW_LINKS = 'Unclaimed file links of the same user, to add.';
const SET_LINKS = 'The complete new set of file links. Other links are removed.';
const NEW = 'Attachments of the same user without a container, to add.';
const SET = 'The complete new set of attachments. Other attachments are deleted.';

/** Members of inputs that a request has in its query. */
const IN_QUERY = ['notify'];

/** HAL clients may send a Formattable. Other details are links. */
const workPackageText = (typeName: string): Members => ({
  ...inputsOf(typeName, { subject: name }, ['description', ...IN_QUERY]),
  description: formattable(textOf(typeName, 'description'), {
    maxLength: MAX_WORK_PACKAGE_DESCRIPTION,
  }),
});
const detailLinks: Members = {
  type: linkToNullable('types', 'A type of the project. Default: that of the project.'),
  status: linkToNullable('statuses', 'A status. Default: that of the service.'),
  assignee: linkToNullable('users', 'A member of the project; null for nobody.'),
  responsible: linkToNullable('users', 'A member of the project; null for nobody.'),
};
const workPackage = workPackageText('CreateWorkPackageInput');
const newLinks = { attachments: attachmentsLink(NEW), fileLinks: fileLinksLink(NEW_LINKS) };
export const newWorkPackage = json(
  'The work package.',
  body(
    {
      ...workPackage,
      _links: linksOf(
        {
          project: linkToProject('The project it will belong to.'),
          ...newLinks,
          ...detailLinks,
        },
        ['project'],
      ),
    },
    ['subject', '_links'],
  ),
);
export const newProjectWorkPackage = json(
  'The work package.',
  body({ ...workPackage, _links: linksOf({ ...newLinks, ...detailLinks }) }, ['subject']),
);
export const workPackageChanges = json(
  'The changes. Absent members stay as they are.',
  body({
    ...workPackageText('UpdateWorkPackageInput'),
    _links: linksOf({
      project: linkToProject('The project it belongs to. Another one is an error.'),
      attachments: attachmentsLink(SET),
      fileLinks: fileLinksLink(SET_LINKS),
      ...detailLinks,
    }),
  }),
);

/** Every member may be absent. Links may be without a target. */
export const newWorkPackageForm = {
  ...json(
    'The work package as far as it is known.',
    body({
      ...workPackage,
      subject: described('The subject as far as it is written.', text),
      _links: linksOf({
        project: linkToProject('The project. The path may name it instead.'),
        ...detailLinks,
      }),
    }),
  ),
  required: false,
};

const commentLengths = { minLength: 1, maxLength: MAX_COMMENT };
export const newComment = json(
  'The comment.',
  body(
    {
      ...inputsOf('CreateCommentInput', {}, IN_QUERY),
      // HAL clients may send a Formattable.
      comment: formattable(textOf('CreateCommentInput', 'comment'), commentLengths),
      _links: linksOf({
        attachments: attachmentsLink(`${NEW} Those that the text links to are added as well.`),
      }),
    },
    ['comment'],
  ),
);
export const commentChanges = json(
  'The changes. Absent members stay as they are.',
  body({
    ...inputsOf('UpdateCommentInput', {}, IN_QUERY),
    // HAL clients may send a Formattable.
    comment: formattable(textOf('UpdateCommentInput', 'comment'), commentLengths),
    _links: linksOf({ attachments: attachmentsLink(SET) }),
  }),
);

const storageMembers = (typeName: string): Members => ({
  ...inputsOf(typeName, { name }, ['origin', 'type', 'authenticationMethod']),
  ...unsettable(typeName, [
    'storageAudience',
    'tokenExchangeScope',
    'applicationPassword',
    'automaticallyManagedFolders',
    ...ownMemberNames,
  ]),
});
const storageLinks = {
  origin: linkWith(uri, textOf('CreateStorageInput', 'origin')),
  type: linkWith(text, 'The type, as the URN that a storage shows.'),
  authenticationMethod: linkWith(text, 'How users authenticate, as the URN that a storage shows.'),
};
export const newStorage = json(
  'The storage. Members that its type does not have are ignored.',
  body({ ...storageMembers('CreateStorageInput'), _links: linksOf(storageLinks, ['type']) }, [
    '_links',
  ]),
);
export const storageChanges = json(
  'The changes. Absent members stay as they are.',
  body({ ...storageMembers('UpdateStorageInput'), _links: linksOf(storageLinks) }),
);
export const clientCredentials = json(
  'The credentials.',
  body(
    inputsOf('SetOAuthClientCredentialsInput', { clientId: name, clientSecret: { minLength: 1 } }),
    ['clientId', 'clientSecret'],
  ),
);

/** The ids of some storages are numbers. GraphQL inputs have them as text. */
const textOrNumber = (typeName: string, field: string, lengths: Schema): Schema => ({
  description: textOf(typeName, field),
  anyOf: [{ ...text, ...lengths }, { type: 'integer' }],
});
const unknownAsNull = [
  'mimeType',
  'size',
  'createdAt',
  'lastModifiedAt',
  'createdByName',
  'lastModifiedByName',
];
const fileLink = body(
  {
    originData: {
      ...inputOf('FileLinkInput', 'originData'),
      properties: {
        ...inputsOf('OriginDataInput', { name }),
        id: textOrNumber('OriginDataInput', 'id', { minLength: 1, maxLength: 100 }),
        ...unsettable('OriginDataInput', unknownAsNull),
      },
      required: ['id', 'name'],
    },
    _links: {
      ...linksOf({
        storage: linkToA('storages', 'The storage.'),
        storageUrl: linkWith(text, textOf('FileLinkInput', 'storageUrl')),
      }),
      description: 'The storage, by one of the two links. If both are sent, they must agree.',
    },
  },
  ['originData', '_links'],
  'A file link to create.',
);
export const newFileLinks = json(
  'The file links: all of them are created, or none.',
  body(
    {
      _embedded: body(
        {
          elements: array(fileLink, {
            minItems: 1,
            maxItems: MAX_NEW_FILE_LINKS,
            description: textOf('CreateFileLinksInput', 'fileLinks'),
          }),
        },
        ['elements'],
        'The list.',
      ),
    },
    ['_embedded'],
  ),
);

export const newUpload = json(
  'The file.',
  body(
    {
      // Written here, because `inputsOf` leaves out global ids.
      projectId: described('The project for which the file is uploaded.', id),
      ...inputsOf('PrepareStorageUploadInput', { fileName: name }),
      parent: textOrNumber('PrepareStorageUploadInput', 'parent', { minLength: 1 }),
    },
    ['projectId', 'fileName', 'parent'],
  ),
);
/** The parent folder has another name in GraphQL. */
export const newFolder = json(
  'The folder.',
  body(
    {
      ...inputsOf('CreateStorageFolderInput', { name }, ['parent']),
      parentId: textOrNumber('CreateStorageFolderInput', 'parent', { minLength: 1 }),
    },
    ['name', 'parentId'],
  ),
);
