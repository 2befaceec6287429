/** The settings of the OpenID provider. */
export interface OpenIdSettings {
  /** Exactly as configured: a slash at the end matters. */
  issuer: string;
  /** The value that `aud` of a token for us must contain. */
  audience: string;
  clientId: string;
  clientSecret: string | undefined;
}
