/** Grants of a storage's authorization server, by the OAuth client library over our own HTTP client. */
import * as oauth from 'openid-client';
import { OutboundFailure } from '../../outbound/client.js';
import type { Deadline, Outbound } from '../../outbound/client.js';
import { isStorableText } from '../../contract/text-rules.js';
import type { Tokens as Granted } from '../token-rotation.js';

/** What an adapter says about the authorization server of its storage. */
export interface Server {
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  scope: string | undefined;
  pkce: boolean;
  refuses(status: number, error: string | undefined): boolean;
}

/** A server, our client there, and the way to it. */
export interface GrantOptions {
  server: Server;
  client: { id: string; secret: string };
  outbound: Outbound;
  /** Whose circuit and numbers these are. */
  target: string;
  deadline: Deadline;
}

export interface Tokens extends Granted {
  /** Who the user is there, where the server says it with the tokens. */
  userId: string | null;
}

/** The server says no, and will say no again. */
export class GrantRefused extends Error {
  /** @param error the code of the answer, such as `invalid_grant` */
  constructor(readonly error: string) {
    super(`The authorization server refuses the grant (${error}).`);
    this.name = 'GrantRefused';
  }
}

/** The server could not be asked, or said something that may pass. */
export class GrantFailed extends Error {
  constructor(detail: string) {
    super(`The authorization server did not answer as it should: ${detail}`);
    this.name = 'GrantFailed';
  }
}

/** The refresh token is good, but the server wants to see the person first, for a second factor or a consent. */
export class PersonWanted extends GrantFailed {}

/** Codes of that (OpenID Connect Core 1.0, 3.1.2.6). */
const WANTS_PERSON: ReadonlySet<string> = new Set([
  'interaction_required',
  'login_required',
  'account_selection_required',
  'consent_required',
]);

export interface Begun {
  /** Where to send the browser. */
  url: string;
  state: string;
  codeVerifier: string;
}

/** The start of an authorization-code cycle. */
export async function begin(
  { server, client }: Pick<GrantOptions, 'server' | 'client'>,
  redirectUri: string,
): Promise<Begun> {
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
 * The tokens for the code of an answer.
 * @param answer our callback's address with what the browser brought
 * @throws GrantRefused, GrantFailed, OutboundFailure
 */
export const exchange = (
  options: GrantOptions,
  answer: URL,
  { state, codeVerifier }: { state: string; codeVerifier: string },
): Promise<Tokens> =>
  answered(
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

/** @throws GrantRefused where the refresh token is no longer good, PersonWanted, GrantFailed, OutboundFailure */
export const refresh = (options: GrantOptions, refreshToken: string): Promise<Tokens> =>
  answered(
    options,
    (configuration) => oauth.refreshTokenGrant(configuration, refreshToken, scopeOf(options)),
    options.server.refuses,
  );

const scopeOf = ({ server: { scope } }: GrantOptions): { [name: string]: string } =>
  scope === undefined ? {} : { scope };

async function answered(
  { server, client, outbound, target, deadline }: GrantOptions,
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
  configuration[oauth.customFetch] = outbound.fetch(target, deadline);
  // Whether a plain address may be called was decided when the storage was made.
  oauth.allowInsecureRequests(configuration);
  try {
    const {
      access_token: accessToken,
      refresh_token: refreshToken,
      expires_in: seconds,
      user_id: userId,
    } = await ask(configuration);
    return { accessToken, refreshToken: refreshToken ?? null, seconds, userId: keepable(userId) };
  } catch (error) {
    throw translated(error, refuses);
  }
}

/** As the column has it. */
const MAX_USER_ID = 255;

/** A user's id at a storage; null for what no database keeps, and what is none. */
export const keepable = (userId: unknown): string | null =>
  typeof userId === 'string' &&
  userId !== '' &&
  userId.length <= MAX_USER_ID &&
  isStorableText(userId)
    ? userId
    : null;

/** What the library throws, in our words; its own errors may hold what was sent. */
function translated(error: unknown, refuses: Server['refuses']): Error {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof OutboundFailure) return cause;
  if (error instanceof oauth.AuthorizationResponseError) return new GrantRefused(code(error.error));
  if (error instanceof oauth.ResponseBodyError) {
    if (error.status < 500 && error.status !== 429 && refuses(error.status, error.error))
      return new GrantRefused(code(error.error));
    return new (WANTS_PERSON.has(error.error) ? PersonWanted : GrantFailed)(
      `status ${error.status}, ${code(error.error)}.`,
    );
  }
  const response =
    error instanceof Error && error.cause instanceof Response ? error.cause : undefined;
  if (
    response &&
    response.status < 500 &&
    response.status !== 429 &&
    refuses(response.status, undefined)
  )
    return new GrantRefused(`status ${response.status}`);
  return new GrantFailed(
    response ? `status ${response.status}.` : 'its answer was not understood.',
  );
}

/** Codes are short words; anything else might be a secret that came back. */
const code = (error: string): string => (/^[a-z_]{1,60}$/.test(error) ? error : 'unknown error');
