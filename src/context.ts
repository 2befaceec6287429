/** The context of a request: its user, the services, and per-request caches. */
import type { Logger } from 'pino';
import { actorOf, type Actor } from './audit/record.js';
import type { Blobs } from './blobs/store.js';
import type { Config } from './config.js';
import type { Database } from './database/index.js';
import type { Drawer } from './drawing/index.js';
import type { ApiError } from './contract/errors.js';
import type { Cache } from './concurrency/cache.js';
import type { LoaderNeeds } from './loaders/needs.js';
import { makeLoaders, type Loaders } from './loaders/index.js';
import type { Feed } from './events/feed.js';
import type { FormSupport } from './blobs/form-support.js';
import type { Pauses } from './auth/connections/pauses.js';
import type { ApplicationTokens } from './auth/connections/application-tokens.js';
import type { Connections } from './auth/connections/index.js';
import type { OpenId } from './auth/openid/index.js';
import type { Sessions } from './auth/sessions.js';
import type { Attempt } from './auth/wrong-passwords.js';
import type { Outbound } from './outbound/client.js';
import type { Deadline } from './outbound/deadline.js';
import type { Metrics } from './observability/metrics.js';
import { Rendering } from './models/markdown.js';
import type { User } from './models/user.js';
import type { SingleFlight } from './concurrency/single-flight.js';
import type { Client } from './concurrency/client.js';
import type { Caller, Slots } from './concurrency/slots.js';
import type { Turns } from './concurrency/turns.js';
import type { Grants } from './policies/grants.js';
import type { FileInfo } from './storages/adapter.js';
import type { StorageFailure } from './storages/failure.js';
import type { StorageSettings } from './storages/types.js';
import type { DocumentBudget } from './loaders/document-budget.js';
import type { Mailer } from './mail/mailer.js';
import type { Scanner } from './scanning/scanner.js';
import type { Keyring } from './secrets/keyring.js';

export type Settings = Pick<
  Config,
  | 'attachmentMaxSize'
  | 'blobs'
  | 'database'
  | 'attachmentAllowlist'
  | 'digestAlgorithm'
  | 'attachmentGraceMinutes'
  | 'notificationDays'
  | 'auditDays'
  | 'apiKeyDays'
  | 'apiKeyMaxDays'
  | 'trashDays'
  | 'uploadUrlSeconds'
  | 'downloadUrlSeconds'
  | 'uploadDays'
  | 'attachmentsPerContainer'
  | 'downloadStallSeconds'
  | 'pendingUploads'
  | 'pendingUploadBytes'
  | 'mailDelaySeconds'
  | 'scanAction'
  | 'scanPolicy'
  | 'scanTooLarge'
  | 'leaseSeconds'
  | 'finalizations'
  | 'profile'
  | 'openId'
  | 'production'
  | 'demo'
  | 'web'
  | 'cloudDriveUploadHosts'
  | 'storageTimeoutMs'
  | 'storageAllowPrivate'
  | keyof StorageSettings
>;

/** Objects that live as long as the process. */
export interface Services {
  db: Database;
  blobs: Blobs;
  /** Whether the store takes the forms of direct uploads. */
  formSupport: FormSupport;
  /** Absent: files are not scanned. */
  scanner: Scanner | undefined;
  /** Draws small pictures of files. */
  drawer: Drawer;
  /** Absent: no e-mails are sent. */
  mailer: Mailer | undefined;
  events: Feed;
  grants: Grants;
  /** Caches of rows that are shown in many answers. */
  caches: LoaderNeeds['caches'];
  settings: Settings;
  /** Encrypts and decrypts stored secrets. */
  keyring: Keyring;
  /** The HTTP client for all other servers. */
  outbound: Outbound;
  metrics: Metrics;
  /** Users' tokens for storages. */
  connections: Connections;
  /** The service's own tokens for storages. */
  applicationTokens: ApplicationTokens;
  /** How long storages asked to be left alone. */
  pauses: Pauses;
  /** Tokens of the leases that this process holds. */
  heldLeases: Set<string>;
  /** Requests to storages in progress, which other requests for the same files share. */
  refreshing: Map<string, Promise<Map<string, FileInfo | StorageFailure>>>;
  /** Users' ids at storages with single sign-on: those that are known, and requests for them. */
  signOnUsers: { known: Cache<string, string>; asking: SingleFlight<string, string> };
  /** Slots of uploads in this process. Their size is the memory that an upload holds. */
  uploads: Slots;
  /** Slots of downloads in this process. */
  downloads: Slots;
  /** Limits how many documents of each caller this process runs at the same time, also of REST. */
  documents: Turns;
  /** Limits how many large answers of each caller this process makes at the same time. */
  largeAnswers: Turns;
  log: Logger;
  /** The configured OpenID provider. */
  openId: OpenId | undefined;
  /** Sessions of browsers. */
  sessions: Sessions;
  /**
   * The public address without a slash at its end. Without `BASE_URL` it is empty until the server
   * listens.
   */
  base: { url: string };
  /** The current time. */
  clock: () => Date;
  /** Registers work that must end before the database is closed. @returns the same promise */
  finishing: <T>(work: Promise<T>) => Promise<T>;
  /** Wakes the background work. Call it when a row may be waiting. */
  wake: () => void;
  /** Empties all caches about users. Call it after a change of keys, users or roles. */
  forgetIdentities: () => void;
}

