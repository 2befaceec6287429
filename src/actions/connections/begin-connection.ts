/** Sends a browser to a storage to connect its user, unless that is done already (decisions 4). */
import { storeAttempt } from '../../auth/connections/attempts.js';
import { begin } from '../../auth/connections/grants.js';
import type { Context } from '../../context.js';
import { NotFound } from '../../contract/errors.js';
import { OAuthClientCredentials } from '../../models/oauth-client-credentials.js';
import { AuthenticationMethod, AuthorizationState, type Storage } from '../../models/storage.js';
import { visible } from '../../policies/visible.js';
import { authorizationState } from '../storage-access/authorization-state.js';
import { isAddressed } from '../storage-access/is-configured.js';
import { oauthClientOf } from '../storage-access/reach-storage.js';
import { demandType } from '../storage-access/switched-off.js';

export interface ConnectRequest {
  sessionId: number;
  clientId: string;
  /** Needed where several storages have the same client. */
  storageId?: number | undefined;
  /** Where the browser wants to go in the end. */
  destination?: string | undefined;
}

/** @returns where to send the browser. @throws NotFound, MissingEnterpriseToken */
export async function beginConnection(
  context: Context,
  { sessionId, clientId, storageId, destination }: ConnectRequest,
): Promise<string> {
  const { storage, credentials } = await connectable(context, clientId, storageId);
  demandType(context, storage.type);
  const home = ownAddress(context, destination);
  if ((await authorizationState(context, storage)) === AuthorizationState.Connected) return home;
  const { url, state, codeVerifier } = await begin(
    oauthClientOf(context, storage, credentials),
    callbackOf(context, clientId),
  );
  await storeAttempt(context, {
    state,
    codeVerifier,
    sessionId,
    storageId: storage.id,
    credentialsId: credentials.id,
    destination: home,
  });
  return url;
}

async function connectable(
  context: Context,
  clientId: string,
  storageId: number | undefined,
): Promise<{ storage: Storage; credentials: OAuthClientCredentials }> {
  const { user, db } = context;
  const known = await OAuthClientCredentials.query(db.read)
    .where('client_id', clientId)
    .orderBy('id');
  const ids = known
    .map((one) => one.storageId)
    .filter((id) => storageId === undefined || id === storageId);
  const [storage] = await visible
    .storages(user, db.read)
    .whereIn('storages.id', ids)
    .orderBy('storages.id')
    .limit(1);
  if (
    !storage ||
    storage.authenticationMethod === AuthenticationMethod.OAuth2SSO ||
    !isAddressed(storage)
  )
    throw new NotFound();
  return { storage, credentials: known.find((one) => one.storageId === storage.id)! };
}

/** The one address that the storage sends browsers back to. */
export const callbackOf = ({ base }: Context, clientId: string): string =>
  `${base.url}/oauth_clients/${encodeURIComponent(clientId)}/callback`;

/** An address of ours; anything else becomes our root, or we would send people wherever a link says. */
export function ownAddress({ base }: Context, destination: string | undefined): string {
  const root = `${base.url}/`;
  if (destination === undefined || !URL.canParse(destination, root)) return root;
  const url = new URL(destination, root);
  return url.origin === new URL(root).origin &&
    url.username === '' &&
    url.password === '' &&
    url.href.startsWith(new URL(root).href)
    ? url.href
    : root;
}
