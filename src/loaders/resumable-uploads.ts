/** Loads how far resumable uploads have come, by their attachments. */
import { ResumableUpload } from '../models/resumable-upload.js';
import { visible } from '../policies/visible.js';
import type { LoaderNeeds } from './needs.js';
import { byKeys, oneOf } from './rows-by-key.js';

const uploads = byKeys('attachment_id', (db, user) =>
  ResumableUpload.query(db).whereIn(
    'attachment_id',
    visible.attachments(user, db).clearSelect().select('attachments.id'),
  ),
);

export const resumableUploadLoader = (needs: LoaderNeeds) =>
  oneOf(needs, uploads, ({ attachmentId }) => attachmentId);
