/** Gets the browser address of a file, or of its folder, from the drive. */
import type { Access, Target } from '../adapter.js';
import { at } from '../json.js';
import { itemAt } from './address.js';
import { get } from './client.js';
import { openLink } from './open-link.js';

/** The root has no folder above: its own address is used. */
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
