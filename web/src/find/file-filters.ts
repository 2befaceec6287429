/** The filters of files, as the address of a page has them. */
import type { FoundAttachmentFilter } from '../generated/documents';
import type { WordKey } from '../words';

/** Kinds that one can choose, with their media types. */
const office = 'application/vnd.openxmlformats-officedocument';
const open = 'application/vnd.oasis.opendocument';
export const fileKinds = {
  pictures: ['image/*'],
  pdf: ['application/pdf'],
  documents: [
    `${office}.wordprocessingml.document`,
    'application/msword',
    `${open}.text`,
    'application/rtf',
    'text/rtf',
  ],
  tables: [
    `${office}.spreadsheetml.sheet`,
    'application/vnd.ms-excel',
    `${open}.spreadsheet`,
    'text/csv',
    'text/tab-separated-values',
  ],
  slides: [
    `${office}.presentationml.presentation`,
    'application/vnd.ms-powerpoint',
    `${open}.presentation`,
  ],
  texts: ['text/*'],
  films: ['video/*'],
  sounds: ['audio/*'],
  archives: [
    'application/zip',
    'application/x-7z-compressed',
    'application/x-tar',
    'application/gzip',
    'application/x-bzip2',
    'application/x-xz',
    'application/vnd.rar',
    'application/x-rar-compressed',
  ],
} satisfies { [kind: string]: string[] };
type FileKind = keyof typeof fileKinds;

/** The last days that one can choose. */
export const spans = [7, 30, 365] as const;
type Span = (typeof spans)[number];

export interface Filters {
  kind?: FileKind | undefined;
  /** The `databaseId` of who added the files. */
  person?: number | undefined;
  /** The `databaseId` of a project. */
  project?: number | undefined;
  /** Only what was added in the last days. */
  days?: Span | undefined;
}

/** Reads the filters of an address. What is none is left out. */
export function validateFilters(search: { [name: string]: unknown }): Filters {
  const { kind, person, project, days } = search;
  const idOf = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : undefined);
  return {
    kind: typeof kind === 'string' && kind in fileKinds ? (kind as FileKind) : undefined,
    person: idOf(person),
    project: idOf(project),
    days: spans.find((one) => one === days),
  };
}

export const hasFilters = ({ kind, person, project, days }: Filters): boolean =>
  [kind, person, project, days].some((one) => one !== undefined);

const DAY = 24 * 60 * 60 * 1000;

/** The filter of the graph. A day has one beginning, so that the same question has one answer. */
export function filterOf({ kind, person, project, days }: Filters): FoundAttachmentFilter {
  const today = new Date().setHours(0, 0, 0, 0);
  return {
    contentTypes: kind && fileKinds[kind],
    authorIds: person === undefined ? undefined : [String(person)],
    projectIds: project === undefined ? undefined : [String(project)],
    createdAfter: days && new Date(today - (days - 1) * DAY).toISOString(),
  };
}

export const kindLabel = (kind: FileKind): WordKey => `kinds.${kind}`;
export const spanLabel = (span: Span): WordKey => `filters.last${span}`;
