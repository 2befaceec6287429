/** One request: who asks, with what at hand. */
import type { Logger } from 'pino';
import type { Blobs } from './blobs/index.js';
import type { Config } from './config.js';
import type { Database } from './database.js';
import { makeLoaders, type Loaders } from './loaders/index.js';
import type { Memory } from './memory.js';
import type { Project } from './models/project.js';
import type { User } from './models/user.js';
import type { Grants } from './policies/grants.js';

export type Settings = Pick<Config, 'attachmentMaxSize' | 'attachmentAllowlist' | 'digestAlgorithm' | 'attachmentGraceMinutes'>;

/** What lives as long as the process. */
export interface Services {
  db: Database;
  blobs: Blobs;
  grants: Grants;
  remembered: { users: Memory<number, User>; projects: Memory<number, Project> };
  settings: Settings;
  log: Logger;
  /** The present moment. */
  clock: () => Date;
  /** Called when keys, users or roles were changed by this process: nothing remembered about them stays. */
  forgetIdentities: () => void;
}

export interface Context extends Services {
  user: User;
  loaders: Loaders;
}

export function makeContext(services: Services, user: User, log: Logger = services.log): Context {
  const context = { ...services, user, log } as Context;
  let loaders: Loaders | undefined;
  // Most requests need one loader or none.
  Object.defineProperty(context, 'loaders', { get: () => (loaders ??= makeLoaders(context)), enumerable: true });
  return context;
}
