/** `moorage setup` */
import { anotherSetupLink } from '../../actions/people/directory/first-administrator.js';
import { readConfig } from '../../config.js';
import type { Run } from '../command.js';
import { print } from '../output.js';
import { addressOf } from '../own-address.js';
import { byCommand, withServices } from '../services.js';

export const setupCommand: Run = async ({ json }) => {
  const addressFor = (path: string) => addressOf(readConfig(process.env), path);
  // No earlier link ends if this one could not be printed.
  addressFor('');
  await withServices(async (services) => {
    const { path, expiresAt } = await anotherSetupLink(byCommand(services));
    const url = addressFor(path);
    print(json, { url, expiresAt }, () => url);
  });
};
