/** Decides which folder a project keeps, and which folders are nobody's. All types of storage do it alike. */
import {
  problems,
  type FolderPlan,
  type FolderStep,
  type Wanted,
  type WantedFolder,
} from './managed-folders.js';

interface Entry {
  id: string;
  name: string;
  isFolder: boolean;
}

interface FoundEntries<E extends Entry> {
  /** Where the folders of projects are kept. */
  entries: readonly E[];
  /** Remembered ids that exist in other places. */
  elsewhere: ReadonlySet<string>;
}

interface Decisions<E extends Entry> {
  /** Without phases. */
  plan: FolderPlan;
  /** No such folder exists. */
  missing: WantedFolder[];
  /** `name` is the name after the steps. */
  kept: { folder: WantedFolder; own: E; name: string }[];
  /** No project has them. Only the service may read them. */
  strangers: E[];
  /** Steps that take over and rename kept folders. */
  naming: FolderStep[];
  /** Steps that delete what administrators want to be deleted. */
  deletions: FolderStep[];
}

/** @param keyOf gives the same text for names that the storage takes for equal */
export function decideFolders<E extends Entry>(
  { folders, unwanted, foreign }: Wanted,
  { entries, elsewhere }: FoundEntries<E>,
  isOurs: (entry: E) => boolean,
  keyOf = (name: string): string => name,
): Decisions<E> {
  const plan: FolderPlan = { phases: [], problems: [], unexpected: [], hidden: [], foreign: [] };
  const decisions: Decisions<E> = {
    plan,
    missing: [],
    kept: [],
    strangers: [],
    naming: [],
    deletions: [],
  };
  const byId = new Map(entries.map((one) => [one.id, one]));
  // What is deleted first leaves its name free.
  const staying = entries.filter(({ id }) => !unwanted.includes(id));
  const byName = new Map(staying.map((one) => [keyOf(one.name), one]));
  const shared = sharedKeys(folders);
  const ids = new Set(folders.flatMap(({ id }) => id ?? []));

  /** A folder that nobody remembers is taken over only if the service made it. */
  const mayAdopt = ({ making }: WantedFolder, other: E): boolean =>
    other.isFolder &&
    !ids.has(other.id) &&
    !foreign.has(other.id) &&
    (making === other.name || isOurs(other));

  for (const folder of folders) {
    const { key, name, id, making } = folder;
    const own = id === null ? undefined : byId.get(id);
    // The project may have another name since the service began to make the folder.
    const begun = making === null ? undefined : byName.get(keyOf(making));
    const other = byName.get(keyOf(name)) ?? begun;
    if (shared.has(key)) plan.problems.push({ key, message: problems.shared });
    else if (own) keep(folder, own);
    else if (id !== null && elsewhere.has(id))
      plan.problems.push({ key, message: problems.movedAway });
    else if (!other) decisions.missing.push(folder);
    else if (mayAdopt(folder, other)) {
      ids.add(other.id);
      decisions.naming.push({ kind: 'adopt', key, id: other.id, name: other.name });
      keep(folder, other);
    } else plan.problems.push({ key, message: problems.taken(name) });
  }

  function keep(folder: WantedFolder, own: E): void {
    const { key, name } = folder;
    const other = byName.get(keyOf(name));
    const isTaken = other !== undefined && other.id !== own.id;
    if (isTaken) plan.problems.push({ key, message: problems.taken(name) });
    else if (own.name !== name)
      decisions.naming.push({ kind: 'rename', key, id: own.id, from: own.name, to: name });
    decisions.kept.push({ folder, own, name: isTaken ? own.name : name });
  }

  for (const entry of entries) {
    const { id, name } = entry;
    if (ids.has(id)) continue;
    if (unwanted.includes(id)) {
      decisions.deletions.push({ kind: 'delete', id, name });
      continue;
    }
    plan.unexpected.push(name);
    if (!entry.isFolder) continue;
    plan.hidden.push(id);
    if (foreign.has(id) || !isOurs(entry)) plan.foreign.push(id);
    decisions.strangers.push(entry);
  }
  return decisions;
}

/** Keys of wanted folders that remember the same id as another one. */
function sharedKeys(folders: readonly WantedFolder[]): Set<number> {
  const byId = new Map<string, number[]>();
  for (const { id, key } of folders) if (id !== null) byId.set(id, [...(byId.get(id) ?? []), key]);
  return new Set([...byId.values()].filter((keys) => keys.length > 1).flat());
}
