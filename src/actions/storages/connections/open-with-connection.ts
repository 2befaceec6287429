/** Opens the folder of a project in a storage, after the user has connected to the storage. */
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { find } from '../../../policies/find.js';
import { storageOf } from '../links/open-file-link.js';
import { folderToOpen, openStorage } from '../settings/open-storage.js';
import { beginConnection } from './begin-connection.js';
import { isConnectable, openingPage } from './connection-address.js';

interface OpenRequest {
  sessionId: number;
  /** Path of the page, without its query. */
  path: string;
  projectStorageId: number | undefined;
}

/**
 * @returns the address to send the browser to: the folder; or the storage, which sends the browser
 * back to the page
 * @throws NotFound, MissingEnterpriseToken, OutboundRequestFailed
 */
export async function openWithConnection(
  context: Context,
  { sessionId, path, projectStorageId }: OpenRequest,
): Promise<string> {
  const projectStorage = await find.projectStorage(context, projectStorageId);
  // The path has the identifier of the project.
  if (!projectStorage || (await openingPage(context, projectStorage)) !== path)
    throw new NotFound();
  const storage = await storageOf(context, projectStorage);
  const credentials = await context.loaders.clientCredentials.load(storage.id);
  if (credentials && isConnectable(storage)) {
    const page = context.base.url + path;
    const next = await beginConnection(context, {
      sessionId,
      clientId: credentials.clientId,
      storageId: storage.id,
      destination: page,
    });
    if (next !== page) return next;
  }
  return openStorage(context, storage, await folderToOpen(context, projectStorage));
}
