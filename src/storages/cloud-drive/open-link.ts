/** Gets the browser address of a drive, or of a folder, from the drive. */
import type { Access, Target } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { itemAt } from './address.js';
import { drive, get } from './client.js';
import { webUrlOf } from './item.js';

/** Only the drive knows the address, so the result is a function that asks it. */
export const openLink =
  (_target: Target, folderId: string | undefined) =>
  async (access: Access): Promise<string> => {
    const path = folderId === undefined ? drive(access) : itemAt(access, folderId);
    const webUrl = webUrlOf(await get(access, `${path}?$select=webUrl`));
    if (webUrl === undefined)
      throw new StorageFailure('unexpected', 200, 'The storage did not say where it is browsed.');
    // The address is sent in a header, which must be ASCII: `href` is percent-encoded.
    return new URL(webUrl).href;
  };
