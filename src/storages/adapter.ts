/** Defines what an adapter does for its type of storage. Adapters know neither models nor users. */
import type { Clock } from './clocks.js';
import type { Access, Target } from './access.js';
import type { StorageFailure } from './failure.js';
import type { ManagedFolders, Wanted } from './managed-folders.js';

/** A storage as an OAuth 2 authorization server. */
export interface AuthorizationServer {
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  scope: string | undefined;
  /** Whether it supports PKCE (RFC 7636). */
  pkce: boolean;
  /**
   * Whether an error answer to a refresh says that the refresh token is no longer valid. Then the
   * user must connect again. Any other error may be temporary. A refusal of the client never gets
   * here.
   */
  refuses(status: number, error: string | undefined): boolean;
}

/** A file or folder as its storage describes it. Unknown values are null. */
export interface FileInfo {
  /** Opaque id at the storage. */
  id: string;
  name: string;
  /** Media type; `application/x-op-directory` for a folder. */
  mimeType: string | null;
  /** In bytes. For a folder: the sum of its content. */
  size: number | null;
  /** ISO 8601 in UTC with milliseconds, like all times here. */
  createdAt: string | null;
  lastModifiedAt: string | null;
  createdByName: string | null;
  lastModifiedByName: string | null;
  /** Path below the root, not percent-encoded: `/`, `/Docs/brief.md`. */
  location: string;
  permissions: readonly ('readable' | 'writeable')[];
  /** Browser address. Present only if the storage alone knows it. */
  webUrl?: string;
  /** Browser address of its folder. Present only if the storage alone knows it. */
  folderWebUrl?: string;
}

export const FOLDER_TYPE = 'application/x-op-directory';

export interface Listing {
  files: FileInfo[];
  /** Whether the folder has more entries. Then `files` are the first 10,000 by name. */
  truncated: boolean;
}

export interface Folder extends Listing {
  parent: FileInfo;
  /** From the root down to the folder that contains `parent`. Empty for the root. */
  ancestors: FileInfo[];
}

/** Where and how a client uploads the content of a file. */
export interface Destination {
  href: string;
  method: 'post' | 'put';
}

/** Input of a health check. */
export interface HealthCheckInput {
  target: Target;
  sso: boolean;
  clientId: string | undefined;
  clientSecret: string | undefined;
  applicationPassword: string | undefined;
  /** The clocks of other servers that this service uses. */
  otherClocks(): Promise<Clock[]>;
  /** The folders of projects. Absent: the service does not manage them in this storage. */
  wanted?: Wanted;
}

/** A result with a `code` is a problem. The code is stable. The hint says what to do. */
export type HealthCheckResult = { hint: string; skipped?: true } | { code: string; hint: string };

export interface HealthCheck {
  /** Stable name, e.g. `companion_app`. */
  check: string;
  /** Names of the checks that must pass first. */
  needs: readonly string[];
  /** A thrown StorageFailure or OutboundFailure is a failed check. */
  run(input: HealthCheckInput): Promise<HealthCheckResult>;
}

/** The operations of one type of storage. An optional operation is absent if the type lacks it. */
export interface Adapter {
  authorizationServer(target: Target): AuthorizationServer;
  /** Returns the id of the user at the storage. @throws StorageFailure */
  user(access: Access): Promise<string>;
  /** Browser address of the storage or of a folder, or a function that asks the storage for it. */
  openLink(
    target: Target,
    folderId: string | undefined,
  ): string | ((access: Access) => Promise<string>);
  /**
   * Returns each file as the user sees it, or the reason why not (`forbidden`, `notFound`, …).
   * A file that the storage's answer does not mention is `unexpected`.
   * @param application gets the service's own access. Some types need it: to a user, a forbidden
   *   file looks the same as a missing one. It is called only if needed.
   * @throws StorageFailure if the storage failed for all files
   */
  filesInfo(
    access: Access,
    ids: readonly string[],
    application: () => Promise<Access>,
  ): Promise<Map<string, FileInfo | StorageFailure>>;
  /** @throws StorageFailure */
  file(access: Access, id: string): Promise<FileInfo>;
  /**
   * Returns a folder with its entries; of more than 10,000, the first ones by name.
   * @param parent a path if it begins with `/`, otherwise an id; undefined is the root
   * @throws StorageFailure `notDirectory` for a file, and for a path with `.` or `..` segments
   */
  files(access: Access, parent: string | undefined): Promise<Folder>;
  /**
   * Creates a folder.
   * @param parent as for `files`
   * @throws StorageFailure `conflict`: the name is taken. `nameRefused`: the storage does not allow
   *   the name. `notFound`: the parent is missing. `notDirectory`: as for `files`.
   */
  createFolder(access: Access, parent: string, name: string): Promise<FileInfo>;
  /**
   * Returns the address to which a client uploads a file.
   * @param parent as for `files`
   * @throws StorageFailure `nameRefused`, `notFound`, `notDirectory` as for `createFolder`
   */
  uploadLink(access: Access, parent: string, name: string): Promise<Destination>;
  /** Returns a short-lived download address that needs no credentials. @throws StorageFailure */
  downloadLink(access: Access, id: string): Promise<string>;
  /**
   * Browser address of a file or (`location`) of its folder, or a function that asks the storage
   * for it.
   */
  fileLink(
    target: Target,
    id: string,
    at: 'file' | 'location',
  ): string | ((access: Access) => Promise<string>);
  /**
   * Checks that a storage of this type answers at its address. Own members may not be set yet.
   * Absent: nothing can be checked without credentials.
   * @throws StorageFailure
   */
  probe?(target: Target): Promise<void>;
  /**
   * Checks the application password. Absent: the type has none.
   * @throws StorageFailure `unauthorized` if it is wrong
   */
  checkPassword?(target: Target, password: string): Promise<void>;
  /**
   * Gets a token for the service itself with the client credentials grant. `seconds` is its
   * lifetime. Absent: the type does not support the grant.
   * @throws StorageFailure
   */
  applicationToken?(
    target: Target,
    client: { id: string; secret: string },
  ): Promise<{ token: string; seconds: number }>;
  /** The folders of projects. Absent: the type has none that the service can manage. */
  folders?: ManagedFolders;
  /** Checks of a storage whose project folders the service manages, after all others. */
  folderChecks?: readonly HealthCheck[];
  /** In the order in which they run. */
  checks: readonly HealthCheck[];
}

export type { Access, Target };
