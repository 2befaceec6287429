/** Addresses at this service that need no credentials for some minutes. */
import type { Context, Services } from '../../../context.js';
import { MissingPermission } from '../../../contract/errors.js';
import type { TemporaryAddress } from '../../../models/temporary-address.js';
import { User } from '../../../models/user.js';
import { SealBroken } from '../../../secrets/keyring.js';

/** What an address is for, and nothing else. */
export interface Target {
  what: 'archive' | 'file' | 'picture';
  of: string;
}

const purposeOf = ({ what, of }: Target) => `${what} of ${of}`;

/** When an address ends that is made now. */
export const expiryOf = ({ clock, settings }: Context): Date =>
  new Date(clock().getTime() + settings.downloadUrlSeconds * 1000);

/** @param path below `/api/v3` */
export function temporaryAddress(
  context: Context,
  path: string,
  target: Target,
  query: { [name: string]: string },
): TemporaryAddress {
  const expires = expiryOf(context);
  const { keyring, user, base } = context;
  const access = keyring.seal(`${user.id} ${expires.getTime()}`, purposeOf(target));
  return {
    href: `${base.url}/api/v3${path}?${new URLSearchParams({ ...query, access }).toString()}`,
    expiresAt: expires.toISOString(),
  };
}

/**
 * The user for whom an address was made.
 * @throws MissingPermission if it is over, is for something else, or its user is locked
 */
export async function holderOf(
  { keyring, clock, db }: Services,
  access: string,
  target: Target,
): Promise<User> {
  const [id, expires] = opened(() => keyring.open(access, purposeOf(target))).split(' ');
  const user =
    Number(expires) > clock().getTime() &&
    (await User.query(db.read).findOne({ id: Number(id), status: 'active' }));
  if (!user)
    throw new MissingPermission(`The address of this ${target.what} is over. Ask for a new one.`);
  return user;
}

function opened(open: () => string): string {
  try {
    return open();
  } catch (error) {
    if (error instanceof SealBroken) return '';
    throw error;
  }
}
