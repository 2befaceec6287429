/** Sections 1, 2.1 and 2.2. */
import { matrix, section, type Row } from '../row.js';
import {
  attachments,
  claims,
  directUpload,
  fileLinks,
  openApi,
  remoteContent,
  resources,
  scanning,
  storageFiles,
  storages,
} from '../proofs.js';

const whole = attachments('T1, T6, T8');
const added = attachments('T22, T23');
const loose = attachments('T21, T7');
const pages = [...storages('T205: pages follow'), ...fileLinks('C40: pages')];

export const attachmentRows: Row[] = [
  ...section('1', [
    [
      'containers',
      'Work packages, comments, meetings, posts and wiki pages have attachments',
      'models/container.ts',
      whole,
    ],
    [
      'one container',
      'An attachment is in one container at most',
      'models/attachment.ts',
      [...whole, ...claims('T116')],
    ],
    [
      'without container',
      'A file can exist before its container',
      'actions/attachments/create-attachment.ts',
      loose,
    ],
    [
      'claim',
      'The uploader attaches it to a container that is created later',
      'actions/attachments/claim-attachments.ts',
      claims('T114', 'T115'),
    ],
    [
      'claimed once',
      'A claimed attachment cannot be claimed again',
      'actions/attachments/claim-attachments.ts',
      claims('T116', 'an attachment is claimed once'),
    ],
    [
      'regular mode',
      'The bytes come with the request',
      'actions/attachments/create-attachment.ts',
      added,
    ],
    [
      'direct mode',
      'The bytes go to the object store by a signed form',
      'actions/uploads/prepare-upload.ts',
      directUpload('T84, T88'),
    ],
    [
      'direct mode if configured',
      'Where the store signs no forms there is only the regular mode',
      'actions/uploads/prepare-upload.ts',
      directUpload('T61, T98', 'T62'),
    ],
    [
      'file links',
      'A link stores the metadata of its file, and reading refreshes them',
      'actions/storage-access/refresh-origins.ts',
      fileLinks('T125, T132'),
    ],
    [
      'file link redirects',
      'The service sends a browser to the file at its storage',
      'rest/routes/file-links.ts',
      fileLinks('T158, T159'),
    ],
    [
      'storages',
      'A storage has a type, an address, a state for its viewer and OAuth records',
      'models/storage.ts',
      storages('T167, T168'),
    ],
    [
      'browsing',
      'Folders of storages can be looked into',
      'actions/storage-files/list-files.ts',
      storageFiles('T187, 2.9'),
    ],
    [
      'storage uploads',
      'Storages hand out addresses to upload to',
      'actions/storage-files/prepare-storage-upload.ts',
      storageFiles('T191: an address'),
    ],
    [
      'existence is hidden',
      'An invisible record is answered like a missing one',
      'policies/find.ts',
      [
        ...resources('T209'),
        ...attachments('T3, T17'),
        ...matrix(['view attachment', 'view container', 'view storage', 'view file link']),
      ],
    ],
  ]),
  ...section('2.1', [
    [
      'HAL',
      'Documents are application/hal+json with a type, links and embedded documents',
      'rest/represent/respond.ts',
      [...whole, ...openApi('refuses every unknown member')],
    ],
    [
      'link',
      'Links have an address, and a title and a method where there is one',
      'rest/represent/respond.ts',
      whole,
    ],
    [
      'link templated, payload',
      'Templated links are marked, and have the payload to send',
      'rest/represent/storage.ts',
      storages('T179'),
    ],
    ['link null', 'The address of an absent target is null', 'rest/represent/attachment.ts', loose],
    [
      'formattable',
      'Texts come as format, raw text and HTML',
      'models/formattable.ts',
      [...whole, ...attachments('T43, T44')],
    ],
    [
      'collection',
      'Lists have their number, their total, their address and their elements',
      'rest/represent/collection.ts',
      attachments('T15, T16'),
    ],
    ['pages', 'Paginated lists tell page and page size', 'rest/represent/collection.ts', pages],
    [
      'jumpTo, changeSize',
      'Paginated lists have templated links to other pages and sizes',
      'rest/represent/collection.ts',
      [...storages('T205: pages follow'), ...fileLinks('T125, T132')],
    ],
    ['times', 'Times are ISO 8601', 'models/date-time.ts', whole],
  ]),
  ...section('2.2', [
    ['id', 'Integer that the service gives', 'models/attachment.ts', whole],
    ['title', 'Is the file name', 'models/attachment.ts', [...whole, ...attachments('T48')]],
    [
      'fileName',
      'Is the name that was sent, to the character',
      'models/attachment.ts',
      attachments('T48'),
    ],
    [
      'fileSize',
      'Number of bytes, 0 or more',
      'models/attachment.ts',
      [...added, ...attachments('T47')],
    ],
    [
      'description',
      'Text of the uploader',
      'models/attachment.ts',
      [...added, ...attachments('T43, T44')],
    ],
    [
      'status',
      'One of five words',
      'models/attachment.ts',
      [
        ...whole,
        ...attachments('T60'),
        ...scanning('finds nothing', 'finds a virus', 'after the scanner is switched on'),
      ],
    ],
    [
      'contentType',
      'Media type that the service found',
      'actions/attachments/detect-type.ts',
      attachments('T42'),
    ],
    [
      'digest',
      'Algorithm and hexadecimal checksum of the bytes',
      'actions/attachments/analyze-content.ts',
      added,
    ],
    ['createdAt', 'Time of the upload', 'models/attachment.ts', whole],
    ['link self', 'Own address, titled with the name', 'rest/represent/attachment.ts', whole],
    ['link container', 'The container of the file', 'rest/represent/attachment.ts', whole],
    ['link author', 'The uploader', 'rest/represent/attachment.ts', whole],
    [
      'link downloadLocation',
      'Where the bytes are: here for local files',
      'rest/represent/attachment.ts',
      added,
    ],
    [
      'link downloadLocation, remote',
      'A signed address at the store for remote files',
      'actions/attachments/sign-content.ts',
      remoteContent('is an address at the store'),
    ],
    [
      'link staticDownloadLocation',
      'Address of the content at this service',
      'rest/represent/attachment.ts',
      whole,
    ],
    [
      'link delete',
      'Present for users who can edit the container',
      'policies/can.ts',
      [...whole, ...attachments('T36, T38')],
    ],
    ['link delete, no container', 'Present for the author', 'policies/can.ts', loose],
    [
      'embedded author',
      'The answer to an upload has the complete user',
      'rest/represent/user.ts',
      added,
    ],
    [
      'embedded author, email',
      'The e-mail address is null for users who cannot see it',
      'resolvers/user.ts',
      resources('people see each other'),
    ],
    ['embedded author, avatar', 'Empty: there are no pictures', 'models/user.ts', added],
    [
      'embedded container',
      'The answer to an upload has the complete container',
      'rest/represent/container.ts',
      added,
    ],
    [
      'embedded container, title or subject',
      'A post has a subject, the others a title',
      'rest/represent/container.ts',
      added,
    ],
    [
      'embedded container, links',
      'Its own address, its attachments, the way to add, its project',
      'rest/represent/container.ts',
      added,
    ],
    ['content address', 'The static address serves the bytes', 'rest/routes/content.ts', added],
  ]),
];
