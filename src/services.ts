/** Opens all services of a configuration, without the HTTP server. */
import type { Logger } from 'pino';
import { Identities } from './auth/identify.js';
import { FormSupport } from './blobs/form-support.js';
import { Pauses } from './auth/connections/pauses.js';
import { ApplicationTokens } from './auth/connections/application-tokens.js';
import { Connections } from './auth/connections/index.js';
import { OpenId } from './auth/openid/index.js';
import { Sessions } from './auth/sessions.js';
import { openBlobs } from './blobs/index.js';
import type { Config } from './config.js';
import { limitFileAccess } from './config/file-access.js';
import type { Services } from './context.js';
import { openDatabase } from './database/index.js';
import { Drawer } from './drawing/index.js';
import { Feed } from './events/feed.js';
import { Outbound } from './outbound/client.js';
import { openKeyring } from './secrets/key-file.js';
import { openLog } from './observability/log.js';
import { Cache, DISPLAY_TTL_MS } from './concurrency/cache.js';
import { SingleFlight } from './concurrency/single-flight.js';
import { makeMetrics } from './observability/metrics.js';
import type { Project } from './models/project.js';
import type { Status } from './models/status.js';
import type { Type } from './models/type.js';
import type { User } from './models/user.js';
import { Slots } from './concurrency/slots.js';
import { Turns } from './concurrency/turns.js';
import { Grants } from './policies/grants.js';
import { openMailer } from './mail/index.js';
import { openScanner } from './scanning/index.js';

export { KEY_FILE, openKeyring } from './secrets/key-file.js';

/** How long users' ids at storages with single sign-on are used. They hardly ever change. */
const SIGN_ON_USER_TTL_MS = 3_600_000;

const MIB = 1024 * 1024;

/** Limits of the memory that uploads hold. On a disk, each holds 2 MiB: 256 uploads, 128 of a user. */
const UPLOADS = { total: 512 * MIB, perUser: 256 * MIB };

/** Limits of the documents of one caller, over GraphQL and REST. The others wait for their turn. */
const DOCUMENTS = { running: 16, waiting: 1_000 };

/** Limits of large answers of one caller. Each can need 200 MB of memory while it is made. */
const LARGE_ANSWERS = { running: 2, waiting: 100 };

/** `close` waits for work that continues after its request, such as undoing a refused upload. */
export function openServices(
  config: Config,
  log: Logger = openLog(config.logLevel),
): Services & { identities: Identities; close: () => Promise<void> } {
  limitFileAccess(config);
  const db = openDatabase(config.database, log);
  const grants = new Grants(db.read);
  const caches = {
    users: new Cache<string, User>(DISPLAY_TTL_MS),
    projects: new Cache<string, Project>(DISPLAY_TTL_MS),
    statuses: new Cache<string, Status>(DISPLAY_TTL_MS),
    types: new Cache<string, Type>(DISPLAY_TTL_MS),
  };
  const forgetIdentities = () => {
    identities.forget();
    sessions.forget();
    grants.forget();
    for (const cache of Object.values(caches)) cache.clear();
  };
  const unfinished = new Set<Promise<unknown>>();
  const finishing = <T>(work: Promise<T>): Promise<T> => {
    unfinished.add(work);
    work.finally(() => unfinished.delete(work)).catch(() => undefined);
    return work;
  };
  const events = new Feed(db, log);
  const metrics = makeMetrics();
  const outbound = new Outbound(config, metrics);
  const keyring = openKeyring(config);
  const clock = () => new Date();
  const base = { url: config.baseUrl ?? '' };
  const blobs = openBlobs(config.blobs);
  const openId =
    config.openId &&
    new OpenId({ db, keyring, outbound, metrics, log, clock, finishing }, config.openId);
  const sessions = new Sessions({ db, clock, log, finishing }, base.url.startsWith('https:'));
  const identities = new Identities({
    db,
    clock,
    log,
    finishing,
    sessions,
    openId,
    base,
    corsOrigins: config.corsOrigins,
  });
  const close = async () => {
    await events.close();
    // The most important work is a refresh of tokens: without the wait, new tokens would be lost.
    while (unfinished.size > 0) await Promise.allSettled(unfinished);
    await outbound.close();
    await db.close();
  };
  const pauses = new Pauses(db, clock, log);
  return {
    db,
    identities,
    grants,
    caches,
    forgetIdentities,
    finishing,
    log,
    events,
    metrics,
    outbound,
    keyring,
    clock,
    base,
    openId,
    sessions,
    close,
    refreshing: new Map(),
    signOnUsers: { known: new Cache(SIGN_ON_USER_TTL_MS), asking: new SingleFlight() },
    applicationTokens: new ApplicationTokens(clock),
    pauses,
    heldLeases: new Set(),
    connections: new Connections({ db, keyring, outbound, metrics, log, clock, finishing, pauses }),
    blobs,
    formSupport: new FormSupport(blobs, clock),
    scanner: config.scanner && openScanner(config.scanner),
    mailer: config.mail && openMailer(config.mail),
    drawer: new Drawer(config.previews ? config.path : undefined),
    settings: config,
    uploads: new Slots(
      UPLOADS,
      'Too many files are being uploaded at the same time. Wait for some of them, then try again.',
    ),
    downloads: new Slots(
      // No limit for all users together, which some users could use up. Each download costs little.
      { total: Infinity, perUser: config.downloadsPerUser },
      'Too many files or long lists are being downloaded at the same time. ' +
        'Wait for some of them, then try again.',
    ),
    documents: new Turns(
      DOCUMENTS,
      'Too many requests of yours are waiting. Wait for some of them, then try again.',
    ),
    largeAnswers: new Turns(
      LARGE_ANSWERS,
      'Too many large answers are being made for you. Wait for some of them, then try again.',
    ),
    wake: () => undefined,
  };
}

/** Creates the folder of the blob store. It warns when the folder should exist already. */
export async function makeStore({
  db,
  blobs,
  log,
}: Pick<Services, 'db' | 'blobs' | 'log'>): Promise<void> {
  if ((await blobs.create?.()) && (await knowsFiles(db)))
    log.warn(
      'the place of files was not there and is made anew, ' +
        'though the database knows files: is a volume missing?',
    );
}

/** Whether the database has attachments. */
export const knowsFiles = async (db: Services['db']): Promise<boolean> =>
  (await db.read('attachments').select('id').limit(1)).length > 0;
