/** Sections 2.3, 2.4 and 3. */ import { section, type Row } from '../row.js';
import {
  attachmentChanged,
  attachments,
  claims,
  commandSweep,
  connections,
  directUpload,
  fileLinks,
  scanning,
  storages,
  storeRefusals,
} from '../proofs.js';
const prepared = directUpload('preparing answers 201 with the full');
const completed = directUpload('a completed upload becomes');
const metadata = directUpload('%s is refused with 422, over REST');
const fine = directUpload('%s is accepted');
export const uploadRows: Row[] = [
  ...section('2.3', [
    ['id', 'Id of the attachment that will be', 'models/attachment-upload.ts', prepared],
    ['fileName', 'As requested', 'models/attachment-upload.ts', prepared],
    ['description', 'As requested', 'models/attachment-upload.ts', prepared],
    ['createdAt', 'Time of the preparation', 'models/attachment-upload.ts', prepared],
    [
      'link self',
      'An address that answers 404',
      'rest/represent/attachment-upload.ts',
      [...prepared, ...directUpload('the upload resource itself')],
    ],
    ['link author', 'The user who prepared it', 'rest/represent/attachment-upload.ts', prepared],
    [
      'link container',
      'There only where it was prepared for one',
      'rest/represent/attachment-upload.ts',
      prepared,
    ],
    [
      'link addAttachment href',
      'Where to send the form: the store',
      'rest/represent/attachment-upload.ts',
      prepared,
    ],
    [
      'link addAttachment method',
      'How to send it: post',
      'rest/represent/attachment-upload.ts',
      prepared,
    ],
    [
      'link addAttachment form_fields',
      'Texts by name, as the store wants them',
      'blobs/s3/signing.ts',
      prepared,
    ],
    [
      'link completeUpload',
      'Where to say that the bytes are there',
      'rest/represent/attachment-upload.ts',
      prepared,
    ],
    [
      'link delete',
      'Gives the upload up',
      'rest/represent/attachment-upload.ts',
      [...prepared, ...directUpload('only the preparer can view')],
    ],
    [
      'link staticDownloadLocation',
      'Where the bytes will be',
      'rest/represent/attachment-upload.ts',
      prepared,
    ],
    [
      'link downloadLocation',
      'The same until the file is there',
      'rest/represent/attachment-upload.ts',
      prepared,
    ],
    [
      'policy',
      'The fields hold a policy that lives for minutes and pins key, size and type',
      'blobs/s3/signing.ts',
      [...prepared, ...storeRefusals('when it has expired')],
    ],
    [
      'unchanged',
      'A form that was changed is refused',
      'blobs/s3/signing.ts',
      storeRefusals('is refused by the store › %s'),
    ],
  ]),
  ...section('2.4', [
    ['fileName', 'Needed', 'actions/files/uploads/validate-upload.ts', [...prepared, ...metadata]],
    [
      'fileSize',
      'Required: a whole number of bytes',
      'actions/files/uploads/validate-upload.ts',
      [...prepared, ...metadata, ...fine],
    ],
    [
      'contentType',
      'Optional',
      'actions/files/uploads/validate-upload.ts',
      [...metadata, ...fine, ...directUpload('an allowed, generic or missing')],
    ],
    [
      'description',
      'Optional: a text or an object',
      'actions/files/uploads/validate-upload.ts',
      [...prepared, ...metadata, ...fine],
    ],
    [
      'checksum',
      'Optional: declared by the client',
      'actions/files/uploads/validate-upload.ts',
      directUpload('%s that matches is verified'),
    ],
  ]),
  ...section('3', [
    [
      'uploaded',
      'A regular upload is there at once, with its digest',
      'actions/files/attachments/create-attachment.ts',
      attachments('a valid two-part upload', 'a user with attach'),
    ],
    [
      'prepared',
      'A prepared upload waits',
      'actions/files/uploads/prepare-upload.ts',
      directUpload('only the preparer can view'),
    ],
    [
      'prepared, not in its container',
      'Until it is finished no list has it',
      'lists/attachments.ts',
      directUpload('only the preparer can view'),
    ],
    [
      'prepared to uploaded',
      'Completing finds the bytes and has them finalised',
      'actions/files/uploads/complete-upload.ts',
      completed,
    ],
    [
      'asynchronous',
      'The answer may still say prepared',
      'actions/files/uploads/complete-upload.ts',
      directUpload('completing again answers the same'),
    ],
    [
      'definitive type',
      'Finalisation finds the type',
      'actions/files/uploads/finalize-upload.ts',
      completed,
    ],
    [
      'allowlist',
      'Finalisation checks the detected type',
      'actions/files/uploads/finalize-upload.ts',
      directUpload('a detected content type', 'an allowed detected type'),
    ],
    [
      'scan',
      'With a scanner, the finished file is scanned',
      'actions/files/uploads/finalize-upload.ts',
      scanning('a direct upload is scanned'),
    ],
    [
      'container is told',
      'Finalisation writes into the history of a work package and touches other containers',
      'actions/base/history/record-change.ts',
      completed,
    ],
    [
      'failed finalisation',
      'An upload that cannot be finalised is removed',
      'actions/files/uploads/finalize-upload.ts',
      directUpload('a detected content type', 'an author who loses', '%s that does not match'),
    ],
    [
      'garbage',
      'An upload that is not completed is removed after its expiry',
      'actions/operate/cleanup/expire-attachments.ts',
      [
        ...directUpload('a prepared upload expires'),
        ...commandSweep('expired uploads and attachments'),
      ],
    ],
    [
      'scanned',
      'The scan found no virus',
      'actions/files/attachments/scan-attachment.ts',
      scanning('finds nothing'),
    ],
    [
      'quarantined',
      'The scan found a virus',
      'actions/files/attachments/scan-attachment.ts',
      scanning('finds a virus'),
    ],
    [
      'rescan',
      'Older than the scanner',
      'actions/files/attachments/rescan-attachments.ts',
      scanning('after the scanner is switched on'),
    ],
    [
      'changes are told',
      'Subscribers learn of each of them',
      'resolvers/attachment-changes.ts',
      attachmentChanged('preparing and completing send', 'sends its verdict, and the effect'),
    ],
    [
      'claimed',
      'A claim changes the container, not the state',
      'actions/files/attachments/claim-attachments.ts',
      [
        ...claims("the user's unclaimed attachments"),
        ...directUpload('claimed between preparation'),
      ],
    ],
    [
      'authorizationState',
      'Read-only: the current answer of the storage to the caller',
      'actions/storages/access/authorization-state.ts',
      [
        ...storages("the authorization state is the caller's"),
        ...connections(
          'Connected without an authorize link',
          'FailedAuthorization with the address',
          'Error without an authorize link',
        ),
      ],
    ],
    [
      'file link status',
      'Read-only: the current answer of the storage about the file',
      'actions/storages/access/refresh-origins.ts',
      fileLinks('each link has the status'),
    ],
  ]),
];
