/** Describes the file server as an OAuth 2 authorization server. */
import type { AuthorizationServer, Target } from '../adapter.js';

/** It ignores scopes and lacks PKCE. It reports an invalid grant as `invalid_request`. */
export const authorizationServer = ({ origin }: Target): AuthorizationServer => ({
  issuer: origin,
  authorizationEndpoint: `${origin}index.php/apps/oauth2/authorize`,
  tokenEndpoint: `${origin}index.php/apps/oauth2/api/v1/token`,
  scope: undefined,
  pkce: false,
  refuses: (status) => status === 400,
});
