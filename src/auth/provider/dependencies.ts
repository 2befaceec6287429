/** What the authorization server takes of the service. */
import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Database } from '../../database/index.js';
import type { Keyring } from '../../secrets/keyring.js';
import type { Sessions } from '../sessions.js';

export interface Dependencies {
  db: Database;
  keyring: Keyring;
  sessions: Sessions;
  log: Logger;
  clock: () => Date;
  /** How clients reach us; known once the server listens. */
  base: { url: string };
  /** Sets the headers of a page that says what went wrong. @returns its text */
  renderFailure(res: ServerResponse, code: string, description: string): string;
}
