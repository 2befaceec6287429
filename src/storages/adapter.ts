/** What every type of storage can do. A storage speaks through plain arguments: it knows neither models nor users. */
import type { HttpAnswer, HttpRequest } from '../outbound/client.js';
import type { StorageFailure } from './failure.js';
import type { HostName, OwnMemberName } from './types.js';

/** What the members of its type hold; null for those of other types. */
type OwnValues = { [name in OwnMemberName]: string | null };
/** Configured addresses, without a slash at their end. */
type Hosts = { [name in HostName]: string };

/** One storage, ready to be asked. */
export interface Target extends OwnValues, Hosts {
  /** Address of the storage with a slash at its end; empty for types without one of their own. */
  origin: string;
  /** Within the deadline and the circuit of this storage. @throws OutboundFailure */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** What is left of the deadline. */
  leftMs(): number;
}

/** A storage with somebody's leave. */
export interface Access extends Target {
  /** The token or password, as the `Authorization` header has it. */
  authorization: string;
  /** Who that is at the storage, where it is known already. */
  userId?: string | null;
  /** Says that the token was refused within an answer; where it is remembered, it is given out no more. */
  refused?(): Promise<void>;
}

/** A storage as an OAuth 2 authorization server. */
export interface AuthorizationServer {
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  scope: string | undefined;
  /** Whether it takes a code challenge (RFC 7636). */
  pkce: boolean;
  /** Whether its answer to a refresh says that the user must connect anew. Everything else may pass. */
  refuses(status: number, error: string | undefined): boolean;
}

/** A file or folder as its storage tells it. Unknown is null. */
export interface FileInfo {
  /** Opaque. */
  id: string;
  name: string;
  /** That of a folder is `application/x-op-directory`. */
  mimeType: string | null;
  /** Bytes; of a folder all that is in it. */
  size: number | null;
  /** ISO 8601 in UTC with milliseconds, as all times. */
  createdAt: string | null;
  lastModifiedAt: string | null;
  createdByName: string | null;
  lastModifiedByName: string | null;
  /** Path below the root, not encoded: `/`, `/Docs/brief.md`. */
  location: string;
  permissions: readonly ('readable' | 'writeable')[];
  /** Where a browser opens it and its folder, where only the storage knows that. */
  webUrl?: string;
  folderWebUrl?: string;
}

export const FOLDER_TYPE = 'application/x-op-directory';

export interface Folder {
  parent: FileInfo;
  /** From the root down to the folder that the parent is in; empty for the root. */
  ancestors: FileInfo[];
  files: FileInfo[];
}

/** Where and how a client sends the bytes of a file. */
export interface Destination {
  href: string;
  method: 'post' | 'put';
}

/** What a health check may use. */
export interface HealthCheckInput {
  target: Target;
  sso: boolean;
  clientId: string | undefined;
  clientSecret: string | undefined;
  applicationPassword: string | undefined;
}

/** What was found: nothing to complain about, or a stable code and what to do. */
export type HealthCheckResult = { hint: string; skipped?: true } | { code: string; hint: string };

export interface HealthCheck {
  /** Stable, e.g. `companion_app`. */
  check: string;
  /** Checks that must have succeeded. */
  needs: readonly string[];
  /** May also throw StorageFailure or OutboundFailure: then it has failed. */
  run(patient: HealthCheckInput): Promise<HealthCheckResult>;
}

export interface Adapter {
  authorizationServer(target: Target): AuthorizationServer;
  /** The id, at the storage, of the user whose access it is. @throws StorageFailure */
  user(access: Access): Promise<string>;
  /** Where people browse the storage or a folder of it: an address, or how to ask for it. */
  openLink(
    target: Target,
    folderId: string | undefined,
  ): string | ((access: Access) => Promise<string>);
  /**
   * Each of the files as the user sees it, or why not: `forbidden`, `notFound`, anything else. A file that the answer does not
   * mention is `unexpected`.
   * @param application the service's own access, for types whose user cannot tell forbidden from gone; asked for when it is needed
   * @throws StorageFailure where the storage failed for all of them
   */
  filesInfo(
    access: Access,
    ids: readonly string[],
    application: () => Promise<Access>,
  ): Promise<Map<string, FileInfo | StorageFailure>>;
  /** @throws StorageFailure */
  file(access: Access, id: string): Promise<FileInfo>;
  /**
   * A folder with everything in it, however much.
   * @param parent a path where it begins with `/`, else an id; undefined is the root
   * @throws StorageFailure `notDirectory` for a file, and for a path with `.` or `..` in it
   */
  files(access: Access, parent: string | undefined): Promise<Folder>;
  /** @throws StorageFailure `conflict` where the name is taken, `nameRefused` where none can be so called, `notFound` where the parent is missing, `notDirectory` as above */
  createFolder(access: Access, parent: string, name: string): Promise<FileInfo>;
  /** @throws StorageFailure `nameRefused`, `notFound`, `notDirectory` as above */
  uploadLink(access: Access, parent: string, name: string): Promise<Destination>;
  /** An address without credentials that lives for a short while. @throws StorageFailure */
  downloadLink(access: Access, id: string): Promise<string>;
  /** Where a browser opens a file or, with `location`, the folder that it is in: an address, or how to ask for it. */
  fileLink(
    target: Target,
    id: string,
    at: 'file' | 'location',
  ): string | ((access: Access) => Promise<string>);
  /** Whether such a storage answers at the origin. Absent: there is nothing to ask without leave. @throws StorageFailure */
  probe?(target: Target): Promise<void>;
  /** Whether it accepts the application password. Absent: there are none. @throws StorageFailure */
  checkPassword?(target: Target, password: string): Promise<void>;
  /** A token for the service itself, by client credentials. Absent: there are none. @throws StorageFailure */
  applicationToken?(
    target: Target,
    client: { id: string; secret: string },
  ): Promise<{ token: string; seconds: number }>;
  /** In their order. */
  checks: readonly HealthCheck[];
}

export type { StorageFailure };
