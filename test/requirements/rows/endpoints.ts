/** Sections 4.1 to 4.3. */
import { matrix, section, type Line, type Row } from '../row.js';
import {
  attachments,
  badMultipart,
  claims,
  content,
  directUpload,
  remoteContent,
  storeRefusals,
} from '../proofs.js';

const added = attachments('T22, T23');
const prepared = directUpload('T63–T68');
const completed = directUpload('T84, T88');

const containers = [
  ['work package', 'work_packages'],
  ['activity', 'activities'],
  ['meeting', 'meetings'],
  ['post', 'posts'],
  ['wiki page', 'wiki_pages'],
] as const;

/** The tests of these files run once for each kind of container. */
const ofContainer = ([kind, segment]: (typeof containers)[number]): Line[] => [
  [
    `list, ${kind}`,
    `GET /${segment}/{id}/attachments`,
    'rest/routes/attachments.ts',
    attachments('T15, T16', 'T20'),
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
    ['view', 'GET one: 200', 'rest/routes/attachments.ts', attachments('T1, T6, T8')],
    [
      'delete',
      'DELETE one: 204 without a body',
      'rest/routes/attachments.ts',
      attachments('T52, T58'),
    ],
    ['create', 'POST without container: 200', 'rest/routes/attachments.ts', attachments('T21, T7')],
    ['prepare', 'POST /attachments/prepare: 201', 'rest/routes/attachments.ts', prepared],
    ['complete', 'GET uploaded: 200', 'rest/routes/attachments.ts', completed],
    [
      'content',
      'GET the bytes',
      'rest/routes/content.ts',
      content('the headers of a download › %s', 'range requests › %s answers 206'),
    ],
    ['content, remote', 'GET leads to the store', 'rest/routes/content.ts', remoteContent('T105')],
    ...containers.flatMap(ofContainer),
    [
      'pending in its container',
      'An upload that is prepared for a container has a link to it at once',
      'actions/uploads/prepare-upload.ts',
      [...prepared, ...directUpload('a prepared upload is seen and deleted')],
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
      'rest/request/multipart.ts',
      [
        ...attachments('a third part, a duplicate'),
        ...badMultipart('the shape of the form › %s is refused'),
      ],
    ],
    [
      'metadata',
      'One JSON object',
      'rest/request/multipart.ts',
      [
        ...attachments('metadata that is not one object'),
        ...badMultipart('is refused behind the file'),
      ],
    ],
    ['metadata fileName', 'Needed', 'actions/uploads/validate-upload.ts', attachments('T27')],
    [
      'metadata description',
      'Optional',
      'actions/uploads/validate-upload.ts',
      attachments('T43, T44'),
    ],
    ['file', 'The raw bytes', 'rest/request/multipart.ts', added],
    [
      'type of the part',
      'A hint only: the service detects the type from the bytes',
      'actions/attachments/detect-type.ts',
      attachments('T42'),
    ],
    [
      'filename of the part',
      'Must be there and is ignored',
      'rest/request/multipart.ts',
      [...added, ...attachments('a third part, a duplicate', 'T27')],
    ],
    [
      'same user',
      'Only the uploader can claim',
      'actions/attachments/claim-attachments.ts',
      [...claims('T115'), ...matrix(["claim another's on create", "claim another's on update"])],
    ],
  ]),
  ...section('4.3', [
    [
      'prepare',
      'One part with the JSON',
      'rest/request/multipart.ts',
      [...prepared, ...directUpload('the part metadata may be a plain field')],
    ],
    [
      'prepare, split',
      'Not a part for each member',
      'rest/request/multipart.ts',
      directUpload('the metadata › %s is refused with 400'),
    ],
    [
      'prepare, no content',
      'The file is not sent here',
      'rest/request/multipart.ts',
      directUpload('the metadata › %s is refused with 400'),
    ],
    [
      'prepare, pending',
      'A pending attachment is made',
      'actions/uploads/prepare-upload.ts',
      directUpload('a prepared upload is seen and deleted'),
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
      'actions/uploads/complete-upload.ts',
      [...completed, ...directUpload('T85, T87')],
    ],
    [
      'complete, verified',
      'Only once all bytes are there',
      'actions/uploads/complete-upload.ts',
      [...directUpload('T83'), ...storeRefusals('with an empty file, or one byte too few')],
    ],
    ['complete, finalised', 'Finalisation follows', 'workers/index.ts', completed],
    [
      'unavailable, local',
      '422 where files are on the disk',
      'actions/uploads/prepare-upload.ts',
      directUpload('T61, T98'),
    ],
    [
      'unavailable, no key',
      '422 where the store has no access key of ours',
      'blobs/index.ts',
      directUpload('T62'),
    ],
  ]),
];
