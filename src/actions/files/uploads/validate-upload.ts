/** Validates the metadata that a client declares for a direct upload. */
import type { Context, Settings } from '../../../context.js';
import type { AttachmentArgument } from '../../../contract/attachment-argument.js';
import { ApiError, violationsOf, type Violation } from '../../../contract/errors.js';
import type { ContainerType } from '../../../models/container.js';
import type { FileDetails } from '../../../http/incoming-file.js';
import { checkAllowlist } from '../attachments/check-allowlist.js';
import { fileTooLarge } from '../attachments/analyze-content.js';
import { demandValid } from '../../base/validation/demand-valid.js';
import { UNKNOWN_TYPE } from '../attachments/detect-type.js';
import {
  validateDetails,
  type ValidDetails,
} from '../attachments/validate-name-and-description.js';

interface UploadDetails extends FileDetails {
  fileSize?: number | null | undefined;
  contentType?: string | null | undefined;
  digest?: { algorithm?: string | null | undefined; hash: string } | null | undefined;
}

export interface ValidUpload extends ValidDetails {
  /** Exact size in bytes. */
  fileSize: number;
  contentType: string;
  /** `algorithm:hash` in lower case, or null. */
  declaredDigest: string | null;
  replacesId: number | null;
}

/** What a client wants to upload. */
export interface NewUpload {
  container?: { type: ContainerType; id: number | undefined } | undefined;
  /** The attachment that gets the new content. */
  replaces?: AttachmentArgument | undefined;
  details: UploadDetails;
}

/** Types without information. Only the detected type is then checked against the allowlist. */
const unspecificTypes = new Set([
  UNKNOWN_TYPE,
  'application/binary',
  'binary/octet-stream',
  'application/x-download',
  'application/force-download',
]);
/** Digest algorithms that clients may declare, with the number of hexadecimal digits. */
const digests: { readonly [algorithm: string]: number } = { sha256: 64, sha1: 40, md5: 32 };
const MEDIA_TYPE =
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+( *; *[\w!#$&^.+-]+=([\w!#$&^.+-]+|"[\w !#$&^.+/:-]*"))*$/;
const MAX_MEDIA_TYPE = 255;

/**
 * @throws PropertyConstraintViolation with every violation found, the most basic first: the first
 * one is the message of the error
 */
export function validateUpload(
  context: Context,
  { container, replaces, details }: NewUpload,
): ValidUpload {
  const { settings } = context;
  const violations: Violation[] = [];
  const reject: Reject = (attribute, message) => void violations.push({ attribute, message });
  const named = collect(violations, () => validateDetails(details));
  const fileSize = validSize(details.fileSize, settings, reject);

  const contentType = details.contentType?.trim() ?? '';
  if (contentType !== '' && !isMediaType(contentType))
    reject('contentType', 'Content type must be a media type such as image/png.');
  else if (named)
    collect(violations, () => checkDeclaredType(settings, contentType, named.fileName));

  const declaredDigest = validDigest(details.digest, reject);
  if (replaces && (container || details.description)) reject('replaces', KEEPS_ITS_OWN);
  demandValid(context, violations);
  if (!named) throw new Error('Invalid details must have a violation.');
  return {
    ...named,
    fileSize,
    contentType: contentType === '' ? UNKNOWN_TYPE : contentType,
    declaredDigest,
    replacesId: replaces?.id ?? null,
  };
}

const KEEPS_ITS_OWN =
  'Replaces cannot be combined with a container or a description. The attachment keeps its own.';

type Reject = (attribute: string, message: string) => void;

function validSize(
  fileSize: UploadDetails['fileSize'],
  settings: Settings,
  reject: Reject,
): number {
  if (fileSize === undefined || fileSize === null) reject('fileSize', "Size can't be blank.");
  else if (!Number.isSafeInteger(fileSize) || fileSize < 0)
    reject('fileSize', 'Size must be a whole number of bytes, 0 or more.');
  else if (fileSize > settings.attachmentMaxSize)
    reject('fileSize', fileTooLarge(settings).message);
  return fileSize ?? 0;
}

const isMediaType = (type: string): boolean =>
  type.length <= MAX_MEDIA_TYPE && MEDIA_TYPE.test(type);

function checkDeclaredType(
  { attachmentAllowlist }: Settings,
  type: string,
  fileName: string,
): void {
  const [essence = ''] = type.split(';', 1).map((part) => part.trim().toLowerCase());
  if (essence !== '' && !unspecificTypes.has(essence))
    checkAllowlist(attachmentAllowlist, essence, fileName);
}

/** @returns `algorithm:hash` in lower case; null without a valid digest */
function validDigest(digest: UploadDetails['digest'], reject: Reject): string | null {
  if (!digest) return null;
  const { algorithm, hash } = digest;
  const length = algorithm ? digests[algorithm] : undefined;
  if (!length)
    reject('digest', `Digest algorithm must be one of ${Object.keys(digests).join(', ')}.`);
  else if (hash.length !== length || !/^[\da-f]+$/i.test(hash))
    reject('digest', `Digest hash must have ${length} hexadecimal digits.`);
  else return `${algorithm}:${hash.toLowerCase()}`;
  return null;
}

/** @returns the result of `validate`; undefined if it throws, and its violations are collected */
function collect<T>(violations: Violation[], validate: () => T): T | undefined {
  try {
    return validate();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    violations.push(...violationsOf(error));
    return undefined;
  }
}
