/** Plans how the folders of projects get in step. Pure: it reads and changes nothing. */
import { decideFolders } from '../decide-folders.js';
import {
  shortened,
  type FolderPlan,
  type FolderStep,
  type Rights,
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
  /** Direct children of the team folder, without the one for new folders. */
  entries: TeamFolderEntry[];
  /** The rules of the folder for new folders. Undefined: there is none. */
  stagingAcl: AclEntry[] | undefined;
  /** New folders that have no place yet. They are read if a project has no folder among `entries`. */
  staged: TeamFolderEntry[];
  /** Members of the group, the service included. */
  members: string[];
  /** Remembered ids that exist outside the team folder. */
  elsewhere: ReadonlySet<string>;
}

/** New folders are made in this hidden folder: below the top, the group could list them at once. */
export const STAGING = '.new project folders';

/** Slashes become bars, characters that cannot be seen become underscores. */
export function folderName({ id, name }: { id: number; name: string }): string {
  const allowed = name
    .toWellFormed()
    .normalize('NFC')
    .replace(/[/\\]/g, '|')
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f]/g, '_')
    .trim();
  return shortened(allowed, ` (${id})`);
}

const exposure = ({ acl }: Pick<TeamFolderEntry, 'acl'>): { exposed?: true } =>
  isExposed(acl) ? { exposed: true } : {};

export function planFolders(wanted: Wanted, found: FoundTeamFolder): FolderPlan {
  const decided = decideFolders(wanted, found, ({ acl }) => isOurs(acl));
  /** A rule for an unknown person would be lost. */
  const known = (rights: Rights): Rights =>
    new Map([...rights].filter(([person]) => !wanted.unknown.has(person)));
  const top: FolderStep[] = isSameAcl(found.topAcl, topAcl) ? [] : [{ kind: 'open_top' }];
  const restrict: FolderStep[] = [];
  const grow = decided.naming;

  const created: number[] = [];
  for (const folder of decided.missing) {
    const { key, name, rights } = folder;
    const begun = stagedOf(folder, wanted, found);
    const from = begun?.name ?? name;
    if (!begun) {
      created.push(key);
      grow.push({ kind: 'create', key, name });
    } else if (begun.id !== folder.id) grow.push({ kind: 'adopt', key, id: begun.id, name: from });
    if (!begun || !isSameAcl(begun.acl, folderAcl(known(rights))))
      grow.push({ kind: 'set_rights', key, name: from, rights: known(rights), isStaged: true });
    grow.push({ kind: 'place', key, from, name });
  }
  const stage: FolderStep[] =
    created.length === 0 || isHidden(found.stagingAcl) ? [] : [{ kind: 'stage', serves: created }];

  for (const { folder, own, name } of decided.kept) {
    const { key } = folder;
    const rights = known(folder.rights);
    const acl = folderAcl(rights);
    if (isSameAcl(own.acl, acl)) continue;
    if (takesAway(own.acl, acl))
      restrict.push({ kind: 'set_rights', key, name: own.name, rights, ...exposure(own) });
    else grow.push({ kind: 'set_rights', key, name, rights });
  }

  for (const { id, name, acl } of decided.strangers)
    if (!isHidden(acl)) restrict.push({ kind: 'hide', id, name, ...exposure({ acl }) });

  const people = new Map<string, number[]>();
  for (const { key, rights } of wanted.folders)
    for (const person of known(rights).keys())
      people.set(person, [...(people.get(person) ?? []), key]);
  for (const { id, name } of found.staged)
    if (wanted.unwanted.includes(id))
      decided.deletions.push({ kind: 'delete', id, name: `${STAGING}/${name}` });

  const inGroup = new Set(found.members);
  for (const person of found.members)
    if (person !== SERVICE && !people.has(person)) restrict.push({ kind: 'leave', person });
  const join = [...people]
    .filter(([person]) => person !== SERVICE && !inGroup.has(person))
    .map(([person, serves]): FolderStep => ({ kind: 'join', person, serves }));
  return { ...decided.plan, phases: [top, restrict, decided.deletions, join, stage, grow] };
}

const isHidden = (acl: readonly AclEntry[] | undefined): boolean =>
  acl !== undefined && isSameAcl(acl, folderAcl(new Map()));

/** The folder that an interrupted synchronisation began to make. */
const stagedOf = (
  { id, name, making }: WantedFolder,
  { folders }: Wanted,
  { staged }: FoundTeamFolder,
): TeamFolderEntry | undefined =>
  staged.find((one) => one.id === id) ??
  staged.find(
    (one) =>
      one.isFolder &&
      (one.name === name || one.name === making) &&
      !folders.some((other) => other.id === one.id),
  );
