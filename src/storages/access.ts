/** Defines how adapters reach a storage: its addresses, and the means to send requests to it. */
import type { HttpAnswer, HttpRequest } from '../outbound/http.js';
import type { HostName, OwnMemberName } from './types.js';

/** Values of the own members of the type. Members of other types are null. */
type OwnValues = { [name in OwnMemberName]: string | null };
/** Configured addresses, without a trailing slash. Those of other types are empty. */
type Hosts = { [name in HostName]: string };

/** One storage, with the means to send requests to it. */
export interface Target extends OwnValues, Hosts {
  /** Address of the storage with a trailing slash. Empty for types without their own address. */
  origin: string;
  /**
   * Sends a request. The deadline and the circuit breaker of this storage apply.
   * @throws OutboundFailure
   */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Milliseconds until the deadline. */
  leftMs(): number;
  /**
   * Reports a wait for which the deadline leaves no time. It may throw, so that all work for the
   * storage ends. Absent: the answer counts that asked for the wait.
   */
  postpone?(ms: number): void;
  /** Ends what waits for the storage. Absent: only the deadline does. */
  signal?: AbortSignal;
}

/** A storage with credentials. */
export interface Access extends Target {
  /** Value of the `Authorization` header. */
  authorization: string;
  /** The user's id at the storage, if it is already known. */
  userId?: string | null;
  /** The id of this service as a client of the storage, for the service's own access. */
  applicationId?: string;
  /**
   * Reports a token that the storage refused inside a successful answer (a batch).
   * Present if the token is cached: it is removed from the cache.
   */
  refused?(): Promise<void>;
}
