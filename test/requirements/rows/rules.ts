/** Sections 2.10 and 5 to 9. */ import { matrix, section, type Row } from '../row.js';
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
  ...attachments(
    'another Content-Type answers 415',
    'a missing Content-Type answers 406',
    'an Accept header',
  ),
  ...storages('operations with a body'),
  ...orderOfChecks('another Content-Type answers 415'),
];
const blankParts = attachments(
  'a form without the metadata',
  'a form without the file',
  'metadata that is not JSON',
);
const prepareBodies = directUpload('the metadata › %s is refused with 400');
const prepareMembers = directUpload('%s is refused with 422, over REST');
export const ruleRows: Row[] = [
  ...section('2.10', [
    [
      'type',
      'Is Error',
      'rest/represent/errors.ts',
      [
        ...resources('hidden and missing ones'),
        ...openApi('matches a real answer of every success'),
      ],
    ],
    [
      'errorIdentifier',
      'A URN',
      'contract/errors.ts',
      [
        ...attachments('a form without the metadata'),
        ...openApi('matches a real answer of every success'),
      ],
    ],
    ['message', 'A sentence', 'contract/errors.ts', attachments('a form without the metadata')],
    [
      'attribute',
      'The member that is wrong, where it is one',
      'rest/represent/errors.ts',
      attachments('metadata without a file', 'a form without the metadata'),
    ],
  ]),
  ...section('5', [
    [
      'view, activity',
      'view_work_packages; internal ones view_internal_comments',
      'policies/visible.ts',
      [
        ...attachments('an attachment of an internal'),
        ...matrix(['list attachments', 'view attachment'], comments),
      ],
    ],
    [
      'add, activity',
      'As viewing',
      'policies/permissions.ts',
      [
        ...attachments('an attachment of an internal', 'a viewer without the edit'),
        ...matrix(['add attachment'], comments),
      ],
    ],
    [
      'prepare, activity',
      'add_work_package_comments',
      'policies/permissions.ts',
      [
        ...directUpload('a comment needs add_work_package_comments'),
        ...matrix(['prepare upload'], comments),
      ],
    ],
    [
      'view, other containers',
      'The view permission of their kind',
      'policies/permissions.ts',
      [
        ...attachments('without the view permission'),
        ...matrix(['list attachments', 'view attachment'], containers),
      ],
    ],
    [
      'add, other containers',
      'The edit permission of their kind',
      'policies/permissions.ts',
      [
        ...attachments('a viewer without the edit', '%s without the edit'),
        ...matrix(['add attachment'], containers),
      ],
    ],
    [
      'prepare, other containers',
      'The edit permission of their kind',
      'policies/permissions.ts',
      [
        ...directUpload('preparing answers 403 without the permission'),
        ...matrix(['prepare upload'], containers),
      ],
    ],
    [
      'create',
      'One that allows to attach, in any project',
      'policies/can.ts',
      [
        ...attachments('%s in any project', 'an upload without such'),
        ...matrix(['create unclaimed attachment', 'prepare unclaimed upload']),
      ],
    ],
    [
      'view',
      'That of the container, or being the author',
      'policies/visible.ts',
      [...attachments('an upload without such'), ...matrix(['view attachment'])],
    ],
    [
      'delete',
      'That to edit the container, or being the author',
      'policies/can.ts',
      [
        ...attachments('an editor deletes with 204', 'an upload without such'),
        ...matrix(['delete attachment']),
      ],
    ],
    [
      'list file links',
      'view_file_links and view_work_packages',
      'policies/can.ts',
      [...fileLinks('a list without the permission'), ...matrix(['list file links'])],
    ],
    [
      'change file links',
      'manage_file_links',
      'policies/can.ts',
      [
        ...fileLinks('creating answers 403 without the permission', 'a hidden link answers 404'),
        ...matrix(['create file links', 'delete file link']),
      ],
    ],
    [
      'folders and uploads',
      'manage_file_links',
      'policies/can.ts',
      [
        ...storageFiles(
          'answer 403 without the permission, 404 for a hidden',
          'answer 403 without the permission, 404 for an unknown',
        ),
        ...matrix(['create folder', 'prepare storage upload']),
      ],
    ],
    [
      'use file links and storages',
      'view_work_packages and view_file_links',
      'policies/storage-scopes.ts',
      [
        ...fileLinks('a hidden link answers 404'),
        ...storages('administrators, users with view_file_links'),
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
        ...storages('an update answers 403'),
        ...matrix(['update storage', 'delete storage', 'set client credentials']),
      ],
    ],
    [
      'OAuth records',
      'Administrators',
      'policies/visible.ts',
      [
        ...storages('only administrators see the OAuth'),
        ...matrix(['view OAuth application', 'view client credentials']),
      ],
    ],
  ]),
  ...section('6', [
    [
      'finalisation',
      'Updates the container, or writes an activity',
      'actions/base/history/record-change.ts',
      directUpload('a completed upload becomes'),
    ],
  ]),
  ...section('7', [
    [
      'NotFound',
      '404: missing or hidden',
      'contract/errors.ts',
      [...resources('hidden and missing ones'), ...attachments('an unknown id answers 404')],
    ],
    [
      'MissingPermission',
      '403: seen, but not allowed',
      'contract/errors.ts',
      attachments('a viewer without the edit'),
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
      [
        ...badJson('Content-Type %s answers 415'),
        ...attachments('another Content-Type answers 415'),
      ],
    ],
    [
      'PropertyConstraintViolation',
      '422: a member is wrong',
      'contract/errors.ts',
      [...attachments('metadata without a file'), ...badMultipart('%s answers 422')],
    ],
    [
      'InvalidQuery',
      '400: wrong filters, or a parent that is no folder',
      'contract/errors.ts',
      [
        ...storages('a text for a page means the first one'),
        ...fileLinks('filters select links by storage'),
        ...storageFiles('a file as parent answers 400'),
      ],
    ],
    [
      'OutboundRequest:NotFound',
      '500: a storage failed, with its status',
      'actions/storages/access/outbound-error.ts',
      [...fileLinks('an error of the storage'), ...storageFiles('a failing storage answers 500')],
    ],
    [
      'MissingEnterpriseToken',
      '500: cloud drives are switched off',
      'contract/errors.ts',
      [...storages('if cloud drives are disabled'), ...storageFiles('a disabled cloud drive')],
    ],
    [
      'rule 1, 400',
      'Upload without a part, or with broken JSON',
      'rest/request/upload-form.ts',
      blankParts,
    ],
    [
      'rule 1, 422 name',
      'Upload without a file name',
      'actions/files/uploads/validate-upload.ts',
      attachments('metadata without a file'),
    ],
    [
      'rule 1, 422 size',
      'Upload over the maximum, which the message names in bytes',
      'actions/files/attachments/analyze-content.ts',
      [
        ...attachments('the maximum size is configurable'),
        ...badMultipart('a file one byte too large is refused with the limit'),
      ],
    ],
    [
      'rule 2',
      'Upload without container and without any permission: 403',
      'policies/can.ts',
      attachments('an upload without such'),
    ],
    [
      'rule 3',
      'Adding: 403 where the container is seen, else 404',
      'policies/can.ts',
      attachments('a viewer without the edit', 'without the view permission'),
    ],
    [
      'rule 4, 400',
      'Preparing without metadata, or with broken JSON',
      'rest/request/upload-form.ts',
      prepareBodies,
    ],
    [
      'rule 4, 422 name',
      'Preparing without a file name',
      'actions/files/uploads/validate-upload.ts',
      prepareMembers,
    ],
    [
      'rule 4, 422 size',
      'Preparing without a size',
      'actions/files/uploads/validate-upload.ts',
      prepareMembers,
    ],
    [
      'rule 4, 422 not configured',
      'Preparing where there is no direct upload',
      'actions/files/uploads/prepare-upload.ts',
      directUpload('with files on the local', "with credentials from the machine's"),
    ],
    [
      'rule 4, 422 type',
      'Preparing a type that is not allowed, which the message names',
      'actions/files/attachments/check-allowlist.ts',
      directUpload('a declared content type'),
    ],
    [
      'rule 5, no upload',
      'Completing an upload that is not pending: 404',
      'actions/files/uploads/complete-upload.ts',
      directUpload('only the preparer can complete', 'a regular upload cannot be'),
    ],
    [
      'rule 5, not seen',
      'Completing the upload of another user: 404',
      'actions/files/uploads/complete-upload.ts',
      [...directUpload('only the preparer can complete'), ...matrix(['complete upload'])],
    ],
    [
      'rule 5, no bytes',
      'Completing before the bytes are there: 404',
      'actions/files/uploads/complete-upload.ts',
      directUpload('completing before the bytes'),
    ],
    [
      'rule 6',
      'View and delete: 404 where it is not seen, delete 403 where it is',
      'policies/can.ts',
      attachments('without the view permission', 'a viewer without the edit'),
    ],
    [
      'rule 7',
      'File links: 403 without the permission, 404 without the work package',
      'policies/can.ts',
      fileLinks('a list without the permission'),
    ],
    [
      'rule 8, 400',
      'File links from a body that is not one JSON object',
      'rest/request/body.ts',
      fileLinks('missing, empty, malformed or too'),
    ],
    [
      'rule 8, 422',
      'The message names the file and the problem',
      'actions/storages/links/create-file-links.ts',
      fileLinks(
        'one invalid element refuses',
        'each invalid member of the origin',
        'a missing, unknown or unusable',
      ),
    ],
    [
      'rule 9, 403',
      'A user who sees a storage, but is no administrator, cannot change it',
      'policies/can.ts',
      storages('an update answers 403'),
    ],
    [
      'rule 9, 400',
      'A storage from a body that is not one JSON object',
      'rest/request/body.ts',
      storages('a body that is not a single'),
    ],
    [
      'rule 9, 422',
      'A storage that breaks a rule',
      'actions/storages/settings/validate-storage.ts',
      storages(
        'an invalid type, method',
        'a missing origin, or one that is not the URL',
        'a taken host and a taken',
      ),
    ],
    [
      'rule 9, 404',
      'A storage that is not seen',
      'policies/find.ts',
      storages('administrators, users with view_file_links', 'an update answers 403'),
    ],
    [
      'rule 9, 404 root',
      'A document root that is not there',
      'actions/storages/files/list-files.ts',
      storageFiles('browsing › a missing document root answers 404'),
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
      'actions/files/attachments/analyze-content.ts',
      attachments('the maximum size is configurable'),
    ],
    [
      'bulk',
      'Twenty file links at a time',
      'actions/storages/links/create-file-links.ts',
      fileLinks('missing, empty, malformed or too'),
    ],
    [
      'pages',
      'offset and pageSize of file links and storages',
      'rest/request/page-and-filters.ts',
      [...fileLinks('pages are numbered from 1'), ...storages('page sizes above 1000')],
    ],
  ]),
  ...section('9', [
    [
      'prefix',
      'Everything is below /api/v3',
      'rest/index.ts',
      [...openApi('names every route'), ...resources('an unknown path answers 404')],
    ],
    [
      'error identifiers',
      'Carry v3',
      'contract/errors.ts',
      attachments('a form without the metadata', 'an unknown id answers 404'),
    ],
    [
      'delete answers nothing',
      '204 without a body',
      'rest/routes/attachments.ts',
      attachments('an editor deletes with 204'),
    ],
    [
      'direct upload method',
      'Is post',
      'blobs/s3/signing.ts',
      directUpload('preparing answers 201 with the full'),
    ],
  ]),
];
