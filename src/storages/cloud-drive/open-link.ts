import type { Access, Target } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { itemAt } from './address.js';
import { drive, get } from './client.js';
import { webUrlOf } from './item.js';

/** Only the drive knows its address in the browser. */
export const openLink =
  (_target: Target, folderId: string | undefined) =>
  async (access: Access): Promise<string> => {
    const webUrl = webUrlOf(
      await get(
        access,
        `${folderId === undefined ? drive(access) : itemAt(access, folderId)}?$select=webUrl`,
      ),
    );
    if (webUrl === undefined)
      throw new StorageFailure('unexpected', 200, 'The storage did not say where it is browsed.');
    // Headers take ASCII.
    return new URL(webUrl).href;
  };
