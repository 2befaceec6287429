/** Describes the file server as an OAuth 2 authorization server. */
import type { AuthorizationServer, Target } from '../adapter.js';

/**
 * How it says that a token is unknown, used or ended: `invalid_request`. The standard has
 * `invalid_grant`. It looks for the token before it compares the client secret (`invalid_client`).
 */
const TOKEN_CODES: ReadonlySet<string> = new Set(['invalid_request', 'invalid_grant']);

/** It ignores scopes and lacks PKCE. */
export const authorizationServer = ({ origin }: Target): AuthorizationServer => ({
  issuer: origin,
  authorizationEndpoint: `${origin}index.php/apps/oauth2/authorize`,
  tokenEndpoint: `${origin}index.php/apps/oauth2/api/v1/token`,
  scope: undefined,
  pkce: false,
  refuses: (status, error) => status === 400 && error !== undefined && TOKEN_CODES.has(error),
});
