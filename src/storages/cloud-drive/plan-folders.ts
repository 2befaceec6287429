/** Plans how the folders of projects in a drive get in step. Pure: it reads and changes nothing. */
import {
  problems,
  sharedKeys,
  shortened,
  type DriveRole,
  type FileRight,
  type FolderPlan,
  type FolderStep,
  type Rights,
  type Wanted,
  type WantedFolder,
} from '../managed-folders.js';

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
  /** Remembered ids that exist below other folders. */
  elsewhere: ReadonlySet<string>;
}

const MOST_BYTES = 250;
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
  return shortened(allowed, ` (${id})`, MOST_BYTES);
}

const roleOf = (rights: ReadonlySet<FileRight>): DriveRole | undefined =>
  rights.has('write') ? 'write' : rights.has('read') ? 'read' : undefined;

/** The drive ignores case in names. */
const folded = (name: string): string => name.toLowerCase();

export function planFolders({ folders, unwanted, foreign }: Wanted, found: FoundDrive): FolderPlan {
  const plan: FolderPlan = { phases: [], problems: [], unexpected: [], hidden: [], foreign: [] };
  const byId = new Map(found.entries.map((one) => [one.id, one]));
  const byName = new Map(found.entries.map((one) => [folded(one.name), one]));
  const shared = sharedKeys(folders);
  const named = new Set(folders.flatMap(({ id }) => id ?? []));
  const restrict: FolderStep[] = [];
  const grow: FolderStep[] = [];

  /** A folder with the right name that nobody remembers is taken over only if the service made it. */
  const mayAdopt = ({ making, name }: WantedFolder, other: DriveEntry): boolean =>
    other.isFolder &&
    !named.has(other.id) &&
    !foreign.has(other.id) &&
    (making === name || other.isOurs);

  for (const folder of folders) {
    const { key, name, id, rights } = folder;
    if (shared.has(key)) {
      plan.problems.push({ key, message: problems.shared });
      continue;
    }
    const own = id === null ? undefined : byId.get(id);
    if (own) keep(folder, own);
    else if (id !== null && found.elsewhere.has(id))
      plan.problems.push({ key, message: problems.movedAway });
    else {
      const other = byName.get(folded(name));
      if (!other)
        grow.push({ kind: 'create', key, name }, ...invitations(folder, null, name, rights));
      else if (mayAdopt(folder, other)) {
        named.add(other.id);
        grow.push({ kind: 'adopt', key, id: other.id, name: other.name });
        keep(folder, other);
      } else plan.problems.push({ key, message: problems.taken(name) });
    }
  }

  function keep(folder: WantedFolder, own: DriveEntry): void {
    const { key, name } = folder;
    const other = byName.get(folded(name));
    if (own.name !== name && other && other.id !== own.id)
      plan.problems.push({ key, message: problems.taken(name) });
    else if (own.name !== name)
      grow.push({ kind: 'rename', key, id: own.id, from: own.name, to: name });
    const direct = found.permissions.get(own.id);
    if (!direct) return;
    const missing = new Map(folder.rights);
    for (const { id: permission, person, role } of direct) {
      const at = { key, id: own.id, name: own.name, permission };
      const wanted = person === null ? undefined : roleOf(missing.get(person) ?? new Set());
      // A second permission of a person is not wanted either.
      if (person === null || wanted === undefined) restrict.push({ kind: 'revoke', ...at });
      else if (wanted !== role)
        (wanted === 'read' ? restrict : grow).push({ kind: 'change_role', ...at, role: wanted });
      if (person !== null) missing.delete(person);
    }
    grow.push(...invitations(folder, own.id, own.name, missing));
  }

  const gone: FolderStep[] = [];
  for (const { id, name, isFolder, isOurs } of found.entries) {
    if (named.has(id)) continue;
    if (unwanted.includes(id)) {
      gone.push({ kind: 'delete', id, name });
      continue;
    }
    plan.unexpected.push(name);
    if (!isFolder) continue;
    plan.hidden.push(id);
    if (!isOurs) plan.foreign.push(id);
    for (const { id: permission } of found.permissions.get(id) ?? [])
      restrict.push({ kind: 'revoke', id, name, permission });
  }
  plan.phases = [restrict, gone, grow];
  return plan;
}

function invitations(
  { key }: WantedFolder,
  id: string | null,
  name: string,
  rights: Rights,
): FolderStep[] {
  const steps: FolderStep[] = [];
  for (const role of ['read', 'write'] as const) {
    const people = [...rights].flatMap(([person, held]) => (roleOf(held) === role ? [person] : []));
    people.sort();
    for (let from = 0; from < people.length; from += INVITED_AT_ONCE)
      steps.push({
        kind: 'invite',
        key,
        id,
        name,
        role,
        people: people.slice(from, from + INVITED_AT_ONCE),
      });
  }
  return steps;
}
