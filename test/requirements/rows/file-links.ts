/** Sections 2.5 to 2.7 and 4.4. */ import { matrix, section, type Row } from '../row.js';
import { fileLinks, manyLinks } from '../proofs.js';
const listed = fileLinks('the list shows every link');
const created = fileLinks('new links are answered');
const single = fileLinks('a link is read');
const statuses = fileLinks('each link has the status');
const members = fileLinks('every property is stored');
const refusedMembers = fileLinks('each invalid member of the origin');
const redirects = fileLinks('opening the file or its folder');
const byStorage = fileLinks('a missing, unknown or unusable');
export const fileLinkRows: Row[] = [
  ...section('2.5', [
    ['id', 'Integer that the service gives', 'models/file-link.ts', listed],
    ['createdAt', 'Time of its making', 'models/file-link.ts', listed],
    [
      'updatedAt',
      'Time of its last change, a refresh included',
      'models/file-link.ts',
      [...listed, ...single],
    ],
    ['originData', 'The stored metadata of the file', 'models/file-link.ts', listed],
    [
      'embedded storage',
      'The storage as its own address shows it',
      'rest/represent/file-link.ts',
      [...listed, ...single],
    ],
    [
      'embedded container',
      'The work package as its own address shows it',
      'rest/represent/file-link.ts',
      [...listed, ...single],
    ],
    [
      'link self',
      'Own address, titled with the name of the file',
      'rest/represent/file-link.ts',
      single,
    ],
    ['link storage', 'The storage', 'rest/represent/file-link.ts', listed],
    ['link container', 'The work package', 'rest/represent/file-link.ts', listed],
    ['link creator', 'The creator', 'rest/represent/file-link.ts', listed],
    [
      'link delete',
      'Present for users who manage file links',
      'rest/represent/file-link.ts',
      [...listed, ...fileLinks('a hidden link answers 404')],
    ],
    ['link status', 'Access of the caller to the file', 'rest/represent/file-link.ts', statuses],
    [
      'status ViewAllowed',
      'The caller sees the file',
      'actions/storages/access/refresh-origins.ts',
      statuses,
    ],
    [
      'status ViewNotAllowed',
      'The file exists, but the caller cannot see it',
      'actions/storages/access/refresh-origins.ts',
      statuses,
    ],
    [
      'status NotFound',
      'The file does not exist',
      'actions/storages/access/refresh-origins.ts',
      statuses,
    ],
    [
      'status Error',
      'The storage did not answer',
      'actions/storages/access/refresh-origins.ts',
      [...statuses, ...fileLinks('storage %s: its links', 'a user without a token')],
    ],
    [
      'link originOpen',
      'The file at its storage',
      'resolvers/file-link.ts',
      [...listed, ...redirects],
    ],
    [
      'link staticOriginOpen',
      'Redirects there',
      'rest/represent/file-link.ts',
      [...listed, ...redirects],
    ],
    [
      'link originOpenLocation',
      'The folder of the file at its storage',
      'resolvers/file-link.ts',
      [...listed, ...redirects],
    ],
    [
      'link staticOriginOpenLocation',
      'Redirects there',
      'rest/represent/file-link.ts',
      [...listed, ...redirects],
    ],
    [
      'link staticOriginDownload',
      'Redirects to a fresh address of the content',
      'rest/represent/file-link.ts',
      [...listed, ...redirects],
    ],
  ]),
  ...section('2.6', [
    ['id', 'Needed', 'actions/storages/links/validate-origin.ts', [...members, ...refusedMembers]],
    [
      'id that the type cannot have',
      'Refused, and never sent to the storage',
      'actions/storages/links/validate-origin.ts',
      fileLinks('an id that no file of the storage can have', 'a stored id that no file can have'),
    ],
    [
      'name',
      'Needed',
      'actions/storages/links/validate-origin.ts',
      [...members, ...refusedMembers],
    ],
    ['mimeType', 'Empty is unknown', 'actions/storages/links/validate-origin.ts', members],
    [
      'mimeType of a folder',
      'Folders have one type of their own',
      'actions/storages/links/validate-origin.ts',
      members,
    ],
    [
      'size',
      'Optional',
      'actions/storages/links/validate-origin.ts',
      [...members, ...refusedMembers],
    ],
    [
      'createdAt',
      'Optional',
      'actions/storages/links/validate-origin.ts',
      [...members, ...refusedMembers],
    ],
    [
      'lastModifiedAt',
      'Optional',
      'actions/storages/links/validate-origin.ts',
      [...members, ...refusedMembers],
    ],
    [
      'createdByName',
      'Optional',
      'actions/storages/links/validate-origin.ts',
      [...members, ...refusedMembers],
    ],
    ['lastModifiedByName', 'Optional', 'actions/storages/links/validate-origin.ts', members],
  ]),
  ...section('2.7', [
    [
      'originData',
      'The metadata that the client sends',
      'rest/request/file-link-inputs.ts',
      members,
    ],
    [
      'link storage',
      'Names the storage by its address here',
      'rest/request/file-link-inputs.ts',
      created,
    ],
    [
      'link storageUrl',
      'Names the storage by its host',
      'rest/request/file-link-inputs.ts',
      fileLinks('a storage is found'),
    ],
    [
      'one of the two',
      'Without either there is no link',
      'actions/storages/links/create-file-links.ts',
      byStorage,
    ],
  ]),
  ...section('4.4', [
    ['list', 'GET the links of a work package', 'rest/routes/file-links.ts', listed],
    [
      'list filters',
      'Only the links to some storages; anything else is no filter',
      'rest/request/page-and-filters.ts',
      fileLinks('filters select links by storage'),
    ],
    [
      'list is paginated',
      'Pages of the list',
      'rest/routes/file-links.ts',
      fileLinks('pages are numbered from 1'),
    ],
    ['create', 'POST several links to a work package', 'rest/routes/file-links.ts', created],
    [
      'create answers a page',
      'With all links in the order of the request',
      'rest/routes/file-links.ts',
      created,
    ],
    ['view', 'GET one link', 'rest/routes/file-links.ts', single],
    ['remove', 'DELETE one link: 200 without a body', 'rest/routes/file-links.ts', single],
    ['download', 'GET leads to the content: 303', 'rest/routes/file-links.ts', redirects],
    ['open', 'GET leads to the file: 303', 'rest/routes/file-links.ts', redirects],
    [
      'open location',
      'GET with location=true leads to the folder: 303',
      'rest/routes/file-links.ts',
      redirects,
    ],
    [
      'list is live',
      'Each list requests the status of every link from its storage',
      'actions/storages/access/refresh-origins.ts',
      [...listed, ...fileLinks('thirty links take as few'), ...manyLinks('a second request costs')],
    ],
    [
      'list is as the user',
      'Each user gets their own status',
      'actions/storages/access/refresh-origins.ts',
      fileLinks('each user sees their own'),
    ],
    [
      'rule 1',
      'Twenty at a time',
      'actions/storages/links/create-file-links.ts',
      fileLinks('missing, empty, malformed or too'),
    ],
    [
      'rule 2',
      'One that is wrong keeps all from being made',
      'actions/storages/links/create-file-links.ts',
      fileLinks('one invalid element refuses'),
    ],
    [
      'rule 3',
      'An existing link is returned unchanged',
      'actions/storages/links/create-file-links.ts',
      fileLinks('an existing link is returned', 'concurrent requests create one link'),
    ],
    [
      'rule 4',
      'Id and name are required',
      'actions/storages/links/validate-origin.ts',
      refusedMembers,
    ],
    [
      'rule 5',
      'An unknown storage is 422',
      'actions/storages/links/create-file-links.ts',
      byStorage,
    ],
    [
      'permissions',
      'Each of them for every kind of caller',
      'policies/can.ts',
      matrix([
        'list file links',
        'view file link',
        'delete file link',
        'create file links',
        'open file link',
        'open location of file link',
        'download file link',
      ]),
    ],
  ]),
];
