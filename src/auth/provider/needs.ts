/** The parts of the service that the authorization server uses. */
import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Database } from '../../database/index.js';
import type { Keyring } from '../../secrets/keyring.js';
import type { Sessions } from '../sessions.js';

export interface ProviderNeeds {
  db: Database;
  keyring: Keyring;
  sessions: Sessions;
  log: Logger;
  clock: () => Date;
  /** The public address of the service. It is set when the server listens. */
  base: { url: string };
  /** Sets the headers of an error page. @returns the HTML of the page */
  renderFailure(res: ServerResponse, code: string, description: string): string;
}
