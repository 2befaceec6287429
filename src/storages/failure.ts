/** Defines the failures of storages that answered, but not with what was asked for. */
type FailureKind =
  | 'conflict'
  | 'forbidden'
  | 'nameRefused'
  | 'notDirectory'
  | 'notFound'
  | 'unauthorized'
  | 'unexpected';

const advices: { readonly [status: number]: string } = {
  413: 'The storage takes no file of this size. Its administrator can raise the limit.',
  415: 'The storage refuses this content. Its administrator can say why.',
  423: 'The file or folder is locked in the storage. Unlock it there, then try again.',
  429: 'The storage has too many requests. Try again later.',
  507: 'The storage is full. Free space there, or ask its administrator for more, then try again.',
};

/** A failure whose message is the advice. */
export const explained = (kind: FailureKind, status: number, message: string): StorageFailure =>
  new StorageFailure(kind, status, message, message);

/** The message is for people and contains no secrets. */
export class StorageFailure extends Error {
  /**
   * @param status of the HTTP answer
   * @param advice says to the caller what is wrong and what to do, if more than the status is known
   */
  constructor(
    readonly kind: FailureKind,
    readonly status: number,
    message: string,
    readonly advice: string | undefined = advices[status],
  ) {
    super(message);
    this.name = 'StorageFailure';
  }
}

const kinds: { readonly [status: number]: FailureKind } = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  409: 'conflict',
};

/** Returns the failure for an HTTP status about which nothing else is known. */
export const failureOf = (
  status: number,
  message = `The storage answered with status ${status}.`,
): StorageFailure => new StorageFailure(kinds[status] ?? 'unexpected', status, message);

/** The failure for the download of a folder. */
export const notFile = (status: number): StorageFailure =>
  explained(
    'unexpected',
    status,
    'This is a folder. Only files can be downloaded: open the folder in the storage instead.',
  );

export const NOT_DIRECTORY = 'The parent is not a directory.';

/** The failure for a parent that is a file. */
export const notDirectory = (): StorageFailure =>
  new StorageFailure('notDirectory', 400, NOT_DIRECTORY);

/** @param rules of the storage for names, as a sentence */
export const nameRefused = (name: string, rules?: string): StorageFailure =>
  new StorageFailure(
    'nameRefused',
    400,
    [`The storage refuses the name ${JSON.stringify(name)}.`, rules].filter(Boolean).join(' '),
  );

export const isUnauthorized = (error: unknown): boolean =>
  error instanceof StorageFailure && error.kind === 'unauthorized';

/** Whether a status means that the token is invalid or lacks a permission. */
export const isRefusal = (status: number | undefined): boolean => status === 401 || status === 403;
