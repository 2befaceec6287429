/** One request: who asks, with what at hand. */
import type { Logger } from 'pino';
import type { Blobs } from './blobs/store.js';
import type { Config } from './config.js';
import type { Database } from './database/index.js';
import type { ApiError } from './contract/errors.js';
import { makeLoaders, type Loaders } from './loaders/index.js';
import type { Feed } from './events/feed.js';
import type { ApplicationTokens } from './auth/connections/application-tokens.js';
import type { Connections } from './auth/connections/index.js';
import type { OpenId } from './auth/openid/index.js';
import type { Sessions } from './auth/sessions.js';
import type { Deadline, Outbound } from './outbound/client.js';
import type { Cache } from './concurrency/cache.js';
import type { Metrics } from './observability/metrics.js';
import type { Project } from './models/project.js';
import type { User } from './models/user.js';
import type { Slots } from './concurrency/slots.js';
import type { Grants } from './policies/grants.js';
import type { FileInfo } from './storages/adapter.js';
import type { StorageFailure } from './storages/failure.js';
import type { StorageSettings } from './storages/types.js';
import type { RowBudget } from './loaders/row-budget.js';
import type { Scanner } from './scanning/scanner.js';
import type { Keyring } from './secrets/keyring.js';

export type Settings = Pick<
  Config,
  | 'attachmentMaxSize'
  | 'attachmentAllowlist'
  | 'digestAlgorithm'
  | 'attachmentGraceMinutes'
  | 'uploadUrlSeconds'
  | 'downloadUrlSeconds'
  | 'pendingUploads'
  | 'pendingUploadBytes'
  | 'scanAction'
  | 'scanPolicy'
  | 'leaseSeconds'
  | 'profile'
  | 'openId'
  | 'production'
  | 'storageTimeoutMs'
  | 'storageAllowPrivate'
  | keyof StorageSettings
>;

/** What lives as long as the process. */
export interface Services {
  db: Database;
  blobs: Blobs;
  /** Absent: files are not scanned. */
  scanner: Scanner | undefined;
  events: Feed;
  grants: Grants;
  remembered: { users: Cache<number, User>; projects: Cache<number, Project> };
  settings: Settings;
  /** Encrypts and decrypts what must be replayed. */
  keyring: Keyring;
  /** The client for all calls outside. */
  outbound: Outbound;
  metrics: Metrics;
  /** Users' tokens of storages. */
  connections: Connections;
  /** The service's own tokens of storages. */
  applicationTokens: ApplicationTokens;
  /** Calls to storages about files that are under way, for others who want the same. */
  refreshing: Map<string, Promise<Map<string, FileInfo | StorageFailure>>>;
  /** Uploads that this process is storing. */
  uploads: Slots;
  log: Logger;
  /** The configured OpenID provider. */
  openId: OpenId | undefined;
  /** Browsers that have signed in. */
  sessions: Sessions;
  /** How clients reach us, without a slash at its end; empty before the server listens where `BASE_URL` is not set. */
  base: { url: string };
  /** The present moment. */
  clock: () => Date;
  /** Notes work that must end before the database is closed. */
  finishing: <T>(work: Promise<T>) => Promise<T>;
  /** Says that a row may be waiting for the background work. */
  wake: () => void;
  /** Called when keys, users or roles were changed by this process: nothing remembered about them stays. */
  forgetIdentities: () => void;
}

export interface Context extends Services {
  user: User;
  /** Batched reads of rows. */
  loaders: Loaders;
  /** What one request makes once, by the function that makes it. */
  once<T>(make: (context: Context) => T): T;
  /** What could not be read of the request; `demandValid` tells it. */
  readonly inputErrors: ApiError[];
  /** What a document of the graph may read in lists; the REST layer's own documents may read all. */
  rowBudget?: RowBudget;
  /** All the time that this request has for one storage. */
  deadlineOf(storageId: number): Deadline;
  /** Says that from now on the request mostly waits for storages, or for the file of its client. */
  waits(forClient?: boolean): void;
  /** Reads anew what is asked from now on: something is about to change. */
  forgetLoaded(): void;
  /** The same caller as of now; given where a request outlives its beginning. */
  renew?: () => Promise<Context>;
}

/** Made for every request, so loaders, which most requests need few of, are made when they are asked for. */
class RequestContext {
  readonly inputErrors: ApiError[] = [];
  private made: Loaders | undefined;
  private readonly kept = new Map<unknown, unknown>();
  private deadlines: Map<number, Deadline> | undefined;

  constructor(
    readonly services: Services,
    readonly user: User,
    readonly log: Logger,
    readonly waits: (forClient?: boolean) => void,
  ) {}

  get loaders(): Loaders {
    return (this.made ??= makeLoaders(this as unknown as Context));
  }

  once<T>(make: (context: Context) => T): T {
    if (!this.kept.has(make)) this.kept.set(make, make(this as unknown as Context));
    return this.kept.get(make) as T;
  }

  forgetLoaded(): void {
    this.made = undefined;
    this.kept.clear();
  }

  deadlineOf(storageId: number): Deadline {
    this.deadlines ??= new Map();
    let deadline = this.deadlines.get(storageId);
    if (!deadline) this.deadlines.set(storageId, (deadline = this.services.outbound.deadline()));
    return deadline;
  }
}

/** All of them, or it does not compile. */
const fromServices: { [name in Exclude<keyof Services, 'log'>]: true } = {
  db: true,
  blobs: true,
  scanner: true,
  events: true,
  grants: true,
  remembered: true,
  settings: true,
  keyring: true,
  outbound: true,
  metrics: true,
  connections: true,
  applicationTokens: true,
  refreshing: true,
  uploads: true,
  openId: true,
  sessions: true,
  base: true,
  clock: true,
  finishing: true,
  wake: true,
  forgetIdentities: true,
};
for (const name of Object.keys(fromServices) as (keyof Services)[]) {
  Object.defineProperty(RequestContext.prototype, name, {
    get(this: RequestContext) {
      return this.services[name];
    },
  });
}

const nobodyCounts = () => {};

/** @param waits told as soon as the request begins to wait for a storage, perhaps more than once */
export const makeContext = (
  services: Services,
  user: User,
  log: Logger = services.log,
  waits: (forClient?: boolean) => void = nobodyCounts,
): Context => new RequestContext(services, user, log, waits) as unknown as Context;
