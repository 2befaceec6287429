/** Gets a download URL for the file of a link from its storage. */
import type { Context } from '../../../context.js';
import type { FileLink } from '../../../models/file-link.js';
import type { StorageFailure } from '../../../storages/failure.js';
import { askStorage } from '../access/ask-storage.js';
import { storageOf } from './open-file-link.js';

/**
 * @param toError the error for a failure with a special meaning
 * @returns an absolute, short-lived URL that needs no credentials
 * @throws OutboundRequestFailed
 */
export async function downloadFileLink(
  context: Context,
  link: FileLink,
  toError?: (failure: StorageFailure) => Error | undefined,
): Promise<string> {
  return askStorage(
    context,
    await storageOf(context, link),
    (adapter, access) => adapter.downloadLink(access, link.originId),
    toError,
  );
}
