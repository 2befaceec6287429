/** Which types of file may be uploaded (`ATTACHMENT_ALLOWLIST`). */
import { PropertyConstraintViolation } from '../../contract/errors.js';

/**
 * An empty list allows everything; an entry is a media type, a family (`image/*`) or an extension (`*.csv`).
 * @throws PropertyConstraintViolation that names the type
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
          : contentType === entry,
    );
  if (!allowed)
    throw new PropertyConstraintViolation(
      `The content type ${contentType} is not allowed for upload.`,
      'contentType',
    );
}
