/** Projects and people whose folders are synchronised in a test. */
import { Readable } from 'node:stream';
import { importDirectory } from '../../../src/actions/people/directory/import-directory.js';
import { acquireSync } from '../../../src/actions/base/project-folder-queue/acquire-sync.js';
import { synchroniseFolders } from '../../../src/workers/folder-job.js';
import type { App } from '../../support/app.js';
import type { NewStorage, Person, StorageHandle } from '../../support/factories.js';
import type { FolderRemote } from './remotes.js';

export const ALL_RIGHTS = ['read', 'write', 'create', 'delete', 'share'];

export interface FolderState {
  mode: string;
  id: string | null;
  state: string;
  message: string | null;
}

const STATE = `query ($id: ID!) { projectStorage(id: $id) {
  projectFolderMode projectFolderId projectFolderState projectFolderMessage
} }`;
const CREATE = `mutation ($input: CreateProjectStorageInput!) {
  createProjectStorage(input: $input) { projectStorage { id } }
}`;
const UPDATE = `mutation ($input: UpdateProjectStorageInput!) {
  updateProjectStorage(input: $input) { projectStorage { id projectFolderMode projectFolderId } }
}`;
const DELETE = `mutation ($input: DeleteProjectStorageInput!) {
  deleteProjectStorage(input: $input) { deletedProjectStorageId }
}`;

export interface ProjectChange {
  name?: string;
  public?: boolean;
  active?: boolean;
  /** The permissions of each person, by login, without `_files`. */
  members?: { [login: string]: string[] };
}

interface NewPerson {
  login: string;
  admin?: boolean;
  status?: string;
  connected?: boolean;
}

export class World {
  storage!: StorageHandle;
  admin!: Person;
  readonly ids = new Map<string, number>();

  constructor(
    readonly app: App,
    readonly remote: FolderRemote,
  ) {}

  static async of(
    app: App,
    remote: FolderRemote,
    changes: Partial<NewStorage> = {},
  ): Promise<World> {
    const world = new World(app, remote);
    world.admin = await app.given.user({ admin: true });
    // Tests of one server must not meet what others have left.
    const { write } = app.running.services.db;
    for (const table of ['storages', 'memberships', 'role_permissions'])
      await write(table).delete();
    for (const { id } of remote.folders()) remote.remove(id);
    world.storage = await app.given.storage({ ...remote.storage(), ...changes });
    remote.server.repair();
    remote.server.forget();
    return world;
  }

  /** Imports people, and connects them to the storage. */
  async people(...people: (string | NewPerson)[]): Promise<void> {
    const rows = people.map((one): NewPerson => (typeof one === 'string' ? { login: one } : one));
    const { users } = await this.import({
      users: rows.map(({ login, admin = false, status = 'active' }) => ({
        login,
        firstName: login,
        lastName: '',
        admin,
        status,
      })),
    });
    for (const { login, connected = true } of rows) {
      this.ids.set(login, users[login]!);
      if (connected) await this.connect(login);
    }
  }

  async connect(login: string): Promise<void> {
    const id = this.remote.person(login);
    await this.app.given.storageTokens({ id: this.ids.get(login)! }, this.storage, {
      ...this.remote.grant(id),
      originUserId: id,
    });
  }

  /** Imports a project. Each combination of permissions is a role of its own. */
  async project(identifier: string, change: ProjectChange = {}): Promise<number> {
    const { name, members = {}, ...details } = change;
    const roles = Object.values(members).map((rights) => ({
      name: roleName(rights),
      permissions: ['view_work_packages', ...rights.map((right) => `${right}_files`)],
    }));
    const { projects } = await this.import({
      roles: [...new Map(roles.map((role) => [role.name, role])).values()],
      projects: [
        {
          identifier,
          name: name ?? identifier,
          public: false,
          ...details,
          memberships: Object.entries(members).map(([user, rights]) => ({
            user,
            roles: [roleName(rights)],
          })),
        },
      ],
    });
    const id = projects[identifier]!;
    this.ids.set(identifier, id);
    return id;
  }

  async import(file: object) {
    const content = Buffer.from(JSON.stringify(file));
    return importDirectory(this.app.running.services, () => Readable.from([content]));
  }

  /** Adds the storage to a project. @returns the global id of the project storage */
  async use(project: number, mode = 'AUTOMATIC', more: object = {}): Promise<string> {
    const data = await this.#asAdmin(CREATE, {
      projectId: String(project),
      storageId: this.storage.globalId,
      projectFolderMode: mode,
      ...more,
    });
    return data.createProjectStorage.projectStorage.id;
  }

  async change(id: string, input: object) {
    const data = await this.#asAdmin(UPDATE, { id, ...input });
    return data.updateProjectStorage.projectStorage;
  }

  /** Not `expect`, because the crash script has none. */
  async #asAdmin(mutation: string, input: object) {
    const { data, errors } = await this.app.graphql(mutation, { input }, this.admin);
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  }

  async stopUsing(id: string, input: object = {}, as: Person = this.admin) {
    return this.app.graphql(DELETE, { input: { id, ...input } }, as);
  }

  async state(id: string, as: Person = this.admin): Promise<FolderState> {
    const { projectStorage: found } = (await this.app.graphql(STATE, { id }, as)).data;
    return {
      mode: found.projectFolderMode,
      id: found.projectFolderId,
      state: found.projectFolderState,
      message: found.projectFolderMessage,
    };
  }

  /**
   * Lets the time pass that the service collects changes for, and runs what is due then.
   * @returns how many synchronisations ran
   */
  async cycle(aheadMs = 6_000): Promise<number> {
    const { services } = this.app.running;
    const later = { ...services, clock: () => new Date(Date.now() + aheadMs) };
    for (let count = 0; ; count += 1) {
      const row = await acquireSync(later);
      if (!row) return count;
      await synchroniseFolders(later, row, new AbortController().signal);
    }
  }

  #hours = 0;

  /** As an hour after the last call. */
  hour(): Promise<number> {
    this.#hours += 1;
    return this.cycle(this.#hours * 3_600_000 + 10_000);
  }

  folderNamed(name: string) {
    return this.remote.folders().find((folder) => folder.name === name);
  }

  /** The rights of each person in a folder. People without any are left out. */
  rights(folderId: string, people: readonly string[]): { [person: string]: string[] } {
    return Object.fromEntries(
      people
        .map((person) => [person, this.remote.rights(person, folderId)] as const)
        .filter(([, rights]) => rights.length > 0),
    );
  }

  /** What the storage grants for these permissions. */
  granted(rights: readonly string[]): string[] {
    if (!this.remote.fiveRights && rights.includes('write')) return ['read', 'write'];
    // Without the right to read, a file server hides the folder.
    if (!rights.includes('read')) return [];
    return this.remote.fiveRights ? ALL_RIGHTS.filter((right) => rights.includes(right)) : ['read'];
  }
}

const roleName = (rights: readonly string[]) => `Files: ${rights.join(' ') || 'none'}`;
