/** The settings of the OpenID provider. */

/** The claims that can link a new identity to an existing login. */
export const LINK_CLAIMS = ['preferred_username', 'email'] as const;
export type LinkClaim = (typeof LINK_CLAIMS)[number];

export interface OpenIdSettings {
  /** Exactly as configured: a slash at the end matters. */
  issuer: string;
  /** What people call the provider. Absent: its host. */
  name: string | undefined;
  /** The value that `aud` of a token for us must contain. */
  audience: string;
  clientId: string;
  clientSecret: string | undefined;
  /** In the order in which they are tried. Empty: claims link nobody. */
  linkBy: readonly LinkClaim[];
}
