/** What a client announces about a direct upload (interface 2.4, decisions 2 and 3). */
import type { Context, Settings } from '../../context.js';
import { ApiError, violationsOf, type Violation } from '../../contract/errors.js';
import type { FileDetails } from '../../http/incoming-file.js';
import { checkAllowlist } from '../attachments/check-allowlist.js';
import { fileTooLarge } from '../attachments/analyze-content.js';
import { demandValid } from '../validation/demand-valid.js';
import { UNKNOWN_TYPE } from '../attachments/detect-type.js';
import { validateDetails, type ValidDetails } from '../attachments/validate-details.js';

export interface UploadDetails extends FileDetails {
  fileSize?: number | null | undefined;
  contentType?: string | null | undefined;
  digest?: { algorithm: string; hash: string } | null | undefined;
}

export interface ValidUpload extends ValidDetails {
  /** Exact, in bytes. */
  fileSize: number;
  contentType: string;
  /** `algorithm:hash` in lower case, or null. */
  declaredDigest: string | null;
}

/** Types that say nothing: they are judged on the bytes (decisions 3, C26). */
const unspecific = new Set([
  UNKNOWN_TYPE,
  'application/binary',
  'binary/octet-stream',
  'application/x-download',
  'application/force-download',
]);
/** Digests that can be announced, and the number of their hexadecimal digits. */
const digests: { readonly [algorithm: string]: number } = { sha256: 64, sha1: 40, md5: 32 };
const MEDIA_TYPE =
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+( *; *[\w!#$&^.+-]+=([\w!#$&^.+-]+|"[\w !#$&^.+/:-]*"))*$/;
const MAX_MEDIA_TYPE = 255;

/** @throws PropertyConstraintViolation with every problem found, the most basic first */
export function validateUpload(context: Context, details: UploadDetails): ValidUpload {
  const { settings } = context;
  const violations: Violation[] = [];
  const named = collect(violations, () => validateDetails(details));
  const { fileSize, contentType, digest } = details;
  if (fileSize === undefined || fileSize === null)
    violations.push({ attribute: 'fileSize', message: "Size can't be blank." });
  else if (!Number.isSafeInteger(fileSize) || fileSize < 0)
    violations.push({
      attribute: 'fileSize',
      message: 'Size must be a whole number of bytes, 0 or more.',
    });
  else if (fileSize > settings.attachmentMaxSize)
    violations.push({ attribute: 'fileSize', message: fileTooLarge(settings).message });

  const type = contentType?.trim() ?? '';
  if (type !== '' && (type.length > MAX_MEDIA_TYPE || !MEDIA_TYPE.test(type)))
    violations.push({
      attribute: 'contentType',
      message: 'Content type must be a media type such as image/png.',
    });
  else if (named) collect(violations, () => checkAnnounced(settings, type, named.fileName));

  if (digest) {
    const length = Object.hasOwn(digests, digest.algorithm) ? digests[digest.algorithm] : undefined;
    if (length === undefined)
      violations.push({
        attribute: 'digest',
        message: `Digest algorithm must be one of ${Object.keys(digests).join(', ')}.`,
      });
    else if (digest.hash.length !== length || !/^[\da-f]+$/i.test(digest.hash))
      violations.push({
        attribute: 'digest',
        message: `Digest hash must have ${length} hexadecimal digits.`,
      });
  }
  demandValid(context, violations);
  return {
    ...named!,
    fileSize: fileSize!,
    contentType: type === '' ? UNKNOWN_TYPE : type,
    declaredDigest: digest ? `${digest.algorithm}:${digest.hash.toLowerCase()}` : null,
  };
}

function checkAnnounced({ attachmentAllowlist }: Settings, type: string, fileName: string): void {
  const essence = type.split(';')[0]!.trim().toLowerCase();
  if (essence !== '' && !unspecific.has(essence))
    checkAllowlist(attachmentAllowlist, essence, fileName);
}

/** The value, or undefined where it is refused and the refusal noted. */
function collect<T>(violations: Violation[], make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    violations.push(...violationsOf(error));
    return undefined;
  }
}
