/** Both types of storages for tests of project folders, each with a fake. */
import type { NewStorage } from '../../support/factories.js';
import { startCloudDrive } from '../../support/fakes/cloud-drive.js';
import {
  startFileServer,
  type FileServer,
  type TeamFolder,
} from '../../../demo/servers/file-server.js';
import type { FakeRequest, FakeServer } from '../../../demo/servers/http-server.js';

export interface RemoteFolder {
  id: string;
  name: string;
}

export interface FolderRemote {
  server: FakeServer;
  environment: { [name: string]: string };
  /** A storage of this type, with all that managed folders need. */
  storage(): NewStorage;
  /** Whether it has a right for each of the five permissions, or only `read` and `write`. */
  fiveRights: boolean;
  /** Makes an account. @returns its id at the storage */
  person(name: string): string;
  /** Tokens with which the service calls the storage for the person. */
  grant(person: string): { accessToken: string; refreshToken: string };
  /** The folders at the place of project folders. */
  folders(): RemoteFolder[];
  /** The same, with folders that have no place yet. */
  everyFolder(): RemoteFolder[];
  /** What the person may do in a folder, in the words of the permissions without `_files`. */
  rights(person: string, folderId: string): string[];
  add(name: string): string;
  rename(id: string, name: string): void;
  moveOut(id: string): void;
  remove(id: string): void;
  /** Whether a request changes something. */
  changes(request: FakeRequest): boolean;
  /** The same, without the membership in the group. */
  changesFolder(request: FakeRequest): boolean;
  makes(request: FakeRequest): boolean;
  renames(request: FakeRequest): boolean;
  /** Whether a request sets who has rights in a project's folder. */
  setsRights(request: FakeRequest): boolean;
  /** Assertions at the end. */
  check(): void;
  close(): Promise<void>;
}

/** Folders of projects. New ones are in a folder of the service until their rights are set. */
export const placedFolders = (team: TeamFolder) =>
  team.folders().filter(({ name }) => name !== '.new project folders');

const client = { id: 'client-id-of-ours', secret: 'planted-client-secret' };
const BITS = { read: 1, write: 2, create: 4, delete: 8, share: 16 };

export async function fileServerFolders(): Promise<
  FolderRemote & { server: FileServer; team: TeamFolder }
> {
  const server = await startFileServer();
  server.setClient({ ...client, redirectUri: 'http://127.0.0.1/unused' });
  const team = server.teamFolder();
  const changesFolder = ({ method, path }: FakeRequest) =>
    ['MKCOL', 'MOVE', 'PROPPATCH', 'PUT'].includes(method) ||
    (method === 'DELETE' && !path.endsWith('/groups'));
  return {
    server,
    team,
    environment: {},
    storage: () => ({
      type: 'SelfHostedFileServer',
      origin: server.url,
      client,
      applicationPassword: team.password,
    }),
    fiveRights: true,
    person(name) {
      server.user(name, { displayName: name, password: `password of ${name}` });
      return name;
    },
    grant: (person) => server.grant(person),
    folders: () => placedFolders(team).map(({ id, name }) => ({ id: String(id), name })),
    everyFolder: () => team.everyFolder().map(({ id, name }) => ({ id: String(id), name })),
    rights(person, folderId) {
      const held = team.rights(person, Number(folderId));
      return Object.entries(BITS).flatMap(([right, bit]) => ((held & bit) === 0 ? [] : [right]));
    },
    add: (name) => String(team.add(name)),
    rename: (id, name) => team.rename(Number(id), name),
    moveOut: (id) => team.moveOut(Number(id)),
    remove: (id) => team.remove(Number(id)),
    changes: (request) =>
      changesFolder(request) ||
      (request.path.endsWith('/groups') && ['POST', 'DELETE'].includes(request.method)),
    changesFolder,
    makes: ({ method }) => method === 'MKCOL',
    renames: ({ method }) => method === 'MOVE',
    setsRights: ({ method, path }) => method === 'PROPPATCH' && path.includes('('),
    check: () => undefined,
    close: () => server.close(),
  };
}

export async function cloudDriveFolders(): Promise<FolderRemote> {
  const server = await startCloudDrive();
  server.setClient(client);
  server.onlyPermitted = true;
  const changes = ({ method, path, body }: FakeRequest) =>
    path.endsWith('/$batch')
      ? partsOf(body).some((part) => part.method !== 'GET')
      : ['PATCH', 'DELETE', 'PUT'].includes(method) ||
        (method === 'POST' && !path.endsWith('/token'));
  const RIGHTS: { [role: string]: string[] } = { read: ['read'], write: ['read', 'write'] };
  return {
    server,
    environment: { CLOUD_DRIVE_LOGIN_URL: server.loginUrl, CLOUD_DRIVE_API_URL: server.apiUrl },
    storage: () => ({
      type: 'CloudDrive',
      tenantId: server.tenantId,
      driveId: server.driveId,
      client,
      foldersAllowed: true,
    }),
    fiveRights: false,
    person(name) {
      server.user(name, {
        displayName: name,
        email: `${name}@example.test`,
        password: `password of ${name}`,
      });
      return name;
    },
    grant: (person) => server.grant(person),
    folders: () => server.folders().map(({ id, name }) => ({ id, name })),
    everyFolder: () => server.folders().map(({ id, name }) => ({ id, name })),
    rights(person, folderId) {
      const folder = server.folders().find(({ id }) => id === folderId);
      const held = folder?.permissions.filter(({ user, link }) => user === person && !link) ?? [];
      return [...new Set(held.flatMap(({ roles }) => roles.flatMap((role) => RIGHTS[role] ?? [])))];
    },
    add: (name) => server.addFolder(name),
    rename: (id, name) => server.renameItem(id, name),
    moveOut(id) {
      const shelf = server.addFolder('Shelf');
      server.moveItem(id, shelf);
    },
    remove: (id) => server.removeItem(id),
    changes,
    changesFolder: changes,
    makes: ({ method, path }) => method === 'POST' && path.endsWith('/children'),
    renames: ({ method, path }) => method === 'PATCH' && !path.includes('/permissions/'),
    setsRights: ({ path, body }) =>
      path.endsWith('/$batch') && partsOf(body).some(({ url }) => url.endsWith('/invite')),
    check() {
      if (server.violations.length > 0) throw new Error(server.violations.join('\n'));
    },
    close: () => server.close(),
  };
}

/** The requests in a batch. */
export const partsOf = (body: Buffer): { method: string; url: string; body?: unknown }[] =>
  JSON.parse(body.toString()).requests;

export const remotes = {
  SelfHostedFileServer: fileServerFolders,
  CloudDrive: cloudDriveFolders,
} as const;
