import type { Access, FileInfo } from '../adapter.js';
import { itemAt } from './address.js';
import { get } from './client.js';
import { FIELDS, fileInfo } from './item.js';

export const file = async (access: Access, id: string): Promise<FileInfo> => fileInfo(await get(access, `${itemAt(access, id)}?$select=${FIELDS}`));
