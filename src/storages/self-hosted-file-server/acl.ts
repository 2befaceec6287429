/** The access rules of folders in the team folder: who has which rights (nc:acl-list). */
import { fileRights, type FileRight, type Rights } from '../managed-folders.js';

/** The companion app makes a user, a group and a team folder with this name. */
export const SERVICE = 'OpenProject';

export interface AclEntry {
  type: string;
  id: string;
  mask: number;
  permissions: number;
}

/** A rule decides about all five rights. */
const ALL = 31;
const READ = 1;

const bits: { readonly [right in FileRight]: number } = {
  read: 1,
  write: 2,
  create: 4,
  delete: 8,
  share: 16,
};

const bitsOf = (rights: ReadonlySet<FileRight>): number =>
  fileRights.reduce((sum, right) => sum + (rights.has(right) ? bits[right] : 0), 0);

const entry = (type: string, id: string, permissions: number): AclEntry => ({
  type,
  id,
  mask: ALL,
  permissions,
});

/** The rules of the team folder itself: members of the group see the top, and nothing below. */
export const topAcl: readonly AclEntry[] = [
  entry('user', SERVICE, ALL),
  entry('group', SERVICE, READ),
];

/** The rules of a project's folder. Without rights, only the service reaches it. */
export const folderAcl = (rights: Rights): AclEntry[] => [
  entry('group', SERVICE, 0),
  entry('user', SERVICE, ALL),
  ...[...rights]
    .filter(([person]) => person !== SERVICE)
    .map(([person, held]) => entry('user', person, bitsOf(held)))
    .sort((a, b) => (a.id < b.id ? -1 : 1)),
];

const entryKey = ({ type, id }: AclEntry) => `${type}:${id}`;
const byKey = (entries: readonly AclEntry[]) => new Map(entries.map((one) => [entryKey(one), one]));

export const isSameAcl = (some: readonly AclEntry[], others: readonly AclEntry[]): boolean =>
  some.length === others.length && hasAll(others, some);

function hasAll(entries: readonly AclEntry[], wanted: readonly AclEntry[]): boolean {
  const known = byKey(entries);
  return wanted.every((one) => {
    const other = known.get(entryKey(one));
    return other?.mask === one.mask && other.permissions === one.permissions;
  });
}

/** Whether the service made these rules: it has every right, and its group none. */
export const isOurs = (entries: readonly AclEntry[]): boolean =>
  hasAll(entries, folderAcl(new Map()));

/** Whether everybody in the group can read the folder: no rule of the group forbids it. */
export const isExposed = (entries: readonly AclEntry[]): boolean =>
  !entries.some(
    ({ type, id, mask, permissions }) =>
      type === 'group' && id === SERVICE && (mask & READ) !== 0 && (permissions & READ) === 0,
  );

/** Whether somebody loses a right when `after` replaces `before`. */
export function takesAway(before: readonly AclEntry[], after: readonly AclEntry[]): boolean {
  const kept = byKey(after);
  if (isExposed(before)) return true;
  return before.some((one) => {
    const granted = one.permissions & one.mask;
    const other = kept.get(entryKey(one));
    return (granted & ~(other ? other.permissions & other.mask : 0)) !== 0;
  });
}
