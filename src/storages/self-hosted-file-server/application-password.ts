import type { Target } from '../adapter.js';
import { user } from './user.js';

/** The user that the companion app makes for the service; application passwords are this user's. */
const SERVICE_USER = 'OpenProject';

export const basic = (password: string): string =>
  `Basic ${Buffer.from(`${SERVICE_USER}:${password}`).toString('base64')}`;

/** @throws StorageFailure `unauthorized` where the password is wrong */
export async function checkPassword(target: Target, password: string): Promise<void> {
  await user({ ...target, authorization: basic(password) });
}
