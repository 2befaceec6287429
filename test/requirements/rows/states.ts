/** D5: states of attachments. D6: history, subscriptions and webhooks. */
import { matrix, section, type Row } from '../row.js';
import {
  attachmentChanged,
  attachments,
  commandServe,
  commandSweep,
  directUpload,
  fileLinkChanged,
  fileLinkClaims,
  fileLinks,
  scanning,
  slowUpload,
  store,
  storeRefusals,
  webhooks,
  webhooksOfScans,
} from '../proofs.js';

const six = [
  ...webhooks('attachments and file links that come and go'),
  ...webhooksOfScans('the verdicts of the virus scan'),
];
const swept = commandSweep('expired uploads and attachments');

export const stateRows: Row[] = [
  ...section('D5', [
    [
      'uploaded to scanned',
      'The scan found no virus',
      'actions/attachments/scan-attachment.ts',
      scanning('finds nothing'),
    ],
    [
      'uploaded to quarantined',
      'The scan found a virus',
      'actions/attachments/scan-attachment.ts',
      scanning('finds a virus'),
    ],
    [
      'uploaded to deleted',
      'By setting',
      'actions/attachments/scan-attachment.ts',
      scanning('an infected file is deleted'),
    ],
    [
      'rescan to scanned or quarantined',
      'As for new files',
      'actions/attachments/scan-attachment.ts',
      scanning('after the scanner is switched on'),
    ],
    [
      'quarantined to scanned',
      'An administrator releases it',
      'actions/attachments/release-attachment.ts',
      [
        ...scanning('an administrator releases a file', 'other users cannot release'),
        ...matrix(['release attachment']),
      ],
    ],
    [
      'scanning is switched on',
      'Older files wait for their scan',
      'actions/attachments/rescan-attachments.ts',
      scanning('after the scanner is switched on'),
    ],
    [
      'the scanner is away',
      'The state stays, the scan is tried again',
      'workers/index.ts',
      scanning('the state stays', 'is not readable after a restart'),
    ],
    [
      'SCAN_POLICY',
      'Closed by default, or open',
      'actions/attachments/open-content.ts',
      scanning('the state stays', 'all readers get a file while'),
    ],
    [
      'finalisation, permission',
      'Is checked again, as the author',
      'actions/uploads/finalize-upload.ts',
      directUpload('T92', 'an author who is locked', 'an upload that is claimed away'),
    ],
    [
      'finalisation, type',
      'The one that was found',
      'actions/uploads/finalize-upload.ts',
      directUpload('T91'),
    ],
    [
      'finalisation, size',
      'The one that was announced',
      'actions/uploads/finalize-upload.ts',
      storeRefusals('between completion and finalisation, with another size'),
    ],
    [
      'finalisation, checksum',
      'The one that was announced',
      'actions/uploads/finalize-upload.ts',
      directUpload('T82, decisions 7'),
    ],
    [
      'crash',
      'Leaves nothing half done',
      'actions/leases/acquire-attachment.ts',
      [...commandServe('kill -9 in the middle'), ...store('interrupts a finalisation')],
    ],
    [
      'race',
      'Two processes do a thing once',
      'actions/leases/acquire-attachment.ts',
      [
        ...directUpload('T94', 'a deletion in the middle'),
        ...scanning('two processes that scan', 'a deleted file and its bytes'),
      ],
    ],
    [
      'expiry, prepared',
      'After 180 minutes',
      'actions/cleanup/run-cleanup.ts',
      directUpload('T95'),
    ],
    [
      'expiry, unclaimed',
      'After 180 minutes',
      'actions/cleanup/run-cleanup.ts',
      directUpload('T96'),
    ],
    [
      'expiry, file links',
      'After 180 minutes',
      'actions/cleanup/run-cleanup.ts',
      fileLinks('T161, T164', 'T164: those that nobody'),
    ],
    [
      'expiry, at once',
      'With a grace of 0 minutes',
      'actions/cleanup/run-cleanup.ts',
      directUpload('a grace of 0 minutes'),
    ],
    [
      'removal',
      'First the row is hidden, then the object and the row are deleted',
      'actions/cleanup/purge-attachments.ts',
      [...attachments('T52, T58'), ...swept],
    ],
    [
      'upload',
      'A hidden row first, a visible one last',
      'actions/attachments/create-attachment.ts',
      [...swept, ...commandServe('kill -9 in the middle')],
    ],
    [
      'lease',
      'Is renewed while bytes flow; a row whose lease ran out is removed',
      'actions/leases/lease.ts',
      [...slowUpload('while bytes flow'), ...swept],
    ],
    [
      'staging',
      'Staged objects without an upload are removed',
      'actions/cleanup/run-cleanup.ts',
      [...storeRefusals('T93: after the completion'), ...swept],
    ],
  ]),
  ...section('D6', [
    [
      'history, added',
      'A work package records added files',
      'actions/history/record-change.ts',
      [...attachments('T46'), ...directUpload('T84, T88')],
    ],
    [
      'history, deleted',
      'Deleted files are recorded',
      'actions/history/record-change.ts',
      attachments('T46'),
    ],
    [
      'history, scans',
      'Results of scans are recorded',
      'actions/history/record-change.ts',
      scanning('finds a virus', 'an infected file is deleted'),
    ],
    [
      'history, file links',
      'Added and removed links are recorded',
      'actions/history/record-change.ts',
      fileLinks('T137, T163', 'T155, T156'),
    ],
    [
      'other containers',
      'Get a new time of change',
      'actions/history/record-change.ts',
      attachments('T46'),
    ],
    [
      'subscriptions, attachments',
      'attachmentChanged',
      'resolvers/attachment-changes.ts',
      attachmentChanged(
        'tells everybody who may view it',
        'whoever loses the permission meanwhile',
      ),
    ],
    [
      'subscriptions, file links',
      'fileLinkChanged',
      'resolvers/file-link-changes.ts',
      fileLinkChanged('tells everybody who may view them', 'whoever loses the permission'),
    ],
    ['webhooks', 'Six events are posted', 'actions/webhooks/deliver-event.ts', six],
    ['webhooks, signed', 'With HMAC-SHA256', 'actions/webhooks/deliver-event.ts', six],
    [
      'webhooks, retried',
      'Until they are accepted or given up',
      'actions/webhooks/acquire-delivery.ts',
      webhooks('it is tried again later', 'after ten attempts'),
    ],
    [
      'webhooks, administration',
      'By administrators',
      'resolvers/webhook.ts',
      webhooks('a webhook is made with a secret', 'others make, see and change none'),
    ],
    [
      'outbox',
      'A row in the transaction of the change',
      'events/record.ts',
      [
        ...fileLinkClaims('two processes that link and remove'),
        ...directUpload('T94'),
        ...store('interrupts a finalisation'),
      ],
    ],
    [
      'at least once',
      'Also when a process dies',
      'actions/webhooks/acquire-delivery.ts',
      webhooks('a process that dies while it delivers', 'two processes hand out'),
    ],
    [
      'delivery id',
      'Is the same for all and for every attempt',
      'events/record.ts',
      [
        ...attachmentChanged('the delivery id is that of the outbox'),
        ...webhooks('it is tried again later'),
      ],
    ],
  ]),
];
