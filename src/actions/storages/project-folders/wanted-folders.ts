/** Reads from the database which folder each project shall have, and with which rights. */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Services } from '../../../context.js';
import { FolderDeletion, type FolderSync } from '../../../models/folder-sync.js';
import { ProjectFolderMode } from '../../../models/project-storage.js';
import { NON_MEMBER } from '../../../models/role.js';
import { AuthenticationMethod, type Storage } from '../../../models/storage.js';
import { folderPermissions, type FolderPermission } from '../../../policies/permissions.js';
import {
  fileRights,
  type FileRight,
  type ManagedFolders,
  type Rights,
  type Wanted,
  type WantedFolder,
} from '../../../storages/managed-folders.js';

/** What is stored of a project's folder. */
interface StoredFolder {
  id: number;
  state: string | null;
  message: string | null;
  digest: string | null;
  projectId: number;
}

export interface WantedState extends Wanted {
  /** By key: the id of the project storage. */
  stored: ReadonlyMap<number, StoredFolder>;
  /** By key: what `digest` becomes when the rights are set. */
  digests: ReadonlyMap<number, string>;
  /** By key: what the storage said of people who are left out. */
  notes: ReadonlyMap<number, string[]>;
}

interface ProjectRow {
  id: number;
  project_id: number;
  name: string;
  public: boolean | number;
  managed_folder_id: string | null;
  folder_making: string | null;
  folder_state: string | null;
  folder_message: string | null;
  folder_digest: string | null;
}

type Remembered = Pick<FolderSync, 'unknownPeople' | 'hiddenFolders' | 'foreignFolders'>;
const NOTHING_REMEMBERED: Remembered = {
  unknownPeople: {},
  hiddenFolders: [],
  foreignFolders: [],
};

/** Parts into which folders are divided, so that each is read again once a day. */
const PARTS = 24;
const HOUR_MS = 3_600_000;

export async function wantedFolders(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  storage: Storage,
  folders: ManagedFolders,
  { unknownPeople, hiddenFolders, foreignFolders }: Remembered = NOTHING_REMEMBERED,
): Promise<WantedState> {
  // A mixture of two states could give a right that nobody has in either of them.
  const { projects, rightsOf, unwanted } = await db.snapshot((trx) => stateOf(trx, storage));
  const notes = new Map<number, string[]>();
  const noted = (key: number, rights: Rights): Rights => {
    const refusals = [...rights.keys()].flatMap((person) => unknownPeople[person] ?? []);
    if (refusals.length > 0)
      notes.set(
        key,
        refusals.map(({ message }) => message),
      );
    return rights;
  };
  const unknown = new Set(Object.keys(unknownPeople));
  const wanted = projects.map((row): WantedFolder => ({
    key: row.id,
    name: folders.nameOf({ id: row.project_id, name: row.name }),
    id: row.managed_folder_id,
    making: row.folder_making,
    rights: noted(row.id, rightsOf(row)),
  }));
  const digests = new Map(wanted.map((folder) => [folder.key, digestOf(folder, unknown)]));
  const ids = new Set(wanted.map(({ id }) => id));
  const hour = Math.floor(clock().getTime() / HOUR_MS) % PARTS;
  const isSettled = (id: string) => partOf(id) !== hour;
  const applied = projects.flatMap(({ id, managed_folder_id: folder, folder_digest: digest }) =>
    folder !== null && digest !== null && digest === digests.get(id) ? [folder] : [],
  );
  return {
    folders: wanted,
    foreign: new Set(foreignFolders),
    unwanted,
    unknown,
    settled: new Set([...applied, ...hiddenFolders.filter((id) => !ids.has(id))].filter(isSettled)),
    stored: new Map(
      projects.map((row) => [
        row.id,
        {
          id: row.id,
          state: row.folder_state,
          message: row.folder_message,
          digest: row.folder_digest,
          projectId: row.project_id,
        },
      ]),
    ),
    digests,
    notes,
  };
}

async function stateOf(read: Knex, storage: Storage) {
  const projects: ProjectRow[] = await read('project_storages')
    .join('projects', 'projects.id', 'project_storages.project_id')
    .where({
      'project_storages.storage_id': storage.id,
      'project_storages.project_folder_mode': ProjectFolderMode.AUTOMATIC,
      'projects.active': true,
    })
    .orderBy('project_storages.id')
    .select('project_storages.*', 'projects.name', 'projects.public');
  const rightsOf = await projectRights(read, storage, await peopleOf(read, storage));
  const deletions = await FolderDeletion.query(read).where('storage_id', storage.id);
  return { projects, rightsOf, unwanted: deletions.map(({ folderId }) => folderId) };
}

interface Person {
  userId: number;
  originUserId: string;
  admin: boolean;
}

