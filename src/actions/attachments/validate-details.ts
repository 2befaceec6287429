/** What a form or an input says about a file (interface 4.2 and 2.4, decisions 3). */
import { violated, type Violation } from '../../contract/errors.js';
import type { FileDetails } from '../../http/incoming-file.js';
import { isLonger, isStorableText } from '../../contract/text-rules.js';

export interface ValidDetails {
  fileName: string;
  descriptionText: string;
}

export const MAX_FILE_NAME = 255;
export const MAX_DESCRIPTION = 255;

/** @throws PropertyConstraintViolation with every problem found */
export function validateDetails({ fileName, description }: FileDetails): ValidDetails {
  const violations: Violation[] = [];
  const reject = (attribute: string, message: string) => violations.push({ attribute, message });

  if (
    fileName === undefined ||
    fileName === null ||
    (typeof fileName === 'string' && fileName.trim() === '')
  )
    reject('file', "File can't be blank.");
  else if (typeof fileName !== 'string') reject('fileName', 'File name must be a string.');
  else if (isLonger(fileName, MAX_FILE_NAME))
    reject('fileName', `File name is too long (maximum is ${MAX_FILE_NAME} characters).`);
  else if (!fileName.isWellFormed() || /[/\\\p{Cc}]/u.test(fileName))
    reject('fileName', 'File name must not contain path separators or control characters.');

  const text = descriptionText(description);
  if (text === undefined)
    reject('description', 'Description must be a string or an object with a "raw" string.');
  else if (isLonger(text, MAX_DESCRIPTION))
    reject('description', `Description is too long (maximum is ${MAX_DESCRIPTION} characters).`);
  else if (!isStorableText(text))
    reject('description', 'Description must not contain NUL or broken characters.');

  if (violations.length > 0) throw violated(violations);
  return { fileName: fileName as string, descriptionText: text! };
}

/** A description is text, or a Formattable of which `raw` counts; absent is empty. */
function descriptionText(description: unknown): string | undefined {
  if (description === undefined || description === null) return '';
  if (typeof description === 'string') return description;
  const raw = typeof description === 'object' ? (description as { raw?: unknown }).raw : undefined;
  return raw === undefined || raw === null
    ? typeof description === 'object' && !Array.isArray(description)
      ? ''
      : undefined
    : typeof raw === 'string'
      ? raw
      : undefined;
}
