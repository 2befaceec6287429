/** One request: who asks, with what at hand. */
import type { Logger } from 'pino';
import type { Blobs } from './blobs/index.js';
import type { Config } from './config.js';
import type { Database } from './database.js';
import { makeLoaders, type Loaders } from './loaders/index.js';
import type { Feed } from './events/feed.js';
import type { Memory } from './memory.js';
import type { Project } from './models/project.js';
import type { User } from './models/user.js';
import type { Grants } from './policies/grants.js';
import type { Scanner } from './scanning/index.js';

export type Settings = Pick<Config, 'attachmentMaxSize' | 'attachmentAllowlist' | 'digestAlgorithm' | 'attachmentGraceMinutes' | 'uploadUrlSeconds' | 'downloadUrlSeconds'
  | 'pendingUploads' | 'pendingUploadBytes' | 'scanAction' | 'scanPolicy' | 'leaseSeconds'>;

/** What lives as long as the process. */
export interface Services {
  db: Database;
  blobs: Blobs;
  /** Absent: files are not scanned. */
  scanner: Scanner | undefined;
  events: Feed;
  grants: Grants;
  remembered: { users: Memory<number, User>; projects: Memory<number, Project> };
  settings: Settings;
  log: Logger;
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
  loaders: Loaders;
  /** The same caller as of now; given where a request outlives its beginning. */
  renew?: () => Promise<Context>;
}

/** Made for every request, so loaders, which most requests need few of, are made when they are asked for. */
class RequestContext {
  private made: Loaders | undefined;

  constructor(readonly services: Services, readonly user: User, readonly log: Logger) {}

  get loaders(): Loaders {
    return (this.made ??= makeLoaders(this as unknown as Context));
  }
}

for (const name of ['db', 'blobs', 'scanner', 'events', 'grants', 'remembered', 'settings', 'clock', 'finishing', 'wake', 'forgetIdentities'] as const satisfies (keyof Services)[]) {
  Object.defineProperty(RequestContext.prototype, name, { get(this: RequestContext) { return this.services[name]; } });
}

export const makeContext = (services: Services, user: User, log: Logger = services.log): Context => new RequestContext(services, user, log) as unknown as Context;
