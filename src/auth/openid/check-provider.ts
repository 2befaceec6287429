/** Checks that the OpenID provider answers, and that it accepts this service as its client. */
import * as oauth from 'openid-client';
import type { Deadline } from '../../outbound/deadline.js';
import { ProviderRefused, type ProviderClient } from './client.js';

/** The message says what to do. */
export class ClientRefused extends Error {
  constructor({ code }: ProviderRefused) {
    super(
      `The OpenID provider refuses this service as its client (${code}). ` +
        'Check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
    );
    this.name = 'ClientRefused';
  }
}

/** No provider has issued it. */
const UNKNOWN_TOKEN = 'a-token-for-a-check';

/**
 * Reads the metadata again. Then it presents an unknown refresh token: a provider checks the client
 * secret before it looks for the token (RFC 6749 section 5.2).
 * @throws ClientRefused, ProviderUnavailable
 */
export async function checkProvider(client: ProviderClient, deadline: Deadline): Promise<void> {
  await client.renewMetadata();
  // A client without a secret proves nothing.
  if (client.settings.clientSecret === undefined) return;
  try {
    await client.ask(
      (configuration) => oauth.refreshTokenGrant(configuration, UNKNOWN_TOKEN),
      deadline,
    );
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    if (error.code === 'invalid_client' || error.status === 401) throw new ClientRefused(error);
  }
}
