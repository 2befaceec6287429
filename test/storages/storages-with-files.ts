/** Both types of storages with files, for tests of file links and folders. */
import { randomBytes } from 'node:crypto';
import type { App } from '../support/app.js';
import type { ContainerHandle, Person, StorageHandle } from '../support/factories.js';
import type { CloudDrive } from '../support/fakes/cloud-drive.js';
import type { FileServer } from '../../demo/servers/file-server.js';
import type { FakeRequest } from '../../demo/servers/http-server.js';
import { FileLink } from '../../src/models/file-link.js';
import { cloudDriveRemote, fileServerRemote, type Remote } from './remotes.js';

export interface Seed {
  content?: string;
  mimeType?: string;
  /** ISO 8601 in whole seconds. */
  createdAt?: string;
  modifiedAt?: string;
}

/** A storage of Mia Ray, who creates all files. */
export interface Stocked extends Remote {
  type: 'SelfHostedFileServer' | 'CloudDrive';
  file(path: string, seed?: Seed): string;
  folder(path: string): string;
  /** The file still exists, but Mia cannot see it. */
  hide(id: string): void;
  remove(id: string): void;
  /** As if a user did it in the storage's own pages. */
  rename(id: string, name: string): Promise<void>;
  /** The storage reports an error for this file only. */
  failFile(id: string, all: readonly string[]): Promise<void>;
  asksFiles(request: FakeRequest): boolean;
}

const seconds = (iso: string | undefined) =>
  iso === undefined ? undefined : Date.parse(iso) / 1000;
const FILES_INFO = '/ocs/v1.php/apps/integration_openproject/filesinfo';

export async function stockedFileServer(): Promise<Stocked> {
  const remote = await fileServerRemote();
  const server = remote.server as FileServer;
  const basic = `Basic ${Buffer.from('mia:planted-mia-password').toString('base64')}`;
  const asked = async (ids: readonly string[]): Promise<any> =>
    (
      await fetch(server.url + FILES_INFO, {
        method: 'POST',
        body: JSON.stringify({ fileIds: ids.map(Number) }),
        headers: {
          authorization: `Bearer ${remote.grant().accessToken}`,
          'content-type': 'application/json',
          accept: 'application/json',
          'ocs-apirequest': 'true',
        },
      })
    ).json();
  return {
    ...remote,
    type: 'SelfHostedFileServer',
    file: (path, { content, mimeType, createdAt, modifiedAt } = {}) =>
      String(
        server.file('mia', path, {
          ...(content !== undefined && { content }),
          ...(mimeType !== undefined && { mimeType }),
          ...(createdAt !== undefined && { ctime: seconds(createdAt)! }),
          ...(modifiedAt !== undefined && { mtime: seconds(modifiedAt)! }),
        }),
      ),
    folder: (path) => String(server.folder('mia', path)),
    hide: (id) => server.hide(Number(id), 'mia'),
    remove: (id) => server.remove(Number(id)),
    async rename(id, name) {
      const { ocs } = await asked([id]);
      const location = String(ocs.data[id].path).replace(/^files/, '');
      const at = (path: string) =>
        `${server.url}/remote.php/dav/files/mia${path.split('/').map(encodeURIComponent).join('/')}`;
      const { status } = await fetch(at(location), {
        method: 'MOVE',
        headers: { authorization: basic, destination: at(location.replace(/[^/]+$/, () => name)) },
      });
      if (status !== 201) throw new Error(`The file server answered ${status}.`);
    },
    async failFile(id, all) {
      const answer = await asked(all);
      answer.ocs.data[id] = { status: 'Internal Server Error', statuscode: 500 };
      server.fault(
        {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(answer),
        },
        ({ path }) => path === FILES_INFO,
      );
    },
    asksFiles: ({ path }) => path === FILES_INFO,
  };
}

export async function stockedCloudDrive(): Promise<Stocked> {
  const remote = await cloudDriveRemote();
  const drive = remote.server as CloudDrive;
  return {
    ...remote,
    type: 'CloudDrive',
    file: (path, seed = {}) => drive.file(path, { by: 'mia', ...seed }),
    folder: (path) => drive.folder(path),
    hide: (id) => drive.hide(id, 'mia'),
    remove: (id) => drive.remove(id),
    async rename(id, name) {
      const item = drive.items.byId(id)!;
      drive.items.place(item, item.parent!, name, { userId: 'mia' });
    },
    async failFile(id) {
      drive.throttle({
        members: true,
        times: 1000,
        status: 503,
        when: ({ path }) => path.includes(id),
      });
    },
    asksFiles: ({ path }) => path === '/v1.0/$batch',
  };
}

export interface Place {
  project: { id: number; name: string };
  person: Person;
  workPackage: ContainerHandle;
  /** E.g. `/api/v3/work_packages/3/file_links`. */
  list: string;
  storages: StorageHandle[];
}

export const viewing = ['view_work_packages', 'view_file_links'];
export const managing = [...viewing, 'manage_file_links'];

/** A project that uses storages, with a work package and a member who is connected to them as Mia. */
export async function placeIn(
  app: App,
  remotes: readonly Stocked[],
  {
    permissions = managing,
    tokens = true,
    expiresInSeconds = 3600,
  }: { permissions?: string[]; tokens?: boolean; expiresInSeconds?: number } = {},
): Promise<Place> {
  const { given } = app;
  // The self-hosted type allows one storage for an origin.
  await app.running.services.db.write('storages').delete();
  const project = await given.project();
  const person = await given.member(project, permissions);
  const workPackage = await given.workPackage(project, person);
  const storages: StorageHandle[] = [];
  for (const remote of remotes) {
    const storage = await given.storage(remote.storage);
    await given.projectStorage(project, storage);
    if (tokens)
      await given.storageTokens(person, storage, {
        ...remote.grant(),
        expiresInSeconds,
        originUserId: remote.userId,
      });
    storages.push(storage);
  }
  return { project, person, workPackage, list: `${workPackage.path}/file_links`, storages };
}

/** A stored link with its cached data. */
export async function linkIn(
  app: App,
  { person, workPackage }: Pick<Place, 'person'> & { workPackage: ContainerHandle | null },
  storage: { id: number },
  originId: string,
  more: object = {},
): Promise<number> {
  const time = '2026-01-01T00:00:00.000Z';
  const { id } = await FileLink.query(app.running.services.db.write)
    .insert({
      workPackageId: workPackage?.id ?? null,
      storageId: storage.id,
      creatorId: person.id,
      originId,
      originName: `old ${randomBytes(2).toString('hex')}.txt`,
      originMimeType: null,
      originSize: null,
      originCreatedAt: null,
      originLastModifiedAt: null,
      originCreatedByName: null,
      originLastModifiedByName: null,
      expiresAt: workPackage ? null : '2099-01-01T00:00:00.000Z',
      createdAt: time,
      updatedAt: time,
      ...more,
    } as Partial<FileLink>)
    .returning('id');
  return id;
}

/** The row of a link, if it exists. */
export const rowOf = async (app: App, id: number): Promise<any> =>
  (await app.running.services.db.write('file_links').where({ id }))[0];
