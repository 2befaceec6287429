/** Stores an uploaded file as a new attachment. */
import type { Context } from '../../../context.js';
import { MissingPermission } from '../../../contract/errors.js';
import type { FileDetails, IncomingFile } from '../../../http/incoming-file.js';
import type { Attachment } from '../../../models/attachment.js';
import type { ContainerType } from '../../../models/container.js';
import { User } from '../../../models/user.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { demandValid } from '../../base/validation/demand-valid.js';
import { keepAttachment } from './keep-attachment.js';
import type { Container } from './reserve-attachment.js';
import { storeFile } from './store-file.js';
import { takeUploadKey, validateUploadKey } from './take-upload-key.js';

interface Upload {
  container?: { type: ContainerType; id: number | undefined } | undefined;
  file: IncomingFile;
  details: FileDetails;
  /** Repeating an upload with its key does not store the file twice. Anonymous users have none. */
  uploadKey?: unknown;
}

/**
 * Stores a file and its row. A refused, aborted or killed upload leaves neither.
 * Before the first byte is stored, it commits a hidden row that names the key of the object.
 * The row becomes visible in the transaction that records size and digest.
 * Without a container, the same user attaches the file later.
 * An upload whose key is known returns what the earlier one has stored, or replaces it.
 * @throws NotFound, MissingPermission, PropertyConstraintViolation, InvalidRequestBody, Overloaded
 */
export const createAttachment = (context: Context, upload: Upload): Promise<Attachment> =>
  context.finishing(store(context, upload));

async function store(context: Context, upload: Upload): Promise<Attachment> {
  const container = await permitted(context, upload.container);
  demandValid(context);
  const uploadKey = context.user.anonymous ? undefined : validateUploadKey(upload.uploadKey);
  const stored =
    uploadKey !== undefined &&
    (await takeUploadKey(context, uploadKey, { container, details: upload.details }));
  if (stored) return stored;
  const { file, details } = upload;
  return storeFile(context, container, {
    file,
    details,
    uploadKey,
    // A revoked permission takes effect within two seconds, however long the upload takes.
    recheck: () => recheckPermission(context, upload.container),
    keep: (row, kept) => keepAttachment(context, row, container, kept),
  });
}

/** @returns the container; undefined for an upload without one */
async function permitted(
  caller: Pick<Context, 'user' | 'db' | 'grants' | 'settings'>,
  requested: Upload['container'],
): Promise<Container | undefined> {
  if (requested) {
    const { type, id } = requested;
    const row = await demand(await find.container(caller, type, id), (found) =>
      can.attach(caller, type, found),
    );
    return { type, row };
  }
  if (!(await can.uploadUnclaimed(caller))) throw new MissingPermission();
  return undefined;
}

/** Reads the user again, who may be locked or no longer an administrator. */
async function recheckPermission(
  { user, db, grants, settings }: Context,
  requested: Upload['container'],
): Promise<void> {
  const current = user.anonymous ? user : await User.query(db.read).findById(user.id);
  if (!current || current.status !== user.status) throw new MissingPermission();
  await permitted({ user: current, db, grants, settings }, requested);
}