export interface Context extends Services {
  user: User;
  /** Who has the slots of the request: the user, or the network of an anonymous caller. */
  caller: Caller;
  /** The origin of the page that sent the request. Undefined: no page did. */
  origin: string | undefined;
  /** Who acts, for the audit. */
  actor: Actor;
  /** What the request counts for, if its password for this login is wrong. */
  attemptOf(login: string): Attempt;
  /**
   * Runs a document when the caller may run another one. The turn ends early when the document
   * begins to wait for a storage, for its client or for a large answer: the others need not wait.
   * @throws Overloaded if too many documents of the caller wait
   */
  inTurn<T>(run: () => Promise<T>): Promise<T>;
  /**
   * Searches in a turn: in that of the document, which keeps it as long, or in one of its own if the
   * document has ended its turn. `read` must not wait for anything but the database.
   * @throws Overloaded if too many documents of the caller wait
   */
  search<T>(read: () => Promise<T>): Promise<T>;
  /**
   * Waits until the caller may have another large answer. Call it before much is read into memory.
   * Without `whenAnswered`, as in a subscription, it does not wait.
   * @throws Overloaded if too many answers wait for this caller, or if the client has left
   */
  largeAnswer(): Promise<void>;
  /**
   * When the client of a query leaves, the query reads nothing more. Undefined for a mutation: what
   * has begun to change something runs to its end.
   */
  client: Client | undefined;
  /** Batched reads of rows. */
  loaders: Loaders;
  /** Calls `make` once per request and returns the same value afterwards. */
  once<T>(make: (context: Context) => T): T;
  /** The HTML of Markdown, with one budget for the request. */
  readonly rendering: Rendering;
  /** Invalid parts of the request; `demandValid` throws them. */
  readonly inputErrors: ApiError[];
  /** Limits what a client's GraphQL document can cost. Absent for REST's own documents. */
  budget?: DocumentBudget;
  /** The request's deadline for one storage. */
  deadlineOf(storageId: number): Deadline;
  /** From now on the request mostly waits for storages, or for its client (see `loadShedding`). */
  waits(forClient?: boolean): void;
  /** Empties the loaders and `once`. Call it before a change. */
  forgetLoaded(): void;
  /** Identifies the caller again. Present for subscriptions, which live longer than an answer. */
  renew?: () => Promise<Context>;
}

/** The loop below adds a getter for each service, which the compiler cannot see. */
const ServiceGetters = class {
  constructor(readonly services: Services) {}
} as new (services: Services) => Omit<Services, 'log'> & { readonly services: Services };

/** What a context needs of an HTTP request. */
export interface RequestParts {
  log?: Logger;
  /** Called when the request begins to wait for a storage, perhaps more than once. */
  waits?: ((forClient?: boolean) => void) | undefined;
  caller?: Caller;
  origin?: string | undefined;
  /** IP address of the client. */
  address?: string | undefined;
  /** Absent: the user. */
  actor?: Actor;
  attemptOf?: (login: string) => Attempt;
  client?: Client;
  /**
   * Calls back when the answer is finished, or its client has left. Absent: there is no answer.
   * @throws Overloaded if the client has left already
   */
  whenAnswered?: (callback: () => void) => void;
}

/** Every request makes one, so loaders are made when they are needed. */
class RequestContext extends ServiceGetters implements Context {
  readonly inputErrors: ApiError[] = [];
  private madeLoaders: Loaders | undefined;
  private madeRendering: Rendering | undefined;
  private readonly values = new Map<unknown, unknown>();
  private deadlines: Map<number, Deadline> | undefined;

