/** Takes a browser back from a storage: the code becomes the user's tokens (decisions 4). */
import { ForeignKeyViolationError } from 'objection';
import { consumeAttempt } from '../../auth/connections/attempts.js';
import { exchange, GrantFailed, GrantRefused, type Tokens } from '../../auth/connections/grants.js';
import type { Context } from '../../context.js';
import { OutboundFailure } from '../../outbound/client.js';
import { OAuthClientCredentials } from '../../models/oauth-client-credentials.js';
import { Storage } from '../../models/storage.js';
import { StorageFailure } from '../../storages/failure.js';
import { adapterFor } from '../../storages/index.js';
import { callbackOf } from './begin-connection.js';
import { oauthClientOf } from '../storage-access/reach-storage.js';
import { targetOf } from '../storage-access/storage-target.js';
import { demandType } from '../storage-access/switched-off.js';

export interface ConnectCallback {
  sessionId: number;
  clientId: string;
  /** The query with which the browser came. */
  query: URLSearchParams;
}

/** Why a connection was not made, for the user to read. */
export class ConnectionRefused extends Error {
  /** @param fault whether the storage failed, rather than the request */
  constructor(
    message: string,
    readonly fault = false,
  ) {
    super(message);
    this.name = 'ConnectionRefused';
  }
}

/** @returns where to send the browser. @throws ConnectionRefused, MissingEnterpriseToken */
export async function finishConnection(
  context: Context,
  { sessionId, clientId, query }: ConnectCallback,
): Promise<string> {
  const state = query.get('state') ?? '';
  const attempt = await consumeAttempt(context, sessionId, state);
  if (!attempt)
    throw new ConnectionRefused(
      'This answer belongs to no connection that this browser has begun, or it came too late. Start again.',
    );
  const { db, connections, outbound, user } = context;
  // In this order: a storage that moves drops its credentials, so where they are still there the address read before is theirs.
  const storage = await Storage.query(db.read).findById(attempt.storageId);
  const credentials = await OAuthClientCredentials.query(db.read).findById(attempt.credentialsId);
  if (!credentials || !storage || credentials.clientId !== clientId)
    throw new ConnectionRefused('The storage was set up anew meanwhile. Start again.');
  demandType(context, storage.type);
  if (!query.has('code'))
    throw new ConnectionRefused(
      'The storage did not let you connect. Start again if that was a mistake.',
    );
  const answer = new URL(callbackOf(context, clientId));
  answer.search = query.toString();
  try {
    const partner = oauthClientOf(context, storage, credentials);
    // A code is good for one try.
    const tokens = await exchange(
      { ...partner, outbound, deadline: outbound.longDeadline() },
      answer,
      { state, codeVerifier: attempt.verifier },
    );
    const userId =
      tokens.userId ??
      (await adapterFor(storage.type).user({
        ...targetOf(context, storage, outbound.deadline()),
        authorization: `Bearer ${tokens.accessToken}`,
      }));
    await keep({ ...tokens, userId });
  } catch (error) {
    throw refusalOf(error);
  }
  return attempt.destination;

  function keep(tokens: Tokens) {
    return connections.save(
      { userId: user.id, storageId: storage!.id, credentialsId: credentials!.id },
      tokens,
    );
  }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof ForeignKeyViolationError)
    return new ConnectionRefused('The storage was set up anew meanwhile. Start again.');
  if (error instanceof GrantRefused)
    return new ConnectionRefused(
      `The storage refused to connect you (${error.error}). Start again; if that does not help, an administrator must check the client credentials.`,
    );
  if (
    error instanceof OutboundFailure ||
    error instanceof GrantFailed ||
    error instanceof StorageFailure
  )
    return new ConnectionRefused(
      `The storage could not be asked: ${error.message} Try again later.`,
      true,
    );
  return error;
}
