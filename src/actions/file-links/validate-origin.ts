/** What a client says about a file in a storage (interface 2.6 and 4.4). */
import { FOLDER_TYPE } from '../../storages/adapter.js';
import { instant } from '../../storages/instant.js';
import type { FileLink } from '../../models/file-link.js';
import { isLonger, isStorableText } from '../../contract/text-rules.js';

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
const MAX = 255;
/** What the self-hosted file server itself calls a folder. */
const UNIX_FOLDER = 'httpd/unix-directory';

/** The columns of a link, and what is wrong. Empty texts, and the time 0 that clients send for an unknown one, are unknown. */
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
    const ms = timeIn(value);
    const known = instant(ms);
    if (known === null) problems.push(`${label} is not a date and time.`);
    return ms === 0 ? null : known;
  };
  const { size } = origin;
  if (size !== null && size !== undefined && (!Number.isSafeInteger(size) || size < 0))
    problems.push('Origin size is not a number of bytes.');
  const mimeType = text('Origin mime type', origin.mimeType, MAX);
  const columns = {
    originId: required('Origin id', origin.id, MAX_ID),
    originName: required('Origin name', origin.name, MAX),
    originMimeType: mimeType === UNIX_FOLDER ? FOLDER_TYPE : mimeType,
    originSize: size ?? null,
    originCreatedAt: time('Origin created at', origin.createdAt),
    originLastModifiedAt: time('Origin last modified at', origin.lastModifiedAt),
    originCreatedByName: text('Origin created by name', origin.createdByName, MAX),
    originLastModifiedByName: text('Origin last modified by name', origin.lastModifiedByName, MAX),
  };
  return { columns, problems };
}

/** Milliseconds since 1970 of an ISO 8601 date and time, in UTC where it names no zone; NaN for what is none. */
function timeIn(text: string): number {
  const day = /^(\d{4}-\d{2}-\d{2})T/.exec(text)?.[1];
  // `Date` takes 30 February for 2 March, and without a zone reads that of the process.
  if (day === undefined || instant(Date.parse(day))?.slice(0, 10) !== day) return NaN;
  return Date.parse(/(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`);
}
