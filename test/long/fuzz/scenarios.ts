/** Storages with files and their true responses: both fakes, and the recordings of a real file server. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FileLinkStatus } from '../../../src/models/file-link.js';
import type { HttpAnswer } from '../../../src/outbound/http.js';
import type { Adapter } from '../../../src/storages/adapter.js';
import { adapterFor } from '../../../src/storages/index.js';
import type { Wanted } from '../../../src/storages/managed-folders.js';
import type { NewStorage } from '../../support/factories.js';
import type { CloudDrive } from '../../support/fakes/cloud-drive.js';
import type { FileServer } from '../../../demo/servers/file-server.js';
import { readRecording } from '../../support/recordings.js';
import { addresses, type Addresses } from '../../storages/addresses.js';
import {
  stockedCloudDrive,
  stockedFileServer,
  type Stocked,
} from '../../storages/storages-with-files.js';
import { Book, looseKey } from './upstream.js';

export interface Scenario {
  name: string;
  adapter: Adapter;
  addresses: Addresses;
  /** The stored storage, with the credentials of our OAuth client. */
  storage: NewStorage;
  client: { id: string; secret: string };
  applicationPassword: string;
  /** Tokens of its user. They work at the fakes. */
  token: () => string;
  userId: string;
  /** Files with statuses that are set by hand. */
  statuses: readonly (readonly [id: string, status: FileLinkStatus])[];
  /** A file and a folder that the user can see. */
  fileId: string;
  folder: { id: string; path: string };
  /** The ids of new folders. */
  newName: string;
  /** Folders of projects that are out of step. The recordings have none. */
  projectFolders?: Wanted;
  /** Recorded responses. Undefined: send requests. */
  recorded: Book | undefined;
  close(): Promise<void>;
}

const { VIEW_ALLOWED, VIEW_NOT_ALLOWED, NOT_FOUND, ERROR } = FileLinkStatus;
const client = { id: 'client-id-of-ours', secret: 'planted-client-secret' };
const APPLICATION_PASSWORD = 'planted-application-password';

export async function fileServerScenario(): Promise<Scenario> {
  const remote = await stockedFileServer();
  const server = remote.server as FileServer;
  const team = server.teamFolder({ password: APPLICATION_PASSWORD });
  return {
    ...(await stocked('file server', remote, addresses({ origin: `${server.url}/` }))),
    projectFolders: outOfStep(remote.userId, (name) => String(team.add(name))),
  };
}

export async function cloudDriveScenario(): Promise<Scenario> {
  const remote = await stockedCloudDrive();
  const server = remote.server as CloudDrive;
  const { tenantId, driveId, loginUrl, apiUrl } = server;
  return {
    ...(await stocked('cloud drive', remote, addresses({ tenantId, driveId, loginUrl, apiUrl }))),
    projectFolders: outOfStep(remote.userId, (name) => server.addFolder(name)),
  };
}

/** One folder is missing, one has an old name, one is to be deleted, and one is nobody's. */
function outOfStep(userId: string, add: (name: string) => string): Wanted {
  const [old, gone] = ['Old (2)', 'Gone (3)', 'Stranger'].map(add);
  const rights = new Map([[userId, new Set(['read', 'write'] as const)]]);
  return {
    folders: [
      { key: 1, name: 'New (1)', id: null, making: null, rights },
      { key: 2, name: 'Renamed (2)', id: old!, making: null, rights },
    ],
    foreign: new Set(),
    unwanted: [gone!],
    settled: new Set(),
    unknown: new Set(),
  };
}

async function stocked(name: string, remote: Stocked, at: Addresses): Promise<Scenario> {
  const path = '/Docs/Plans';
  const folder = { id: remote.folder(path), path };
  const fileId = remote.file(`${path}/brief.md`, { content: 'hello', mimeType: 'text/markdown' });
  for (let index = 0; index < 5; index += 1)
    remote.file(`${path}/Größe ${index} & more.txt`, { content: 'x' });
  const [hidden, removed, failing] = ['hidden.txt', 'removed.txt', 'failing.txt'].map((each) =>
    remote.file(`${path}/${each}`),
  );
  remote.hide(hidden!);
  remote.remove(removed!);
  const statuses = [
    [fileId, VIEW_ALLOWED],
    [folder.id, VIEW_ALLOWED],
    [hidden!, VIEW_NOT_ALLOWED],
    [removed!, NOT_FOUND],
    [failing!, ERROR],
  ] as const;
  await remote.failFile(
    failing!,
    statuses.map(([id]) => id),
  );
  const { accessToken } = remote.grant();
  return {
    name,
    adapter: adapterFor(remote.type),
    addresses: at,
    storage: remote.storage,
    client,
    applicationPassword: APPLICATION_PASSWORD,
    token: () => accessToken,
    userId: remote.userId,
    statuses,
    fileId,
    folder,
    newName: 'Größe 100% #1',
    recorded: undefined,
    close: () => remote.close(),
  };
}

/** The address at the time of the recording. */
const RECORDED = 'http://127.0.0.1:8180';

/** @param folder of the recordings */
export function recordedScenario(folder: string): Scenario {
  const book = new Book();
  const recordings = readdirSync(folder)
    .sort()
    .flatMap((part) =>
      readdirSync(join(folder, part))
        .sort()
        .map((name) => readRecording(join(folder, part, name))),
    );
  // Successful responses first, so that a request gets the response of a user with access.
  for (const wanted of [true, false]) {
    for (const {
      request,
      response: { status, headers, body },
    } of recordings) {
      const answer: HttpAnswer = {
        status,
        headers: Object.fromEntries(headers),
        body: Buffer.from(body),
      };
      if (status < 400 === wanted)
        book.note(looseKey(request.method, new URL(request.target, RECORDED)), answer);
    }
  }
  return {
    name: 'recorded file server',
    adapter: adapterFor('SelfHostedFileServer'),
    recorded: book,
    addresses: addresses({ origin: `${RECORDED}/` }),
    storage: { type: 'SelfHostedFileServer', origin: RECORDED, client },
    client,
    applicationPassword: APPLICATION_PASSWORD,
    token: () => 'planted-token',
    userId: 'alice',
    fileId: '127',
    folder: { id: '108', path: '/Docs' },
    newName: 'Docs',
    statuses: [
      ['127', VIEW_ALLOWED],
      ['128', VIEW_ALLOWED],
      ['108', VIEW_ALLOWED],
      ['129', NOT_FOUND],
      ['130', VIEW_NOT_ALLOWED],
      ['131', VIEW_ALLOWED],
      ['132', VIEW_ALLOWED],
      ['99999999', NOT_FOUND],
      ['555', ERROR],
    ],
    close: () => Promise.resolve(),
  };
}
