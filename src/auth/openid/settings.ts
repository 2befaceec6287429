/** What is configured of the OpenID provider. */
export interface OpenIdSettings {
  /** As it was given, with a slash at its end or without. */
  issuer: string;
  /** What `aud` of a token for us must contain. */
  audience: string;
  clientId: string;
  clientSecret: string | undefined;
}
