/**
 * Stores authorization requests to storages. A `state` is valid once, in the session that began it,
 * for ten minutes.
 */
import type { Database } from '../../database/index.js';
import { ConnectionAttempt } from '../../models/connection-attempt.js';
import { timestamps } from '../../models/record.js';
import type { Keyring } from '../../secrets/keyring.js';
import { hashToken } from '../../secrets/keys-and-tokens.js';
import { ATTEMPT_SECONDS } from '../attempt-lifetime.js';

interface AttemptNeeds {
  db: Database;
  keyring: Keyring;
  clock: () => Date;
}

const VERIFIER = 'connection_attempts.code_verifier';

interface NewAttempt {
  state: string;
  codeVerifier: string;
  sessionId: number;
  storageId: number;
  credentialsId: number;
  destination: string;
}

export async function storeAttempt(
  { db, keyring, clock }: AttemptNeeds,
  { state, codeVerifier, ...attempt }: NewAttempt,
): Promise<void> {
  const now = clock();
  await ConnectionAttempt.query(db.write).insert({
    ...attempt,
    stateHash: hashToken(state),
    codeVerifier: keyring.seal(codeVerifier, VERIFIER),
    expiresAt: new Date(now.getTime() + ATTEMPT_SECONDS * 1000).toISOString(),
    ...timestamps(now.toISOString()),
  });
}

/**
 * Deletes the attempt of a state and returns it.
 * @returns undefined for a state that is forged, used, expired or from another session
 */
export async function consumeAttempt(
  { db, keyring, clock }: AttemptNeeds,
  sessionId: number,
  state: string,
): Promise<(ConnectionAttempt & { verifier: string }) | undefined> {
  const attempt = await ConnectionAttempt.query(db.read).findOne({
    state_hash: hashToken(state),
    session_id: sessionId,
  });
  if (!attempt || (await ConnectionAttempt.query(db.write).deleteById(attempt.id)) !== 1)
    return undefined;
  if (attempt.expiresAt < clock().toISOString()) return undefined;
  return Object.assign(attempt, { verifier: keyring.open(attempt.codeVerifier, VERIFIER) });
}
