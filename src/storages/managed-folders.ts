/**
 * Defines how a type of storage keeps the folders of projects: it reads what there is, plans the
 * steps that are missing, and performs them. Planning is a pure function.
 */
import type { Access, Target } from './access.js';
import { StorageFailure } from './failure.js';

export const fileRights = ['read', 'write', 'create', 'delete', 'share'] as const;
export type FileRight = (typeof fileRights)[number];
/** By the id of the person at the storage. A person without a right is absent. */
export type Rights = ReadonlyMap<string, ReadonlySet<FileRight>>;

/** The folder that a project shall have. */
export interface WantedFolder {
  /** Identifies it for the caller. */
  key: number;
  /** As `nameOf` gives it. */
  name: string;
  /** The id that is remembered. Null: none is known. */
  id: string | null;
  /** Name under which the service began to make it, if the outcome of that is unknown. */
  making: string | null;
  rights: Rights;
}

export interface Wanted {
  folders: readonly WantedFolder[];
  /** Ids of folders that the service did not make. They are never taken over. */
  foreign: ReadonlySet<string>;
  /** Ids of folders that administrators want to be deleted. */
  unwanted: readonly string[];
  /** Ids whose rights need not be read again: nothing changed since they were set. */
  settled: ReadonlySet<string>;
  /** People whom the storage did not know. Their rights are neither added nor removed. */
  unknown: ReadonlySet<string>;
}

/** For a storage with which nothing shall be done. */
export const NOTHING_WANTED: Wanted = {
  folders: [],
  foreign: new Set(),
  unwanted: [],
  settled: new Set(),
  unknown: new Set(),
};

/** One call to the storage, except `adopt`, which is none, and `stage`, which is two. */
export type FolderStep = {
  /** The wanted folder that it serves. Absent: none. */
  key?: number;
  /** Until it succeeds, whoever joins the group can read the folder. If it fails, nobody joins. */
  exposed?: true;
} & (
  | { kind: 'adopt'; id: string; name: string }
  /** Makes the hidden folder in which new folders get their rights. `serves`: their keys. */
  | { kind: 'stage'; serves: readonly number[] }
  | { kind: 'create'; key: number; name: string }
  | { kind: 'rename'; id: string; from: string; to: string }
  /** `name` is the present name. `rights` are all that the folder has afterwards. */
  | { kind: 'set_rights'; name: string; rights: Rights; isStaged?: true }
  /** Moves a new folder from where nobody sees it. `from` is its name there. */
  | { kind: 'place'; from: string; name: string }
  | { kind: 'hide'; id: string; name: string }
  | { kind: 'open_top' }
  /** The id is null for a folder that an earlier step creates. */
  | { kind: 'change_permissions'; id: string | null; name: string; changes: PermissionChange[] }
  /** `serves`: keys of the folders in which the person has rights. They need the group. */
  | { kind: 'join'; person: string; serves: readonly number[] }
  | { kind: 'leave'; person: string }
  | { kind: 'delete'; id: string; name: string }
);
/** Of the permissions of one folder. */
export type PermissionChange =
  | { kind: 'invite'; role: DriveRole; people: string[] }
  | { kind: 'change_role'; permission: string; role: DriveRole }
  | { kind: 'revoke'; permission: string };
export type DriveRole = 'read' | 'write';

export interface FolderPlan {
  /**
   * Each phase begins when the one before has ended. Steps of a phase with the same `key` run one
   * after the other, and end with the first that fails. Steps that only take away come first.
   */
  phases: FolderStep[][];
  /** Folders that cannot be kept, and what to do. */
  problems: { key: number; message: string }[];
  /** Names of folders that no project has. */
  unexpected: string[];
  /** Ids of these folders. Nobody but the service can read them after the steps. */
  hidden: string[];
  /** Those of them that the service did not make. */
  foreign: string[];
}

/** The storage refuses people, not the folder. The message says whom and why. */
export class PeopleRefused extends Error {
  constructor(
    readonly people: readonly string[],
    message: string,
  ) {
    super(message);
    this.name = 'PeopleRefused';
  }
}

/** The storage does not let the service manage the group. The message says what to do. */
export class GroupRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'GroupRefused';
  }
}

/** The storage cannot keep folders now. The message says what to do. */
export class FoldersUnavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FoldersUnavailable';
  }
}

export interface ManagedFolders {
  /** Signs in with the application password. Absent: the service uses its own token. */
  access?(target: Target, password: string): Access;
  /** The name of a project's folder. It always ends with the id in brackets. */
  nameOf(project: { id: number; name: string }): string;
  /** Reads everything that `plan` needs. @throws FoldersUnavailable, StorageFailure */
  read(access: Access, wanted: Wanted): Promise<Found>;
  /** Pure: the same input gives the same plan. */
  plan(wanted: Wanted, found: Found): FolderPlan;
  /**
   * Performs one step.
   * @param idOf the id of the folder of a key that an earlier step created or adopted
   * @returns the id of the folder after `create` and `adopt`
   * @throws PeopleRefused, StorageFailure
   */
  perform(
    access: Access,
    step: FolderStep,
    idOf: (key: number) => string | undefined,
  ): Promise<string | undefined>;
}

/** Calls the storage for what must be there. @throws FoldersUnavailable with the message for 404 */
export async function demandThere<T>(answer: Promise<T>, message: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof StorageFailure && error.kind === 'notFound')
      throw new FoldersUnavailable(message);
    throw error;
  }
}

declare const found: unique symbol;
/** What a storage has. Only the type of storage knows its form. */
interface Found {
  readonly [found]?: never;
}

/** Hides the form of `Found` of one type of storage. */
export const managedFolders = <F extends object>(
  folders: Omit<ManagedFolders, 'read' | 'plan'> & {
    read(access: Access, wanted: Wanted): Promise<F>;
    plan(wanted: Wanted, found: F): FolderPlan;
  },
): ManagedFolders => folders;

/** Messages about folders that both types of storage give. */
export const problems = {
  shared: 'Another project names the same folder. Choose automatic again for one of them.',
  taken: (name: string) =>
    `The storage has another folder with the name ${JSON.stringify(name)}. Rename it there.`,
  unreadable:
    'The storage does not show who has rights in the folder. ' +
    'Check the rights of the service there.',
  movedAway:
    'The folder was moved to another place in the storage. Move it back. ' +
    'Or delete it there, then the service makes a new one.',
} as const;

/** Bytes of UTF-8. Most file systems take a few more. */
const MOST_BYTES = 250;

/** Shortens a name so that it fits with its ending. */
export function shortened(name: string, ending: string): string {
  const room = MOST_BYTES - Buffer.byteLength(ending);
  let bytes = 0;
  let kept = '';
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > room) break;
    kept += character;
  }
  return `${kept.trimEnd()}${ending}`;
}

const MOST_NAMED = 10;

/** A list of names for a message. */
export function quotedNames(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => JSON.stringify(name));
  const more = names.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
