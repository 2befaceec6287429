/** Finds the address where people browse a storage or a folder of it. */
import type { Context } from '../../../context.js';
import type { ProjectStorage } from '../../../models/project-storage.js';
import type { Storage } from '../../../models/storage.js';
import { can } from '../../../policies/can.js';
import { adapterFor } from '../../../storages/index.js';
import { outboundError } from '../access/outbound-error.js';
import { reachStorage } from '../access/reach-storage.js';
import { targetOf } from '../access/storage-target.js';
import { demandTypeEnabled } from '../access/switched-off.js';

/**
 * @returns an absolute address
 * @throws MissingEnterpriseToken
 * @throws OutboundRequestFailed if the storage must be asked for the address and the request fails
 */
export async function openStorage(
  context: Context,
  storage: Storage,
  folderId?: string,
): Promise<string> {
  demandTypeEnabled(context, storage.type);
  const link = adapterFor(storage.type).openLink(targetOf(context, storage), folderId);
  if (typeof link === 'string') return link;
  try {
    return await reachStorage(context, storage, link);
  } catch (error) {
    throw outboundError(error);
  }
}

/** The folder that opens for the caller. Undefined: the storage itself. */
export async function folderToOpen(
  context: Context,
  projectStorage: ProjectStorage,
): Promise<string | undefined> {
  const mayOpen = await can.openProjectFolder(context, projectStorage);
  return (mayOpen ? projectStorage.projectFolderId : null) ?? undefined;
}