/** The active people whose ids at the storage are known. */
async function peopleOf(read: Knex, { id, authenticationMethod }: Storage): Promise<Person[]> {
  const connected = () =>
    read('storage_tokens')
      .select('user_id', 'origin_user_id')
      .where('storage_id', id)
      .whereNotNull('origin_user_id');
  const signedOn = () =>
    read('sign_on_users')
      .join('users', 'users.id', 'sign_on_users.user_id')
      .select('sign_on_users.user_id', 'sign_on_users.origin_user_id')
      .where('sign_on_users.storage_id', id)
      .whereRaw("coalesce(users.identity, '') = sign_on_users.identity");
  const known = authenticationMethod === AuthenticationMethod.OAUTH2_SSO ? signedOn : connected;
  const rows: { id: number; admin: boolean | number; origin_user_id: string }[] = await read
    .select('users.id', 'users.admin', 'known.origin_user_id')
    .from(known().as('known'))
    .join('users', 'users.id', 'known.user_id')
    .where('users.status', 'active')
    .where('users.anonymous', false)
    .orderBy('users.id');
  return rows.map((row) => ({
    userId: row.id,
    originUserId: row.origin_user_id,
    admin: Boolean(row.admin),
  }));
}

const rightOf: { readonly [permission in FolderPermission]: FileRight } = {
  read_files: 'read',
  write_files: 'write',
  create_files: 'create',
  delete_files: 'delete',
  share_files: 'share',
};
const EVERYTHING: ReadonlySet<FileRight> = new Set(fileRights);

/**
 * Members have the rights of their roles, and administrators have all. In a public project, others
 * have the rights of the role `Non member`.
 */
async function projectRights(
  read: Knex,
  { id }: Storage,
  people: readonly Person[],
): Promise<(project: ProjectRow) => Rights> {
  const automatic = read('project_storages')
    .select('project_id')
    .where({ storage_id: id, project_folder_mode: ProjectFolderMode.AUTOMATIC });
  const memberships: { user_id: number; project_id: number }[] = await read('memberships')
    .select('user_id', 'project_id')
    .whereIn('project_id', automatic.clone());
  const held: { user_id: number; project_id: number; permission: FolderPermission }[] = await read(
    'memberships',
  )
    .join('membership_roles', 'membership_roles.membership_id', 'memberships.id')
    .join('role_permissions', 'role_permissions.role_id', 'membership_roles.role_id')
    .whereIn('memberships.project_id', automatic.clone())
    .whereIn('role_permissions.permission', [...folderPermissions])
    .distinct('memberships.user_id', 'memberships.project_id', 'role_permissions.permission');
  const others: FolderPermission[] = await read('role_permissions')
    .join('roles', 'roles.id', 'role_permissions.role_id')
    .where('roles.name', NON_MEMBER)
    .whereIn('role_permissions.permission', [...folderPermissions])
    .pluck('role_permissions.permission');
  const ofOthers = new Set(others.map((permission) => rightOf[permission]));

  const memberKey = (project: number, user: number) => `${project} ${user}`;
  const members = new Set(memberships.map((row) => memberKey(row.project_id, row.user_id)));
  const ofMembers = new Map<string, Set<FileRight>>();
  const membersOf = new Map<number, Set<number>>();
  for (const { project_id, user_id, permission } of held) {
    const key = memberKey(project_id, user_id);
    const rights = ofMembers.get(key) ?? new Set();
    ofMembers.set(key, rights.add(rightOf[permission]));
    membersOf.set(project_id, (membersOf.get(project_id) ?? new Set()).add(user_id));
  }
  const connected = new Map<number, Person[]>();
  for (const person of people)
    connected.set(person.userId, [...(connected.get(person.userId) ?? []), person]);
  const admins = people.filter(({ admin }) => admin);

  return (project) => {
    const rights = new Map<string, ReadonlySet<FileRight>>();
    // Two people may be connected as one at the storage. They have what each of them has.
    const give = ({ originUserId }: Person, given: ReadonlySet<FileRight>) => {
      if (given.size === 0) return;
      const before = rights.get(originUserId);
      // Thousands of people share one set.
      rights.set(originUserId, before ? new Set([...before, ...given]) : given);
    };
    for (const person of admins) give(person, EVERYTHING);
    for (const user of membersOf.get(project.project_id) ?? [])
      for (const person of connected.get(user) ?? [])
        give(person, ofMembers.get(memberKey(project.project_id, user)) ?? new Set());
    if (project.public && ofOthers.size > 0)
      for (const person of people)
        if (!members.has(memberKey(project.project_id, person.userId))) give(person, ofOthers);
    return rights;
  };
}

/** Whom the storage does not know is marked, because later it may know the person. */
function digestOf({ rights }: WantedFolder, unknown: ReadonlySet<string>): string {
  const lines = [...rights].map(([person, held]) =>
    [person, ...fileRights.filter((right) => held.has(right)), unknown.has(person)].join('\n'),
  );
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

const partOf = (folderId: string): number =>
  createHash('sha256').update(folderId).digest().readUInt32BE() % PARTS;
