/** Opens everything that a configuration names, without listening. */
import type { Logger } from 'pino';
import { Identities } from './auth/identify.js';
import { openBlobs } from './blobs/index.js';
import type { Config } from './config.js';
import type { Services } from './context.js';
import { openDatabase } from './database.js';
import { Feed } from './events/feed.js';
import { openLog } from './log.js';
import { Memory } from './memory.js';
import type { Project } from './models/project.js';
import type { User } from './models/user.js';
import { Grants } from './policies/grants.js';
import { openScanner } from './scanning/index.js';

/** `close` waits for work that outlives its request, such as taking back a refused upload. */
export function openServices(config: Config, log: Logger = openLog(config.logLevel)): Services & { identities: Identities; close: () => Promise<void> } {
  const db = openDatabase(config.database, log);
  const identities = new Identities(db.read);
  const grants = new Grants(db.read);
  const remembered = { users: new Memory<number, User>(), projects: new Memory<number, Project>() };
  const forgetIdentities = () => {
    identities.forget();
    grants.forget();
    remembered.users.clear();
    remembered.projects.clear();
  };
  const unfinished = new Set<Promise<unknown>>();
  const finishing = <T>(work: Promise<T>): Promise<T> => {
    unfinished.add(work);
    work.finally(() => unfinished.delete(work)).catch(() => undefined);
    return work;
  };
  const events = new Feed(db, log);
  const close = async () => {
    await events.close();
    while (unfinished.size > 0) await Promise.allSettled(unfinished);
    await db.close();
  };
  return {
    db, identities, grants, remembered, forgetIdentities, finishing, log, events, close,
    blobs: openBlobs(config.blobs),
    scanner: config.scanner && openScanner(config.scanner),
    settings: config,
    clock: () => new Date(),
    wake: () => undefined,
  };
}
