import type { AuthorizationServer, Target } from '../adapter.js';

export const authorizationServer = ({ signInUrl }: Target): AuthorizationServer => ({
  issuer: signInUrl,
  authorizationEndpoint: `${signInUrl}/authorize`,
  tokenEndpoint: `${signInUrl}/token`,
  scope: 'openid offline_access',
  pkce: true,
  refuses: (status, error) => status === 400 && error === 'invalid_grant',
});
