import type { AuthorizationServer, Target } from '../adapter.js';

/** It ignores scopes, has no PKCE, and says `invalid_request` where others say `invalid_grant`. */
export const authorizationServer = ({ origin }: Target): AuthorizationServer => ({
  issuer: origin,
  authorizationEndpoint: `${origin}index.php/apps/oauth2/authorize`,
  tokenEndpoint: `${origin}index.php/apps/oauth2/api/v1/token`,
  scope: undefined,
  pkce: false,
  refuses: (status) => status === 400,
});
