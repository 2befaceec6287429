/** Validates the name and the description of an uploaded file. */
import { violated, type Violation } from '../../../contract/errors.js';
import type { FileDetails } from '../../../http/incoming-file.js';
import { isLonger, isStorableText } from '../../../contract/text-rules.js';
import { MAX_DESCRIPTION, MAX_FILE_NAME } from '../../../contract/limits.js';

export interface ValidDetails {
  fileName: string;
  descriptionText: string;
}

type Reject = (attribute: string, message: string) => void;

/** @throws PropertyConstraintViolation with every violation found */
export function validateDetails({ fileName, description }: FileDetails): ValidDetails {
  const violations: Violation[] = [];
  const reject: Reject = (attribute, message) => void violations.push({ attribute, message });
  const details = {
    fileName: validFileName(fileName, reject),
    descriptionText: validDescription(description, reject),
  };
  if (violations.length > 0) throw violated(violations);
  return details;
}

/** Changes of a file. Undefined members stay as they are. */
export interface ChangedDetails {
  fileName?: unknown;
  description?: unknown;
}

/** @throws PropertyConstraintViolation with every violation found */
export function validateChanges({ fileName, description }: ChangedDetails): Partial<ValidDetails> {
  const violations: Violation[] = [];
  const reject: Reject = (attribute, message) => void violations.push({ attribute, message });
  const details = {
    ...(fileName !== undefined && { fileName: validFileName(fileName, reject) }),
    ...(description !== undefined && { descriptionText: validDescription(description, reject) }),
  };
  if (violations.length > 0) throw violated(violations);
  return details;
}

function validFileName(fileName: unknown, reject: Reject): string {
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
  else return fileName;
  return '';
}

function validDescription(description: unknown, reject: Reject): string {
  const text = descriptionText(description);
  if (text === undefined)
    reject('description', 'Description must be a string or an object with a "raw" string.');
  else if (isLonger(text, MAX_DESCRIPTION))
    reject('description', `Description is too long (maximum is ${MAX_DESCRIPTION} characters).`);
  else if (!isStorableText(text))
    reject('description', 'Description must not contain NUL or broken characters.');
  else return text;
  return '';
}

/**
 * Reads a description: a string, or a Formattable object with a `raw` string.
 * @returns an empty string if it is absent; undefined if it is invalid
 */
function descriptionText(description: unknown): string | undefined {
  if (description === undefined || description === null) return '';
  if (typeof description === 'string') return description;
  if (typeof description !== 'object') return undefined;
  const raw = 'raw' in description ? description.raw : undefined;
  if (raw === undefined || raw === null) return Array.isArray(description) ? undefined : '';
  return typeof raw === 'string' ? raw : undefined;
}
