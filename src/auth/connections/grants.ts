/** Requests tokens of a storage's authorization server, through our own HTTP client. */
import * as oauth from 'openid-client';
import { OutboundFailure } from '../../outbound/failure.js';
import type { Outbound } from '../../outbound/client.js';
import type { Deadline } from '../../outbound/deadline.js';
import { isStorableText } from '../../contract/text-rules.js';
import type { Tokens as Granted } from '../token-rotation.js';
import { tokensOf, type Pauses } from './pauses.js';

/** The authorization server of a storage, as its adapter describes it. */
export interface Server {
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  scope: string | undefined;
  pkce: boolean;
  /** Whether an error answer to a refresh says that the refresh token is no longer valid. */
  refuses(status: number, error: string | undefined): boolean;
}

/** A server, our client there, and how to reach it. */
interface GrantOptions {
  server: Server;
  client: { id: string; secret: string };
  outbound: Outbound;
  /** The name of the circuit breaker and of the metrics. */
  target: string;
  deadline: Deadline;
  pauses: Pauses;
  storageId: number;
  /** Whose tokens they are: the id of a user, or `SERVICE`. */
  person: number;
}

export interface Tokens extends Granted {
  /** The user's id at the storage; null when the server does not send it with the tokens. */
  userId: string | null;
}

/** A definite refusal: the same request would be refused again. */
export class StorageGrantRefused extends Error {
  /** @param error the code of the answer, such as `invalid_grant` */
  constructor(readonly error: string) {
    super(`The authorization server refuses the grant (${error}).`);
    this.name = 'StorageGrantRefused';
  }
}

/** The server refuses this service as its client. It says nothing about the tokens of users. */
export class StorageClientRefused extends Error {
  constructor() {
    super(
      'The storage refuses this service as its client. Connecting again does not help. ' +
        'An administrator must correct the client credentials of the storage.',
    );
    this.name = 'StorageClientRefused';
  }
}

/** The server was not reached, or its error may be temporary. */
export class GrantFailed extends Error {
  constructor(detail: string) {
    super(`The authorization server did not answer as it should: ${detail}`);
    this.name = 'GrantFailed';
  }
}

/** The refresh token is valid, but the person must first give a second factor or a consent. */
export class InteractionRequired extends GrantFailed {}

/** The error codes of `InteractionRequired` (OpenID Connect Core 1.0 section 3.1.2.6). */
const INTERACTION_CODES: ReadonlySet<string> = new Set([
  'interaction_required',
  'login_required',
  'account_selection_required',
  'consent_required',
]);

interface StartedAuthorization {
  /** Where to send the browser. */
  url: string;
  state: string;
  codeVerifier: string;
}

