/** Plans how the folders of projects in a drive get in step. Pure: it reads and changes nothing. */
import { decideFolders } from '../decide-folders.js';
import {
  problems,
  shortened,
  type DriveRole,
  type FileRight,
  type FolderPlan,
  type FolderStep,
  type PermissionChange,
  type Rights,
  type Wanted,
} from '../managed-folders.js';
import { inParts, MOST_IN_BATCH } from './batch.js';

export interface DriveEntry {
  id: string;
  name: string;
  isFolder: boolean;
  /** Whether this service made it. */
  isOurs: boolean;
}

/** A permission that a person or a group has directly on a folder. */
export interface DirectPermission {
  id: string;
  /** Null for a group. */
  person: string | null;
  role: DriveRole;
}

export interface FoundDrive {
  /** Children of the root. */
  entries: DriveEntry[];
  /** By folder. Folders that are settled are absent. */
  permissions: ReadonlyMap<string, DirectPermission[]>;
  /** Folders whose permissions the drive does not show. */
  unreadable: ReadonlySet<string>;
  /** Remembered ids that exist below other folders. */
  elsewhere: ReadonlySet<string>;
}

/** People in one invitation. */
const INVITED_AT_ONCE = 20;

/** Replaces what the drive forbids in names. */
export function folderName({ id, name }: { id: number; name: string }): string {
  const allowed = name
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replace(/[\\<>+?:"|/*\u0000-\u001f\u007f]/g, '_')
    .replace(/_vti_/gi, '-vti-')
    .trim()
    .replace(/^~/, '_');
  return shortened(allowed, ` (${id})`);
}

const roleOf = (rights: ReadonlySet<FileRight>): DriveRole | undefined =>
  rights.has('write') ? 'write' : rights.has('read') ? 'read' : undefined;

/** The drive ignores case in names. */
const lowerCase = (name: string): string => name.toLowerCase();

export function planFolders(wanted: Wanted, found: FoundDrive): FolderPlan {
  const decided = decideFolders(wanted, found, ({ isOurs }) => isOurs, lowerCase);
  const { unknown } = wanted;
  const restrict: FolderStep[] = [];
  const grow = decided.naming;

  for (const { key, name, rights } of decided.missing)
    grow.push(
      { kind: 'create', key, name },
      ...changing({ key, id: null, name }, inviting(rights, unknown)),
    );

  for (const { folder, own } of decided.kept) {
    const { key, rights } = folder;
    const { id, name } = own;
    if (found.unreadable.has(id)) decided.plan.problems.push({ key, message: problems.unreadable });
    const direct = found.permissions.get(id);
    if (!direct) continue;
    const { less, more } = differences(rights, direct, unknown);
    restrict.push(...changing({ key, id, name }, less));
    grow.push(...changing({ key, id, name }, more));
  }

  for (const { id, name } of decided.strangers) {
    const direct = found.permissions.get(id) ?? [];
    const { less } = differences(new Map(), direct, unknown);
    restrict.push(...changing({ id, name }, less));
  }
  return {
    ...decided.plan,
    hidden: decided.plan.hidden.filter((id) => !found.unreadable.has(id)),
    phases: [restrict, decided.deletions, grow],
  };
}

/** What people lose, and what they get. */
function differences(
  rights: Rights,
  direct: readonly DirectPermission[],
  unknown: ReadonlySet<string>,
): { less: PermissionChange[]; more: PermissionChange[] } {
  const less: PermissionChange[] = [];
  const more: PermissionChange[] = [];
  const missing = new Map(rights);
  for (const { id: permission, person, role } of direct) {
    const held = person === null ? undefined : roleOf(missing.get(person) ?? new Set());
    // A second permission of a person is not wanted either.
    if (person === null || held === undefined) less.push({ kind: 'revoke', permission });
    else if (held !== role)
      (held === 'read' ? less : more).push({ kind: 'change_role', permission, role: held });
    if (person !== null) missing.delete(person);
  }
  more.push(...inviting(missing, unknown));
  return { less, more };
}

function inviting(rights: Rights, unknown: ReadonlySet<string>): PermissionChange[] {
  return (['read', 'write'] as const).flatMap((role) => {
    const people = [...rights].flatMap(([person, held]) =>
      roleOf(held) === role && !unknown.has(person) ? [person] : [],
    );
    return inParts(people.sort(), INVITED_AT_ONCE).map((some): PermissionChange => ({
      kind: 'invite',
      role,
      people: some,
    }));
  });
}

/** One step for all changes that the drive takes in one call. */
const changing = (
  folder: { key?: number; id: string | null; name: string },
  changes: readonly PermissionChange[],
): FolderStep[] =>
  inParts(changes, MOST_IN_BATCH).map((some) => ({
    kind: 'change_permissions',
    ...folder,
    changes: some,
  }));
