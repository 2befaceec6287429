/** Sections 2.10 and 5 to 9. */
import { matrix, section, type Row } from '../row.js';
import {
  attachments,
  badJson,
  badMultipart,
  directUpload,
  fileLinks,
  openApi,
  orderOfChecks,
  resources,
  storageFiles,
  storages,
} from '../proofs.js';

const containers = ['work package', 'meeting', 'post', 'wiki page'] as const;
const comments = ['comment', 'internal comment'] as const;
const bodies = [
  ...attachments('T40', 'T41', 'an Accept header'),
  ...storages('T195'),
  ...orderOfChecks('a body of another type is 415'),
];
const blankParts = attachments('T24', 'T25', 'T26');
const prepareBodies = directUpload('the metadata › %s is refused with 400');
const prepareMembers = directUpload('%s is refused with 422, over REST');

export const ruleRows: Row[] = [
  ...section('2.10', [
    [
      'type',
      'Is Error',
      'rest/represent/errors.ts',
      [...resources('T209'), ...openApi('fits a real answer')],
    ],
    [
      'errorIdentifier',
      'A URN',
      'contract/errors.ts',
      [...attachments('T24'), ...openApi('fits a real answer')],
    ],
    ['message', 'A sentence', 'contract/errors.ts', attachments('T24')],
    [
      'attribute',
      'The member that is wrong, where it is one',
      'rest/represent/errors.ts',
      attachments('T27', 'T24'),
    ],
  ]),
  ...section('5', [
    [
      'view, activity',
      'view_work_packages; internal ones view_internal_comments',
      'policies/visible.ts',
      [...attachments('T4: view'), ...matrix(['list attachments', 'view attachment'], comments)],
    ],
    [
      'add, activity',
      'As viewing',
      'policies/permissions.ts',
      [...attachments('T4: view', 'T35, T53'), ...matrix(['add attachment'], comments)],
    ],
    [
      'prepare, activity',
      'add_work_package_comments',
      'policies/permissions.ts',
      [...directUpload('T81: a comment'), ...matrix(['prepare upload'], comments)],
    ],
    [
      'view, other containers',
      'The view permission of their kind',
      'policies/permissions.ts',
      [...attachments('T3, T17'), ...matrix(['list attachments', 'view attachment'], containers)],
    ],
    [
      'add, other containers',
      'The edit permission of their kind',
      'policies/permissions.ts',
      [...attachments('T35, T53', 'T36, T38'), ...matrix(['add attachment'], containers)],
    ],
    [
      'prepare, other containers',
      'The edit permission of their kind',
      'policies/permissions.ts',
      [...directUpload('T80, T81'), ...matrix(['prepare upload'], containers)],
    ],
    [
      'create',
      'One that allows to attach, in any project',
      'policies/can.ts',
      [
        ...attachments('%s in any project suffices', 'T33'),
        ...matrix(['create unclaimed attachment', 'prepare unclaimed upload']),
      ],
    ],
    [
      'view',
      'That of the container, or being the author',
      'policies/visible.ts',
      [...attachments('T5, T56'), ...matrix(['view attachment'])],
    ],
    [
      'delete',
      'That to edit the container, or being the author',
      'policies/can.ts',
      [...attachments('T52, T58', 'T5, T56'), ...matrix(['delete attachment'])],
    ],
    [
      'list file links',
      'view_file_links and view_work_packages',
      'policies/can.ts',
      [...fileLinks('T126, T127'), ...matrix(['list file links'])],
    ],
    [
      'change file links',
      'manage_file_links',
      'policies/can.ts',
      [...fileLinks('T154', 'T155, T157'), ...matrix(['create file links', 'delete file link'])],
    ],
    [
      'folders and uploads',
      'manage_file_links',
      'policies/can.ts',
      [...storageFiles('C21', 'T191: 403'), ...matrix(['create folder', 'prepare storage upload'])],
    ],
    [
      'use file links and storages',
      'view_work_packages and view_file_links',
      'policies/visible.ts',
      [
        ...fileLinks('T155, T157'),
        ...storages('T166, T175'),
        ...matrix([
          'view file link',
          'download file link',
          'open file link',
          'view storage',
          'browse files',
        ]),
      ],
    ],
    [
      'administer storages',
      'Administrators',
      'policies/can.ts',
      [
        ...storages('T180: 403'),
        ...matrix(['update storage', 'delete storage', 'set client credentials']),
      ],
    ],
    [
      'OAuth records',
      'Administrators',
      'policies/visible.ts',
      [...storages('T176'), ...matrix(['view OAuth application', 'view client credentials'])],
    ],
  ]),
  ...section('6', [
    [
      'finalisation',
      'Updates the container, or writes an activity',
      'actions/history/record-change.ts',
      directUpload('T84, T88'),
    ],
  ]),
  ...section('7', [
    [
      'NotFound',
      '404: missing or hidden',
      'contract/errors.ts',
      [...resources('T209'), ...attachments('T2: an id')],
    ],
    [
      'MissingPermission',
      '403: seen, but not allowed',
      'contract/errors.ts',
      attachments('T35, T53'),
    ],
    [
      'InvalidRequestBody',
      '400: not one JSON object, or a part missing',
      'contract/errors.ts',
      [...badJson('the body › %s is refused'), ...blankParts],
    ],
    [
      'TypeNotSupported',
      '415: another Content-Type',
      'contract/errors.ts',
      [...badJson('Content-Type %s is 415'), ...attachments('T40')],
    ],
    [
      'PropertyConstraintViolation',
      '422: a member is wrong',
      'contract/errors.ts',
      [...attachments('T27'), ...badMultipart('the metadata part › %s is 422')],
    ],
    [
      'InvalidQuery',
      '400: wrong filters, or a parent that is no folder',
      'contract/errors.ts',
      [
        ...storages('what is no whole number'),
        ...fileLinks('T128–T130'),
        ...storageFiles('C18, 4.5 rule 6'),
      ],
    ],
    [
      'OutboundRequest:NotFound',
      '500: a storage failed, with its status',
      'actions/storage-access/outbound-error.ts',
      [...fileLinks('T160'), ...storageFiles('T190')],
    ],
    [
      'MissingEnterpriseToken',
      '500: cloud drives are switched off',
      'contract/errors.ts',
      [...storages('T193'), ...storageFiles('T193')],
    ],
    [
      'rule 1, 400',
      'Upload without a part, or with broken JSON',
      'rest/request/multipart.ts',
      blankParts,
    ],
    [
      'rule 1, 422 name',
      'Upload without a file name',
      'actions/uploads/validate-upload.ts',
      attachments('T27'),
    ],
    [
      'rule 1, 422 size',
      'Upload over the maximum, which the message names in bytes',
      'actions/attachments/analyze-content.ts',
      [
        ...attachments('T28–T30'),
        ...badMultipart('a file one byte too large is refused with the limit'),
      ],
    ],
    [
      'rule 2',
      'Upload without container and without any permission: 403',
      'policies/can.ts',
      attachments('T33'),
    ],
    [
      'rule 3',
      'Adding: 403 where the container is seen, else 404',
      'policies/can.ts',
      attachments('T35, T53', 'T3, T17'),
    ],
    [
      'rule 4, 400',
      'Preparing without metadata, or with broken JSON',
      'rest/request/multipart.ts',
      prepareBodies,
    ],
    [
      'rule 4, 422 name',
      'Preparing without a file name',
      'actions/uploads/validate-upload.ts',
      prepareMembers,
    ],
    [
      'rule 4, 422 size',
      'Preparing without a size',
      'actions/uploads/validate-upload.ts',
      prepareMembers,
    ],
    [
      'rule 4, 422 not configured',
      'Preparing where there is no direct upload',
      'actions/uploads/prepare-upload.ts',
      directUpload('T61, T98', 'T62'),
    ],
    [
      'rule 4, 422 type',
      'Preparing a type that is not allowed, which the message names',
      'actions/attachments/check-allowlist.ts',
      directUpload('T75'),
    ],
    [
      'rule 5, no upload',
      'Completing an upload that is not pending: 404',
      'actions/uploads/complete-upload.ts',
      directUpload('T85, T87', 'T86: a regular'),
    ],
    [
      'rule 5, not seen',
      'Completing the upload of another user: 404',
      'actions/uploads/complete-upload.ts',
      [...directUpload('T85, T87'), ...matrix(['complete upload'])],
    ],
    [
      'rule 5, no bytes',
      'Completing before the bytes are there: 404',
      'actions/uploads/complete-upload.ts',
      directUpload('T83'),
    ],
    [
      'rule 6',
      'View and delete: 404 where it is not seen, delete 403 where it is',
      'policies/can.ts',
      attachments('T3, T17', 'T35, T53'),
    ],
    [
      'rule 7',
      'File links: 403 without the permission, 404 without the work package',
      'policies/can.ts',
      fileLinks('T126, T127'),
    ],
    [
      'rule 8, 400',
      'File links from a body that is not one JSON object',
      'rest/request/body.ts',
      fileLinks('T147–T150'),
    ],
    [
      'rule 8, 422',
      'The message names the file and the problem',
      'actions/file-links/create-file-links.ts',
      fileLinks('T138, T139', 'T151', 'T143–T146'),
    ],
    [
      'rule 9, 403',
      'A user who sees a storage, but is no administrator, cannot change it',
      'policies/can.ts',
      storages('T180: 403'),
    ],
    [
      'rule 9, 400',
      'A storage from a body that is not one JSON object',
      'rest/request/body.ts',
      storages('T174'),
    ],
    [
      'rule 9, 422',
      'A storage that breaks a rule',
      'actions/storages/validate-storage.ts',
      storages('what is no type, no method', 'T171', 'T172, C28'),
    ],
    [
      'rule 9, 404',
      'A storage that is not seen',
      'policies/find.ts',
      storages('T166, T175', 'T180: 403'),
    ],
    [
      'rule 9, 404 root',
      'A document root that is not there',
      'actions/storage-files/list-files.ts',
      storageFiles('C19: a document root'),
    ],
    ['rule 10, 415', 'Every body of another type', 'rest/request/body.ts', bodies],
    [
      'rule 10, 406',
      'Every body without a type, and every answer that is not accepted',
      'rest/request/body.ts',
      bodies,
    ],
  ]),
  ...section('8', [
    [
      'maximum size',
      'Of regular uploads, by setting, 5242880 by default',
      'actions/attachments/analyze-content.ts',
      attachments('T28–T30'),
    ],
    [
      'bulk',
      'Twenty file links at a time',
      'actions/file-links/create-file-links.ts',
      fileLinks('T147–T150'),
    ],
    [
      'pages',
      'offset and pageSize of file links and storages',
      'rest/request/query.ts',
      [...fileLinks('C40: pages'), ...storages('T204')],
    ],
  ]),
  ...section('9', [
    [
      'prefix',
      'Everything is below /api/v3',
      'rest/index.ts',
      [...openApi('names every route'), ...resources('an unknown path answers 404')],
    ],
    ['error identifiers', 'Carry v3', 'contract/errors.ts', attachments('T24', 'T2: an id')],
    [
      'delete answers nothing',
      '204 without a body',
      'rest/routes/attachments.ts',
      attachments('T52, T58'),
    ],
    ['direct upload method', 'Is post', 'blobs/s3/signing.ts', directUpload('T63–T68')],
  ]),
];
