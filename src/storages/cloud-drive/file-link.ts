import type { Access, Target } from '../adapter.js';
import { itemAt } from './address.js';
import { at, get } from './client.js';
import { openLink } from './open-link.js';

/** Only the drive knows their addresses in the browser; the root is where it is. */
export const fileLink =
  (target: Target, id: string, where: 'file' | 'location') =>
  async (access: Access): Promise<string> => {
    const item =
      where === 'file'
        ? undefined
        : await get(access, `${itemAt(access, id)}?$select=id,parentReference`);
    const folderId = at(item, 'parentReference', 'id');
    return openLink(target, typeof folderId === 'string' ? folderId : id)(access);
  };
