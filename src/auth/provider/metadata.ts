/** The metadata of the authorization server (RFC 8414). */
import { API_SCOPE } from '../../models/oauth-application.js';
import { paths } from './configuration.js';

const secret = ['client_secret_basic', 'client_secret_post'];

/** Makes the document with the metadata. @param issuer the base address of this service */
export const describe = (issuer: string) => ({
  issuer,
  authorization_endpoint: issuer + paths.authorize,
  token_endpoint: issuer + paths.token,
  revocation_endpoint: issuer + paths.revoke,
  introspection_endpoint: issuer + paths.introspect,
  scopes_supported: [API_SCOPE],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: [...secret, 'none'],
  revocation_endpoint_auth_methods_supported: [...secret, 'none'],
  introspection_endpoint_auth_methods_supported: secret,
  authorization_response_iss_parameter_supported: true,
});
