/** The actions that send requests to storages, on a real database: the refresh of links and the state of a connection. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import { connectionTo } from '../../../src/actions/storages/access/authorization-state.js';
import {
  refreshOrigins,
  type Origin,
} from '../../../src/actions/storages/access/refresh-origins.js';
import { ApplicationTokens } from '../../../src/auth/connections/application-tokens.js';
import { Pauses } from '../../../src/auth/connections/pauses.js';
import { Connections } from '../../../src/auth/connections/index.js';
import { Cache } from '../../../src/concurrency/cache.js';
import { SingleFlight } from '../../../src/concurrency/single-flight.js';
import { readConfig } from '../../../src/config.js';
import { makeContext, type Context } from '../../../src/context.js';
import { migrate } from '../../../src/database/migrations.js';
import type { Outbound } from '../../../src/outbound/client.js';
import { FileLink } from '../../../src/models/file-link.js';
import { Storage, type AuthorizationState } from '../../../src/models/storage.js';
import { User } from '../../../src/models/user.js';
import { openServices } from '../../../src/services.js';
import { factories, type Person, type StorageHandle } from '../../support/factories.js';
import type { Scenario } from './scenarios.js';

const SECRET_KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';

/** A user of one storage with links to its files. Only one case at a time may use it. */
export interface Seat {
  refresh(outbound: Outbound, log: Logger): Promise<Origin[]>;
  state(outbound: Outbound, log: Logger): Promise<AuthorizationState>;
}

export interface Desk {
  seat(scenario: Scenario): Promise<Seat>;
  close(): Promise<void>;
}

/** @param cloud base addresses of the cloud drive, which are settings */
export async function openDesk(cloud: { loginUrl: string; apiUrl: string }): Promise<Desk> {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-fuzz-'));
  const environment = {
    DATABASE_URL: `sqlite:${join(folder, 'db.sqlite3')}`,
    BLOB_STORE: `disk:${join(folder, 'blobs')}`,
    SECRET_KEY,
    CLOUD_DRIVE_LOGIN_URL: cloud.loginUrl,
    CLOUD_DRIVE_API_URL: cloud.apiUrl,
  };
  const services = openServices(readConfig(environment), pino({ level: 'silent' }));
  await migrate(services.db);
  const given = factories(services);
  const project = await given.project();
  const storages = new Map<string, StorageHandle>();

  async function seat(scenario: Scenario): Promise<Seat> {
    const storage = storages.get(scenario.name) ?? (await used(scenario));
    storages.set(scenario.name, storage);
    const person = await given.member(project, ['view_work_packages', 'view_file_links']);
    const links = await linked(scenario, person, storage);
    const row = (await Storage.query(services.db.read).findById(storage.id))!;
    const user = (await User.query(services.db.read).findById(person.id))!;
    /** Resets the tokens, and waits for running work of the last case. */
    const alone = async <T>(
      outbound: Outbound,
      log: Logger,
      work: (context: Context) => Promise<T>,
    ): Promise<T> => {
      await given.storageTokens(person, storage, {
        accessToken: scenario.token(),
        refreshToken: 'planted-refresh-token',
        originUserId: scenario.userId,
      });
      await services.db.write('storage_pauses').delete();
      const unfinished: Promise<unknown>[] = [];
      const finishing = <W>(one: Promise<W>) => {
        unfinished.push(one);
        return one;
      };
      const own = {
        ...services,
        outbound,
        log,
        finishing,
        refreshing: new Map(),
        signOnUsers: {
          known: new Cache<string, string>(),
          asking: new SingleFlight<string, string>(),
        },
        applicationTokens: new ApplicationTokens(services.clock),
        pauses: new Pauses(services.db, services.clock, log),
      };
      try {
        return await work(
          makeContext({ ...own, connections: new Connections(own) }, user, { log }),
        );
      } finally {
        await Promise.allSettled(unfinished);
      }
    };
    return {
      refresh: (outbound, log) => alone(outbound, log, (context) => refreshOrigins(context, links)),
      state: (outbound, log) =>
        alone(outbound, log, async (context) => (await connectionTo(context, row)).state),
    };
  }

  /** A storage that people of the project see. */
  async function used(scenario: Scenario): Promise<StorageHandle> {
    const storage = await given.storage(scenario.storage);
    await given.projectStorage(project, storage);
    return storage;
  }

  async function linked(
    { statuses }: Scenario,
    person: Person,
    { id: storageId }: StorageHandle,
  ): Promise<FileLink[]> {
    const time = '2026-01-01T00:00:00.000Z';
    const nothing = {
      originMimeType: null,
      originSize: null,
      originCreatedAt: null,
      originLastModifiedAt: null,
      originCreatedByName: null,
      originLastModifiedByName: null,
    };
    const { id: workPackageId } = await given.workPackage(project, person);
    return Promise.all(
      statuses.map(([originId]) =>
        FileLink.query(services.db.write).insertAndFetch({
          workPackageId,
          storageId,
          creatorId: person.id,
          originId,
          originName: 'old',
          ...nothing,
          expiresAt: null,
          createdAt: time,
          updatedAt: time,
        }),
      ),
    );
  }

  return {
    seat,
    async close() {
      await services.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
