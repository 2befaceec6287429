/** What every value of an adapter must be, for any response of the storage. Each check returns the error, if any. */
import {
  FOLDER_TYPE,
  type Destination,
  type FileInfo,
  type HealthCheckResult,
  type Folder,
} from '../../../src/storages/adapter.js';
import { StorageFailure } from '../../../src/storages/failure.js';

type Wrong = string | undefined;

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const textOrNull = (value: unknown) =>
  value === null || (typeof value === 'string' && value !== '');
const timeOrNull = (value: unknown) =>
  value === null || (typeof value === 'string' && ISO.test(value));
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Addresses are sent to clients as links and in `Location`: ASCII only, http or https. */
export const address = (value: unknown): Wrong =>
  typeof value === 'string' && /^https?:\/\/[\x21-\xff]+$/.test(value) && URL.canParse(value)
    ? undefined
    : `${shown(value)} is no address`;

export function file(value: unknown, id?: string): Wrong {
  const {
    id: own,
    name,
    mimeType,
    size,
    createdAt,
    lastModifiedAt,
    createdByName,
    lastModifiedByName,
    location,
    permissions,
    webUrl,
    folderWebUrl,
  } = value as FileInfo;
  if (!isText(own) || !isText(name)) return 'a file without an id or a name';
  if (id !== undefined && own.toLowerCase() !== id.toLowerCase())
    return `file ${shown(own)} instead of ${id}`;
  if (!textOrNull(mimeType) || !textOrNull(createdByName) || !textOrNull(lastModifiedByName))
    return `a file with the texts ${shown([mimeType, createdByName, lastModifiedByName])}`;
  if (size !== null && !(Number.isSafeInteger(size) && size >= 0))
    return `a file of the size ${shown(size)}`;
  if (!timeOrNull(createdAt) || !timeOrNull(lastModifiedAt))
    return `a file of the times ${shown([createdAt, lastModifiedAt])}`;
  if (typeof location !== 'string' || !location.startsWith('/'))
    return `a file at ${shown(location)}`;
  if (permissions.some((one) => !['readable', 'writeable'].includes(one)))
    return `a file with the permissions ${shown(permissions)}`;
  return [webUrl, folderWebUrl]
    .map((url) =>
      url === undefined || /^https?:/.test(url)
        ? undefined
        : `a file with the address ${shown(url)}`,
    )
    .find(Boolean);
}

export const filesInfo =
  (ids: readonly string[]) =>
  (value: unknown): Wrong => {
    const found = value as Map<string, FileInfo | StorageFailure>;
    if (JSON.stringify([...found.keys()].sort()) !== JSON.stringify([...ids].sort()))
      return `answers about ${shown([...found.keys()])}`;
    return [...found]
      .map(([id, one]) => (one instanceof StorageFailure ? failure(one) : file(one, id)))
      .find(Boolean);
  };

export function folder(value: unknown): Wrong {
  const { parent, ancestors, files } = value as Folder;
  if (parent.mimeType !== FOLDER_TYPE) return 'a parent that is no folder';
  return [parent, ...ancestors, ...files].map((one) => file(one)).find(Boolean);
}

export const destination = (value: unknown): Wrong => {
  const { href, method } = value as Destination;
  return ['post', 'put'].includes(method) ? address(href) : `the method ${shown(method)}`;
};

export const text = (value: unknown): Wrong =>
  isText(value) ? undefined : `${shown(value)} is no text`;

/** Messages about folders are among them. They reach people, so they have no secret. */
export const texts = (value: unknown): Wrong =>
  (value as unknown[])
    .map(
      (one) =>
        text(one) ?? (/planted-/.test(String(one)) ? `the message ${shown(one)}` : undefined),
    )
    .find(Boolean);

export const nothing = (value: unknown): Wrong =>
  value === undefined ? undefined : `${shown(value)} instead of nothing`;

export function grant(value: unknown): Wrong {
  const { token, seconds } = value as { token: unknown; seconds: unknown };
  return typeof seconds === 'number' && !Number.isNaN(seconds)
    ? text(token)
    : `a life of ${shown(seconds)}`;
}

export function finding(value: unknown): Wrong {
  const { hint, ...more } = value as HealthCheckResult;
  return isText(hint) && Object.values(more).every((one) => one === true || isText(one))
    ? undefined
    : `the finding ${shown(value)}`;
}

/** Clients see its status. */
export const failure = ({ kind, status }: StorageFailure): Wrong =>
  [
    'conflict',
    'forbidden',
    'nameRefused',
    'notDirectory',
    'notFound',
    'unauthorized',
    'unexpected',
  ].includes(kind) && Number.isFinite(status)
    ? undefined
    : `a failure of the kind ${shown(kind)} with the status ${shown(status)}`;

function shown(value: unknown): string {
  return String(JSON.stringify(value) ?? value).slice(0, 200);
}
