/** Errors of the store and of the SDK. */
import { BlobsUnavailable } from '../store.js';

export interface VendorError {
  name?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number; requestId?: string };
}

/**
 * Returns a member of an answer that S3 always sends. The SDK types every member as optional.
 * @throws Error if the member is missing
 */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The store left out a required part of its answer.');
  return value;
}

/** Whether an object or upload is missing. A missing bucket is another failure. */
export const isNotFound = (error: unknown) =>
  (error as VendorError).$metadata?.httpStatusCode === 404 &&
  (error as VendorError).name !== 'NoSuchBucket';

export const translated = (what: string, error: unknown) =>
  new BlobsUnavailable(new Error(`The store could not ${what}: ${reason(error)}.`));

/** The codes of an error. Its message is left out: it may contain addresses with signatures. */
export function reason(error: unknown): string {
  const { name, code, $metadata: { httpStatusCode, requestId } = {} } = error as VendorError;
  const details = [
    httpStatusCode && `status ${httpStatusCode}`,
    requestId && `request ${requestId}`,
  ].filter(Boolean);
  return [code ?? name ?? 'unknown error', details.length > 0 && `(${details.join(', ')})`]
    .filter(Boolean)
    .join(' ');
}

export function hintFor(error: unknown): string {
  const status = (error as VendorError).$metadata?.httpStatusCode;
  if (status === 404) return 'it does not exist there; create it, or name another one in S3_BUCKET';
  if (status === 403)
    return (
      'the access key is unknown or may not use it; check S3_ACCESS_KEY_ID, ' +
      'S3_SECRET_ACCESS_KEY and its permissions'
    );
  if (status === 301 || status === 400)
    return 'it seems to be in another region; check S3_REGION and S3_ENDPOINT';
  return 'the store gives no usable answer; check that it runs and that S3_ENDPOINT is right';
}
