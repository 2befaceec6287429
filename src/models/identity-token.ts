import { RotatingToken } from './rotating-token.js';

/** A user's tokens at the OpenID provider. */
export class IdentityToken extends RotatingToken {
  static override tableName = 'identity_tokens';
}
