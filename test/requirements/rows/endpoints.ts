/** Sections 4.1 to 4.3. */ import { matrix, section, type Line, type Row } from '../row.js';
import {
  attachments,
  badMultipart,
  claims,
  content,
  directUpload,
  remoteContent,
  storeRefusals,
} from '../proofs.js';
const added = attachments('a valid two-part upload');
const prepared = directUpload('preparing answers 201 with the full');
const completed = directUpload('a completed upload becomes');
const containers = [
  ['work package', 'work_packages'],
  ['activity', 'activities'],
  ['meeting', 'meetings'],
  ['post', 'posts'],
  ['wiki page', 'wiki_pages'],
] as const;
/** The tests of these files run once for each kind of container. */ const ofContainer = ([
  kind,
  segment,
]: (typeof containers)[number]): Line[] => [
  [
    `list, ${kind}`,
    `GET /${segment}/{id}/attachments`,
    'rest/routes/attachments.ts',
    attachments('the list is an unpaginated', 'work packages and meetings'),
  ],
  [`add, ${kind}`, `POST /${segment}/{id}/attachments`, 'rest/routes/attachments.ts', added],
  [
    `prepare, ${kind}`,
    `POST /${segment}/{id}/attachments/prepare`,
    'rest/routes/attachments.ts',
    prepared,
  ],
];
export const endpointRows: Row[] = [
  ...section('4.1', [
    ['view', 'GET one: 200', 'rest/routes/attachments.ts', attachments('a user who can view')],
    [
      'delete',
      'DELETE one: 204 without a body',
      'rest/routes/attachments.ts',
      attachments('an editor deletes with 204'),
    ],
    [
      'create',
      'POST without container: 200',
      'rest/routes/attachments.ts',
      attachments('a user with attach'),
    ],
    ['prepare', 'POST /attachments/prepare: 201', 'rest/routes/attachments.ts', prepared],
    ['complete', 'GET uploaded: 200', 'rest/routes/attachments.ts', completed],
    [
      'content',
      'GET the bytes',
      'rest/routes/content.ts',
      content('of %s', 'range requests › %s answers 206'),
    ],
    [
      'content, remote',
      'GET leads to the store',
      'rest/routes/content.ts',
      remoteContent('content answers 302 to a short-lived'),
    ],
    ...containers.flatMap(ofContainer),
    [
      'pending in its container',
      'An upload that is prepared for a container has a link to it at once',
      'actions/files/uploads/prepare-upload.ts',
      [...prepared, ...directUpload('only the preparer can view')],
    ],
    ['embeds', 'Adding embeds author and container', 'rest/represent/attachment.ts', added],
    [
      'permissions',
      'Each of them for every kind of caller',
      'policies/can.ts',
      matrix([
        'view attachment',
        'delete attachment',
        'list attachments',
        'add attachment',
        'create unclaimed attachment',
        'prepare upload',
        'prepare unclaimed upload',
        'complete upload',
        'download content',
      ]),
    ],
  ]),
  ...section('4.2', [
    [
      'two parts',
      'Exactly',
      'rest/request/upload-form.ts',
      [
        ...attachments('a third part, a duplicate'),
        ...badMultipart('the shape of the form › %s is refused'),
      ],
    ],
    [
      'metadata',
      'One JSON object',
      'rest/request/upload-form.ts',
      [
        ...attachments('metadata that is not a single'),
        ...badMultipart('%s is refused after the file'),
      ],
    ],
    [
      'metadata fileName',
      'Needed',
      'actions/files/uploads/validate-upload.ts',
      attachments('metadata without a file'),
    ],
    [
      'metadata description',
      'Optional',
      'actions/files/uploads/validate-upload.ts',
      attachments('the description is an object'),
    ],
    ['file', 'The raw bytes', 'rest/request/upload-form.ts', added],
    [
      'type of the part',
      'A hint only: the service detects the type from the bytes',
      'actions/files/attachments/detect-type.ts',
      attachments('the content type is detected'),
    ],
    [
      'filename of the part',
      'Must be there and is ignored',
      'rest/request/upload-form.ts',
      [...added, ...attachments('a third part, a duplicate', 'metadata without a file')],
    ],
    [
      'same user',
      'Only the uploader can claim',
      'actions/files/attachments/claim-attachments.ts',
      [
        ...claims("another user's attachment answers"),
        ...matrix(["claim another's on create", "claim another's on update"]),
      ],
    ],
  ]),
  ...section('4.3', [
    [
      'prepare',
      'One part with the JSON',
      'rest/request/upload-form.ts',
      [...prepared, ...directUpload('the part metadata can be')],
    ],
    [
      'prepare, split',
      'Not a part for each member',
      'rest/request/upload-form.ts',
      directUpload('the metadata › %s is refused with 400'),
    ],
    [
      'prepare, no content',
      'The file is not sent here',
      'rest/request/upload-form.ts',
      directUpload('the metadata › %s is refused with 400'),
    ],
    [
      'prepare, pending',
      'A pending attachment is made',
      'actions/files/uploads/prepare-upload.ts',
      directUpload('only the preparer can view'),
    ],
    [
      'upload',
      'The form is sent to the store as it is, with the file last',
      'blobs/s3/signing.ts',
      [...completed, ...storeRefusals('is refused by the store › %s', 'without the part file')],
    ],
    [
      'complete',
      'The preparer says that it is done',
      'actions/files/uploads/complete-upload.ts',
      [...completed, ...directUpload('only the preparer can complete')],
    ],
    [
      'complete, verified',
      'Only once all bytes are there',
      'actions/files/uploads/complete-upload.ts',
      [
        ...directUpload('completing before the bytes'),
        ...storeRefusals('with an empty file, or one byte too few'),
      ],
    ],
    ['complete, finalised', 'Finalisation follows', 'workers/attachment-job.ts', completed],
    [
      'unavailable, local',
      '422 where files are on the disk',
      'actions/files/uploads/prepare-upload.ts',
      directUpload('with files on the local'),
    ],
    [
      'unavailable, no key',
      '422 where the store has no access key of ours',
      'blobs/index.ts',
      directUpload("with credentials from the machine's"),
    ],
  ]),
];
