/** Says why browsers do not upload directly to the file store. */
import type { BlobStore } from '../../../blobs/index.js';

/** @returns why there is no direct upload; undefined when there is */
export function whyNotDirect({ blobs }: { blobs: BlobStore }): string | undefined {
  if (blobs.kind === 'disk') return 'files on a local disk are uploaded through the service';
  return blobs.credentials
    ? undefined
    : "the credentials come from the SDK's own chain, " +
        'and forms are signed with S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY only';
}
