/** Starts the OAuth 2 authorization of a user at a storage. */
import { storeAttempt } from '../../../auth/connections/attempts.js';
import { begin } from '../../../auth/connections/grants.js';
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { OAuthClientCredentials } from '../../../models/oauth-client-credentials.js';
import { AuthenticationMethod, AuthorizationState, type Storage } from '../../../models/storage.js';
import { visible } from '../../../policies/visible.js';
import { connectionTo } from '../access/authorization-state.js';
import { hasAddress } from '../access/is-configured.js';
import { ConnectionRefused } from './connection-refused.js';
import { oauthClientOf } from '../access/reach-storage.js';
import { demandTypeEnabled } from '../access/switched-off.js';

interface ConnectRequest {
  sessionId: number;
  clientId: string;
  /** Needed if several storages have the same client id. */
  storageId?: number | undefined;
  /** Where the browser goes afterwards. */
  destination?: string | undefined;
}

/**
 * @returns the address to send the browser to: the destination if the user is connected already
 * @throws NotFound, MissingEnterpriseToken, ConnectionRefused
 */
export async function beginConnection(
  context: Context,
  { sessionId, clientId, storageId, destination }: ConnectRequest,
): Promise<string> {
  const { storage, credentials } = await findConnectable(context, clientId, storageId);
  demandTypeEnabled(context, storage.type);
  const home = ownAddress(context, destination);
  const { state: connected, problem, reason } = await connectionTo(context, storage);
  if (connected === AuthorizationState.CONNECTED) return home;
  // The storage would ask for a consent that cannot be used.
  if (problem !== undefined) {
    const detail = reason ?? '';
    throw new ConnectionRefused(detail, { why: 'storage', detail, fault: true });
  }
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

async function findConnectable(
  context: Context,
  clientId: string,
  storageId: number | undefined,
): Promise<{ storage: Storage; credentials: OAuthClientCredentials }> {
  const { user, db } = context;
  const candidates = await OAuthClientCredentials.query(db.read)
    .where('client_id', clientId)
    .orderBy('id');
  const ids = candidates
    .map((one) => one.storageId)
    .filter((id) => storageId === undefined || id === storageId);
  const [storage] = await visible
    .storages(user, db.read)
    .whereIn('storages.id', ids)
    .orderBy('storages.id')
    .limit(1);
  const credentials = candidates.find((one) => one.storageId === storage?.id);
  if (
    !storage ||
    !credentials ||
    storage.authenticationMethod === AuthenticationMethod.OAUTH2_SSO ||
    !hasAddress(storage)
  )
    throw new NotFound();
  return { storage, credentials };
}

/** The redirect address that is registered at the storage. */
export const callbackOf = ({ base }: Context, clientId: string): string =>
  `${base.url}/oauth_clients/${encodeURIComponent(clientId)}/callback`;

/**
 * @returns the destination if it is an address of this service, else the start page.
 * Otherwise a crafted link could redirect users to any site (an open redirect).
 */
function ownAddress({ base }: Context, destination: string | undefined): string {
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
