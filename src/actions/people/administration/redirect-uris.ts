/** Checks the redirect addresses of an OAuth application, as the authorization server expects them. */
import { PropertyConstraintViolation } from '../../../contract/errors.js';

const MOST = 10;
const MAX_LENGTH = 2_000;
/** The addresses of this computer, as programs use them (RFC 8252 section 7.3). */
const OWN_COMPUTER: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export const REDIRECT_RULE =
  `1 to ${MOST} addresses without a fragment: https, http on this computer, or a scheme of a ` +
  'program such as `com.example.app:/done`';

/** @throws PropertyConstraintViolation */
export function validateRedirectUris(uris: readonly string[]): void {
  if (uris.length === 0 || uris.length > MOST || !uris.every(isRedirectUri))
    throw new PropertyConstraintViolation(
      `Redirect URIs must be ${REDIRECT_RULE}.`,
      'redirectUris',
    );
}

function isRedirectUri(text: string): boolean {
  if (text.length > MAX_LENGTH || !/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (text.includes('#') || username !== '' || password !== '') return false;
  if (protocol === 'http:') return OWN_COMPUTER.has(hostname);
  if (protocol === 'https:') return !OWN_COMPUTER.has(hostname);
  // A name that belongs to somebody, reversed (RFC 8252 section 7.1).
  return /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/.test(protocol);
}
