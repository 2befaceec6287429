/** Validates the data that a client sends about a file in a storage. */
import { FOLDER_TYPE } from '../../../storages/adapter.js';
import { instant } from '../../../storages/instant.js';
import type { FileLink } from '../../../models/file-link.js';
import { storageTypes, type StorageType } from '../../../storages/types.js';
import { isLonger, isStorableText } from '../../../contract/text-rules.js';

export interface OriginInput {
  id?: string | null | undefined;
  name?: string | null | undefined;
  mimeType?: string | null | undefined;
  size?: number | null | undefined;
  createdAt?: string | null | undefined;
  lastModifiedAt?: string | null | undefined;
  createdByName?: string | null | undefined;
  lastModifiedByName?: string | null | undefined;
}

export type OriginColumns = Pick<
  FileLink,
  | 'originId'
  | 'originName'
  | 'originMimeType'
  | 'originSize'
  | 'originCreatedAt'
  | 'originLastModifiedAt'
  | 'originCreatedByName'
  | 'originLastModifiedByName'
>;

const MAX_ID = 100;
const MAX_TEXT = 255;
/** Media type of folders on the self-hosted file server. */
const UNIX_FOLDER_TYPE = 'httpd/unix-directory';

/**
 * Empty texts are stored as unknown, and so is the time 0, which clients send for unknown times.
 * @returns the columns of the link, with one sentence for each problem
 */
export function validateOrigin(origin: OriginInput): {
  columns: OriginColumns;
  problems: string[];
} {
  const problems: string[] = [];
  const text = (label: string, value: string | null | undefined, max: number): string | null => {
    if (value === null || value === undefined || value.trim() === '') return null;
    if (isLonger(value, max)) problems.push(`${label} is too long (maximum is ${max} characters).`);
    else if (!isStorableText(value))
      problems.push(`${label} must not contain NUL or broken characters.`);
    return value;
  };
  const required = (label: string, value: string | null | undefined, max: number): string => {
    const found = text(label, value, max);
    if (found === null) problems.push(`${label} can't be blank.`);
    return found ?? '';
  };
  const time = (label: string, value: string | null | undefined): string | null => {
    if (value === null || value === undefined || value === '') return null;
    const ms = parseTime(value);
    const known = instant(ms);
    if (known === null) problems.push(`${label} is not a date and time.`);
    return ms === 0 ? null : known;
  };
  const { size } = origin;
  if (size !== null && size !== undefined && (!Number.isSafeInteger(size) || size < 0))
    problems.push('Origin size is not a number of bytes.');
  const mimeType = text('Origin mime type', origin.mimeType, MAX_TEXT);
  const columns = {
    originId: required('Origin id', origin.id, MAX_ID),
    originName: required('Origin name', origin.name, MAX_TEXT),
    originMimeType: mimeType === UNIX_FOLDER_TYPE ? FOLDER_TYPE : mimeType,
    originSize: size ?? null,
    originCreatedAt: time('Origin created at', origin.createdAt),
    originLastModifiedAt: time('Origin last modified at', origin.lastModifiedAt),
    originCreatedByName: text('Origin created by name', origin.createdByName, MAX_TEXT),
    originLastModifiedByName: text(
      'Origin last modified by name',
      origin.lastModifiedByName,
      MAX_TEXT,
    ),
  };
  return { columns, problems };
}

/** The problem with an id that no file in a storage of this type has. */
export function problemWithId(id: string, type: StorageType): string | undefined {
  const { isValid, rule } = storageTypes[type].fileIds;
  return isValid(id) ? undefined : `Origin id must be ${rule}.`;
}

/**
 * Parses an ISO 8601 date and time; without a time zone it is UTC.
 * @returns milliseconds since 1970; NaN if the text is invalid
 */
function parseTime(text: string): number {
  const day = /^(\d{4}-\d{2}-\d{2})T/.exec(text)?.[1];
  // `Date.parse` reads 30 February as 2 March. Without a time zone it uses that of the process.
  if (day === undefined || instant(Date.parse(day))?.slice(0, 10) !== day) return NaN;
  return Date.parse(/(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`);
}
