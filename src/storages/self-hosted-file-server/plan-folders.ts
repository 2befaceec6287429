/** Plans how the folders of projects get in step. Pure: it reads and changes nothing. */
import {
  problems,
  sharedKeys,
  shortened,
  type FolderPlan,
  type FolderStep,
  type Wanted,
  type WantedFolder,
} from '../managed-folders.js';
import {
  folderAcl,
  isExposed,
  isOurs,
  isSameAcl,
  SERVICE,
  takesAway,
  topAcl,
  type AclEntry,
} from './acl.js';

export interface TeamFolderEntry {
  id: string;
  name: string;
  isFolder: boolean;
  acl: AclEntry[];
}

export interface FoundTeamFolder {
  topAcl: AclEntry[];
  /** Direct children of the team folder. */
  entries: TeamFolderEntry[];
  /** Members of the group, the service included. */
  members: string[];
  /** Remembered ids that exist outside the team folder. */
  elsewhere: ReadonlySet<string>;
}

/** Bytes of a name on the disk of the server, as most file systems limit it. */
const MOST_BYTES = 250;

/** Slashes become bars, characters that cannot be seen become underscores. */
export function folderName({ id, name }: { id: number; name: string }): string {
  const allowed = name
    .toWellFormed()
    .normalize('NFC')
    .replace(/[/\\]/g, '|')
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f]/g, '_')
    .trim();
  return shortened(allowed, ` (${id})`, MOST_BYTES);
}

const exposure = ({ acl }: Pick<TeamFolderEntry, 'acl'>): { exposed?: true } =>
  isExposed(acl) ? { exposed: true } : {};

export function planFolders(
  { folders, unwanted, foreign }: Wanted,
  found: FoundTeamFolder,
): FolderPlan {
  const plan: FolderPlan = { phases: [], problems: [], unexpected: [], hidden: [], foreign: [] };
  const byId = new Map(found.entries.map((one) => [one.id, one]));
  const byName = new Map(found.entries.map((one) => [one.name, one]));
  const shared = sharedKeys(folders);
  const named = new Set(folders.flatMap(({ id }) => id ?? []));
  const top: FolderStep[] = isSameAcl(found.topAcl, topAcl) ? [] : [{ kind: 'open_top' }];
  const restrict: FolderStep[] = [];
  const grow: FolderStep[] = [];

  /** A folder with the right name that nobody remembers is taken over only if the service made it. */
  const mayAdopt = ({ making, name }: WantedFolder, other: TeamFolderEntry): boolean =>
    other.isFolder &&
    !named.has(other.id) &&
    !foreign.has(other.id) &&
    (making === name || isOurs(other.acl));

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
      const other = byName.get(name);
      if (!other)
        grow.push({ kind: 'create', key, name }, { kind: 'set_rights', key, name, rights });
      else if (mayAdopt(folder, other)) {
        named.add(other.id);
        grow.push({ kind: 'adopt', key, id: other.id, name });
        keep(folder, other);
      } else plan.problems.push({ key, message: problems.taken(name) });
    }
  }

  function keep({ key, name, rights }: WantedFolder, own: TeamFolderEntry): void {
    const acl = folderAcl(rights);
    const isRenamed = own.name !== name;
    const isTaken = isRenamed && byName.has(name);
    if (isTaken) plan.problems.push({ key, message: problems.taken(name) });
    const step = (at: string): FolderStep => ({ kind: 'set_rights', key, name: at, rights });
    const isChanged = !isSameAcl(own.acl, acl);
    const isRestricted = isChanged && takesAway(own.acl, acl);
    if (isRestricted) restrict.push({ ...step(own.name), ...exposure(own) });
    if (isRenamed && !isTaken)
      grow.push({ kind: 'rename', key, id: own.id, from: own.name, to: name });
    if (isChanged && !isRestricted) grow.push(step(isTaken ? own.name : name));
  }

  const gone: FolderStep[] = [];
  for (const { id, name, acl, isFolder } of found.entries) {
    if (named.has(id)) continue;
    if (unwanted.includes(id)) {
      gone.push({ kind: 'delete', id, name });
      continue;
    }
    plan.unexpected.push(name);
    if (!isFolder) continue;
    plan.hidden.push(id);
    if (foreign.has(id) || !isOurs(acl)) plan.foreign.push(id);
    if (!isSameAcl(acl, folderAcl(new Map())))
      restrict.push({ kind: 'hide', id, name, ...exposure({ acl }) });
  }

  const people = new Set(folders.flatMap(({ rights }) => [...rights.keys()]));
  const inGroup = new Set(found.members);
  for (const person of found.members)
    if (person !== SERVICE && !people.has(person)) restrict.push({ kind: 'leave', person });
  const join = [...people]
    .filter((person) => person !== SERVICE && !inGroup.has(person))
    .map((person): FolderStep => ({ kind: 'join', person }));
  plan.phases = [top, restrict, gone, join, grow];
  return plan;
}
