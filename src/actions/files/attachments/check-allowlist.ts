/** Checks the type of a file against `ATTACHMENT_ALLOWLIST`. */
import { PropertyConstraintViolation } from '../../../contract/errors.js';
import { registeredType } from './types-of-names.js';

/**
 * An empty list allows every file. An entry is a media type, a family of them (`image/*`) or a
 * file name extension (`*.csv`). Other names of one media type count as the same.
 * @throws PropertyConstraintViolation if no entry matches
 */
export function checkAllowlist(
  allowlist: readonly string[],
  contentType: string,
  fileName: string,
): void {
  const name = fileName.toLowerCase();
  const allowed =
    allowlist.length === 0 ||
    allowlist.some((entry) =>
      entry.startsWith('*.')
        ? name.endsWith(entry.slice(1))
        : entry.endsWith('/*')
          ? contentType.startsWith(entry.slice(0, -1))
          : registeredType(contentType) === registeredType(entry),
    );
  if (!allowed)
    throw new PropertyConstraintViolation(
      `The content type ${contentType} is not allowed for upload.`,
      'contentType',
    );
}
