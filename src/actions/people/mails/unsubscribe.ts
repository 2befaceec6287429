/** Addresses that end e-mails about notifications, without a sign-in. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Services } from '../../../context.js';
import { User } from '../../../models/user.js';
import type { Keyring } from '../../../secrets/keyring.js';

export const UNSUBSCRIBE_PATH = '/unsubscribe';

/** It works as long as the key of the service, because people keep old e-mails. */
export const unsubscribeAddress = (
  { base, keyring }: Pick<Services, 'base' | 'keyring'>,
  userId: number,
): string => `${base.url}${UNSUBSCRIBE_PATH}?token=${userId}.${signature(keyring, userId)}`;

/** @returns the person, unless the token is wrong */
export async function personOfToken(
  { keyring, db }: Pick<Services, 'keyring' | 'db'>,
  token: unknown,
): Promise<User | undefined> {
  if (typeof token !== 'string') return undefined;
  const [, id, given] = /^(\d{1,10})\.([\w-]{43})$/.exec(token) ?? [];
  if (id === undefined || given === undefined) return undefined;
  const right = Buffer.from(signature(keyring, Number(id)));
  return timingSafeEqual(right, Buffer.from(given))
    ? User.query(db.read).findById(Number(id)).whereNotNull('email')
    : undefined;
}

const signature = (keyring: Keyring, userId: number): string =>
  createHmac('sha256', keyring.derived('unsubscribe')).update(String(userId)).digest('base64url');
