/** Users' tokens at the OpenID provider. */
import { RotatingToken } from './rotating-token.js';

export class IdentityToken extends RotatingToken {
  static override tableName = 'identity_tokens';
}