  readonly log: Logger;
  readonly caller: Caller;
  readonly origin: string | undefined;
  readonly actor: Actor;
  readonly attemptOf: (login: string) => Attempt;
  client: Client | undefined;
  private readonly whenAnswered: RequestParts['whenAnswered'];
  private readonly noteWait: (forClient?: boolean) => void;
  private readonly turns = new Set<() => void>();
  private hasEndedTurn = false;
  /** Searches that run in the turn of the document. */
  private searches = 0;
  private endsTurnLater = false;
  private largeTurn: Promise<void> | undefined;

  constructor(
    services: Services,
    readonly user: User,
    {
      log = services.log,
      waits = ignore,
      caller = user.id,
      origin,
      address,
      actor = actorOf(user, address),
      attemptOf = fromNowhere,
      whenAnswered,
      client,
    }: RequestParts,
  ) {
    super(services);
    this.log = log;
    this.noteWait = waits;
    this.caller = caller;
    this.origin = origin;
    this.actor = actor;
    this.attemptOf = attemptOf;
    this.whenAnswered = whenAnswered;
    this.client = client;
  }

  largeAnswer(): Promise<void> {
    const { whenAnswered } = this;
    if (!whenAnswered) return Promise.resolve();
    this.endTurns();
    return (this.largeTurn ??= this.services.largeAnswers.take(this.caller).then(whenAnswered));
  }

  async inTurn<T>(run: () => Promise<T>): Promise<T> {
    const end = await this.services.documents.take(this.caller);
    this.turns.add(end);
    try {
      return await run();
    } finally {
      if (this.turns.delete(end)) end();
    }
  }

  waits(forClient?: boolean): void {
    this.endTurns();
    this.noteWait(forClient);
  }

  async search<T>(read: () => Promise<T>): Promise<T> {
    if (this.hasEndedTurn) {
      const end = await this.services.documents.take(this.caller);
      return read().finally(end);
    }
    this.searches += 1;
    try {
      return await read();
    } finally {
      this.searches -= 1;
      if (this.endsTurnLater) this.endTurns();
    }
  }

  private endTurns(): void {
    this.endsTurnLater = this.searches > 0;
    if (this.endsTurnLater || this.turns.size === 0) return;
    for (const end of this.turns) end();
    this.turns.clear();
    this.hasEndedTurn = true;
  }

  get loaders(): Loaders {
    return (this.madeLoaders ??= makeLoaders(this));
  }

  get rendering(): Rendering {
    return (this.madeRendering ??= new Rendering());
  }

  once<T>(make: (context: Context) => T): T {
    if (!this.values.has(make)) this.values.set(make, make(this));
    return this.values.get(make) as T;
  }

  forgetLoaded(): void {
    this.madeLoaders = undefined;
    this.values.clear();
  }

  deadlineOf(storageId: number): Deadline {
    this.deadlines ??= new Map();
    let deadline = this.deadlines.get(storageId);
    if (!deadline) this.deadlines.set(storageId, (deadline = this.services.outbound.deadline()));
    return deadline;
  }
}

/** The compiler checks that this list is complete. */
const fromServices: { [name in Exclude<keyof Services, 'log'>]: true } = {
  db: true,
  blobs: true,
  formSupport: true,
  scanner: true,
  drawer: true,
  mailer: true,
  events: true,
  grants: true,
  caches: true,
  settings: true,
  keyring: true,
  outbound: true,
  metrics: true,
  connections: true,
  applicationTokens: true,
  pauses: true,
  heldLeases: true,
  refreshing: true,
  signOnUsers: true,
  uploads: true,
  downloads: true,
  documents: true,
  largeAnswers: true,
  openId: true,
  sessions: true,
  base: true,
  clock: true,
  finishing: true,
  wake: true,
  forgetIdentities: true,
};
for (const name of Object.keys(fromServices) as (keyof Services)[]) {
  Object.defineProperty(ServiceGetters.prototype, name, {
    get(this: RequestContext) {
      return this.services[name];
    },
  });
}

const ignore = () => {};
const fromNowhere = (login: string): Attempt => ({ login, address: '', device: undefined });

export const makeContext = (services: Services, user: User, request: RequestParts = {}): Context =>
  new RequestContext(services, user, request);
