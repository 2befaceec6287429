/** Who may do what with an item, by its permissions and by those of the folders above it. */
import { randomUUID } from 'node:crypto';
import { Refusal } from './exchange.js';
import { isReadOnly, isVisible, pathTo, type Caller, type Item } from './items.js';
import type { Tenant } from './tenant.js';

/** As it is kept at an item. */
export interface Permission {
  id: string;
  /** Absent: a link for everybody who has it. */
  user?: string;
  roles: string[];
  /** From above the drive, or from a folder above the item. It cannot be removed. */
  inherited: boolean;
  /** Whoever has a link must still sign in, so it shows nobody an item. */
  link: boolean;
}

export type NewPermission = Pick<Permission, 'user' | 'roles'> &
  Partial<Pick<Permission, 'inherited' | 'link'>>;

const WRITING = ['write', 'owner'];
const SEEING = ['read', ...WRITING];

/** The root is open to all, who find there what they may see. */
export function sees(tenant: Tenant, caller: Caller, item: Item): boolean {
  if (caller === 'app') return true;
  if (!isVisible(item, caller.userId)) return false;
  return !tenant.onlyPermitted || !item.parent || holds(item, caller.userId, SEEING);
}

export function mayWrite(tenant: Tenant, caller: Caller, item: Item): boolean {
  if (caller === 'app') return true;
  if (isReadOnly(item, caller.userId)) return false;
  return !tenant.onlyPermitted || holds(item, caller.userId, WRITING);
}

const holds = (item: Item, userId: string, roles: string[]): boolean =>
  granted(item).some(
    ({ user, link, roles: own }) =>
      !link && user === userId && own.some((role) => roles.includes(role)),
  );

/** What was granted at the item and above it. */
const granted = (item: Item): Permission[] =>
  pathTo(item).flatMap((one) =>
    one === item
      ? one.permissions
      : one.permissions.map((permission) => ({ ...permission, inherited: true })),
  );

/** All permissions of an item. Without `onlyPermitted` everybody who sees it has one, too. */
export function permissionsOf(tenant: Tenant, item: Item): Permission[] {
  return [...(tenant.onlyPermitted ? [] : understood(tenant, item)), ...granted(item)];
}

function understood({ users }: Tenant, item: Item): Permission[] {
  const guarded = pathTo(item).findLast(({ visibleTo }) => visibleTo);
  return [...users.values()]
    .filter(({ id }) => !guarded || guarded.visibleTo!.has(id))
    .map(({ id, email }) => ({
      id: Buffer.from(`i:0#.f|membership|${email}`).toString('base64url'),
      user: id,
      roles: [item.readOnlyFor.has(id) ? 'read' : 'write'],
      inherited: guarded !== item,
      link: false,
    }));
}

/** A further permission; the one that is there when it says the same. */
export function grant(
  item: Item,
  { user, roles, inherited = false, link = false }: NewPermission,
): Permission {
  const same = item.permissions.find(
    (one) =>
      !link &&
      one.user === user &&
      one.inherited === inherited &&
      String(one.roles) === String(roles),
  );
  if (same) return same;
  const permission = {
    id: Buffer.from(randomUUID()).toString('base64url'),
    ...(user !== undefined && { user }),
    roles: [...roles],
    inherited,
    link,
  };
  item.permissions.push(permission);
  return permission;
}

/** Gives a permission other roles. @throws Refusal as `withdraw` */
export function amend(tenant: Tenant, item: Item, id: string, roles: string[]): Permission {
  const found = permissionsOf(tenant, item).find((one) => one.id === id);
  if (!found) throw new Refusal('nonsense');
  const own = item.permissions.find((one) => one.id === id);
  if (!own || own.inherited)
    throw new Refusal('invalid', 'A permission that is inherited cannot be changed here.');
  own.roles = [...roles];
  return own;
}

/** @throws Refusal for one that is not there, or that belongs to a folder above */
export function withdraw(tenant: Tenant, item: Item, id: string): void {
  const found = permissionsOf(tenant, item).find((one) => one.id === id);
  if (!found) throw new Refusal('nonsense');
  if (found.inherited)
    throw new Refusal('invalid', 'A permission that is inherited cannot be removed here.');
  const at = item.permissions.findIndex((one) => one.id === id);
  if (at !== -1) item.permissions.splice(at, 1);
  else item.visibleTo?.delete(found.user ?? '');
}
