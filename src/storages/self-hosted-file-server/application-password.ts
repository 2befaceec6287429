/** Signs in to the file server as the service, with an application password. */
import type { Target } from '../adapter.js';
import { user } from './user.js';

/** The companion app creates this user for the service. Application passwords belong to it. */
const SERVICE_USER = 'OpenProject';

export const basic = (password: string): string =>
  `Basic ${Buffer.from(`${SERVICE_USER}:${password}`).toString('base64')}`;

/** @throws StorageFailure `unauthorized` if the password is wrong */
export async function checkPassword(target: Target, password: string): Promise<void> {
  await user({ ...target, authorization: basic(password) });
}
