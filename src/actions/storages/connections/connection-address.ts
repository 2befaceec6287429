/** Builds the addresses at which a browser connects its user to a storage. */
import type { Context } from '../../../context.js';
import type { OAuthClientCredentials } from '../../../models/oauth-client-credentials.js';
import type { ProjectStorage } from '../../../models/project-storage.js';
import { AuthenticationMethod, AuthorizationState, type Storage } from '../../../models/storage.js';
import { authorizationStates } from '../access/authorization-state.js';
import { hasAddress, isConfigured } from '../access/is-configured.js';
import { isSwitchedOff } from '../access/switched-off.js';

/**
 * Asks the storage whether the caller is connected.
 * @returns an absolute address; null if the caller is connected, or cannot connect
 */
export async function connectionAddress(
  context: Context,
  storage: Storage,
): Promise<string | null> {
  if (!isConnectable(storage)) return null;
  const [{ state }, credentials] = await Promise.all([
    context.once(authorizationStates).load(storage),
    context.loaders.clientCredentials.load(storage.id),
  ]);
  return credentials && state === AuthorizationState.FAILED_AUTHORIZATION
    ? context.base.url + connectionPath(credentials, { storage_id: String(storage.id) })
    : null;
}

/**
 * The address also opens the project's folder once the user is connected. With single sign-on, it
 * is the page that opens the folder, because there is nothing to connect. No storage is asked.
 * @returns a path; null if the storage is not configured, or is switched off
 */
export async function openWithConnectionPath(
  context: Context,
  projectStorage: ProjectStorage,
): Promise<string | null> {
  const { loaders, base } = context;
  const { storageId } = projectStorage;
  const [credentials, storage, page] = await Promise.all([
    loaders.clientCredentials.load(storageId),
    loaders.storages.load(storageId),
    openingPage(context, projectStorage),
  ]);
  if (!storage || isSwitchedOff(context, storage.type)) return null;
  if (usesSingleSignOn(storage)) return (await isConfigured(context, storage)) ? page : null;
  if (!credentials || !hasAddress(storage)) return null;
  return connectionPath(credentials, {
    destination_url: base.url + page,
    storage_id: String(storageId),
  });
}

/** The path of the page that connects the user and then opens the project's folder. */
export async function openingPage(
  { loaders }: Context,
  { id, projectId }: ProjectStorage,
): Promise<string> {
  const { identifier } = await loaders.projects.load(projectId);
  return `/projects/${encodeURIComponent(identifier)}/project_storages/${id}/open`;
}

/** With single sign-on, users need no connection. */
export const isConnectable = (storage: Storage): boolean =>
  !usesSingleSignOn(storage) && hasAddress(storage);

const usesSingleSignOn = ({ authenticationMethod }: Storage): boolean =>
  authenticationMethod === AuthenticationMethod.OAUTH2_SSO;

const connectionPath = (
  { clientId }: OAuthClientCredentials,
  query: { [name: string]: string },
): string =>
  `/oauth_clients/${encodeURIComponent(clientId)}/ensure_connection?` +
  new URLSearchParams(query).toString();