/** Begins an authorization code flow (RFC 6749 section 4.1). */
export async function begin(
  { server, client }: Pick<GrantOptions, 'server' | 'client'>,
  redirectUri: string,
): Promise<StartedAuthorization> {
  const state = oauth.randomState();
  const codeVerifier = oauth.randomPKCECodeVerifier();
  const url = new URL(server.authorizationEndpoint);
  const parameters: { [name: string]: string } = {
    client_id: client.id,
    response_type: 'code',
    redirect_uri: redirectUri,
    state,
    ...(server.scope !== undefined && { scope: server.scope }),
    ...(server.pkce && {
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, state, codeVerifier };
}

/**
 * Exchanges an authorization code for tokens.
 * @param answer the address of our callback, with the query that the browser brought
 * @throws StorageGrantRefused, StorageClientRefused, GrantFailed, OutboundFailure
 */
export const exchange = (
  options: GrantOptions,
  answer: URL,
  { state, codeVerifier }: { state: string; codeVerifier: string },
): Promise<Tokens> =>
  requestTokens(
    options,
    (configuration) =>
      oauth.authorizationCodeGrant(
        configuration,
        answer,
        {
          expectedState: state,
          ...(options.server.pkce && { pkceCodeVerifier: codeVerifier }),
        },
        scopeOf(options),
      ),
    () => true,
  );

/**
 * Requests new tokens with a refresh token.
 * @throws StorageGrantRefused when the refresh token is no longer valid
 * @throws StorageClientRefused, InteractionRequired, GrantFailed, OutboundFailure
 */
export const refresh = (options: GrantOptions, refreshToken: string): Promise<Tokens> =>
  requestTokens(
    options,
    (configuration) => oauth.refreshTokenGrant(configuration, refreshToken, scopeOf(options)),
    options.server.refuses,
  );

const scopeOf = ({ server: { scope } }: GrantOptions): { [name: string]: string } =>
  scope === undefined ? {} : { scope };

async function requestTokens(
  { server, client, outbound, target, deadline, pauses, storageId, person }: GrantOptions,
  ask: (configuration: oauth.Configuration) => Promise<oauth.TokenEndpointResponse>,
  refuses: Server['refuses'],
): Promise<Tokens> {
  const metadata = {
    issuer: server.issuer,
    authorization_endpoint: server.authorizationEndpoint,
    token_endpoint: server.tokenEndpoint,
  };
  const configuration = new oauth.Configuration(
    metadata,
    client.id,
    client.secret,
    oauth.ClientSecretPost(client.secret),
  );
  configuration[oauth.customFetch] = outbound.fetch(target, deadline, (send) =>
    pauses.patiently(storageId, tokensOf(person), send),
  );
  // The library would refuse plain http. `validateAddress` has checked the address when the storage
  // was created: it permits plain http for this machine only.
  oauth.allowInsecureRequests(configuration);
  try {
    const {
      access_token: accessToken,
      refresh_token: refreshToken,
      expires_in: seconds,
      user_id: userId,
    } = await ask(configuration);
    return {
      accessToken,
      refreshToken: refreshToken ?? null,
      seconds,
      userId: storableUserId(userId),
    };
  } catch (error) {
    throw translated(error, refuses);
  }
}

/** The length of the column. */
const MAX_USER_ID = 255;

/** A user's id at a storage; null for values that the column cannot hold. */
export const storableUserId = (userId: unknown): string | null =>
  typeof userId === 'string' &&
  userId !== '' &&
  userId.length <= MAX_USER_ID &&
  isStorableText(userId)
    ? userId
    : null;

/** Errors of the library may contain secrets of the request. These errors do not. */
function translated(error: unknown, refuses: Server['refuses']): Error {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof OutboundFailure) return cause;
  if (error instanceof oauth.AuthorizationResponseError)
    return new StorageGrantRefused(code(error.error));
  if (error instanceof oauth.WWWAuthenticateChallengeError && error.status === UNAUTHORIZED)
    return new StorageClientRefused();
  if (error instanceof oauth.ResponseBodyError) {
    if (refusesClient(error)) return new StorageClientRefused();
    if (error.status < 500 && error.status !== 429 && refuses(error.status, error.error))
      return new StorageGrantRefused(code(error.error));
    return new (INTERACTION_CODES.has(error.error) ? InteractionRequired : GrantFailed)(
      `status ${error.status}, ${code(error.error)}.`,
    );
  }
  const response =
    error instanceof Error && error.cause instanceof Response ? error.cause : undefined;
  if (response?.status === UNAUTHORIZED) return new StorageClientRefused();
  if (
    response &&
    response.status < 500 &&
    response.status !== 429 &&
    refuses(response.status, undefined)
  )
    return new StorageGrantRefused(`status ${response.status}`);
  return new GrantFailed(
    response ? `status ${response.status}.` : 'its answer was not understood.',
  );
}

const UNAUTHORIZED = 401;

/** Servers send these codes with 400 or 401 (RFC 6749 section 5.2). */
const CLIENT_CODES: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client']);

const refusesClient = ({ status, error }: oauth.ResponseBodyError): boolean =>
  status === UNAUTHORIZED || (status < 500 && CLIENT_CODES.has(error));

/** Codes are short words. Any other text is hidden: it might repeat a secret. */
const code = (error: string): string => (/^[a-z_]{1,60}$/.test(error) ? error : 'unknown error');
