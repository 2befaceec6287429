/** Finishes the OAuth 2 authorization of a user at a storage: exchanges the code for tokens. */
import { personConnected } from '../../base/project-folder-queue/request-sync.js';
import type { Knex } from 'knex';
import { ForeignKeyViolationError } from 'objection';
import { consumeAttempt } from '../../../auth/connections/attempts.js';
import {
  exchange,
  GrantFailed,
  StorageClientRefused,
  StorageGrantRefused,
} from '../../../auth/connections/grants.js';
import type { Context } from '../../../context.js';
import { OutboundFailure } from '../../../outbound/failure.js';
import { OAuthClientCredentials } from '../../../models/oauth-client-credentials.js';
import { Session } from '../../../models/session.js';
import { Storage } from '../../../models/storage.js';
import { StorageFailure } from '../../../storages/failure.js';
import { adapterFor } from '../../../storages/index.js';
import { callbackOf } from './begin-connection.js';
import { ConnectionRefused } from './connection-refused.js';
import { oauthClientOf } from '../access/reach-storage.js';
import { isActive } from '../access/active-user.js';
import { targetOf } from '../access/storage-target.js';
import { demandTypeEnabled } from '../access/switched-off.js';

interface ConnectCallback {
  sessionId: number;
  clientId: string;
  /** The query of the redirect. */
  query: URLSearchParams;
}

/**
 * @returns the address to send the browser to
 * @throws ConnectionRefused, MissingEnterpriseToken
 */
export async function finishConnection(
  context: Context,
  { sessionId, clientId, query }: ConnectCallback,
): Promise<string> {
  const state = query.get('state') ?? '';
  const attempt = await consumeAttempt(context, sessionId, state);
  if (!attempt) throw tooLate();
  const { db, connections, outbound, pauses, user } = context;
  // In this order: a storage that moves to another host deletes its credentials.
  // If they still exist, they belong to the host that was read before.
  const storage = await Storage.query(db.read).findById(attempt.storageId);
  const credentials = await OAuthClientCredentials.query(db.read).findById(attempt.credentialsId);
  if (!credentials || !storage || credentials.clientId !== clientId)
    throw new ConnectionRefused('The settings of the storage have changed. Start again.', {
      why: 'changed',
    });
  demandTypeEnabled(context, storage.type);
  if (!query.has('code'))
    throw new ConnectionRefused(
      'The storage did not let you connect. Start again if that was a mistake.',
      { why: 'denied' },
    );
  const answer = new URL(callbackOf(context, clientId));
  answer.search = query.toString();
  try {
    const client = oauthClientOf(context, storage, credentials);
    // The long deadline, because a code can be exchanged only once.
    const tokens = await exchange(
      { ...client, outbound, deadline: outbound.longDeadline(), pauses, person: user.id },
      answer,
      { state, codeVerifier: attempt.verifier },
    );
    const userId =
      tokens.userId ??
      (await adapterFor(storage.type).user({
        ...targetOf(context, storage, outbound.deadline()),
        authorization: `Bearer ${tokens.accessToken}`,
      }));
    await connections.save(
      { userId: user.id, storageId: storage.id, credentialsId: credentials.id },
      { ...tokens, userId },
      {
        check: (trx) => demandSession(context, trx, sessionId),
        also: (trx) => personConnected(trx, storage.id, context.clock()),
      },
    );
  } catch (error) {
    throw refusalOf(error);
  }
  return attempt.destination;
}

const tooLate = () =>
  new ConnectionRefused(
    'This answer belongs to no connection that this browser has begun, or it came too late. ' +
      'Start again.',
    { why: 'late' },
  );

/**
 * The storage can take long to answer. Meanwhile the session may end, or the person be locked or
 * erased. The locks make whoever does that wait, and then it ends the new connection too.
 */
async function demandSession({ db, user }: Context, trx: Knex, id: number): Promise<void> {
  if (!(await isActive(db, trx, user.id))) throw tooLate();
  const [session] = await db.lockRows(Session.query(trx).where({ id, user_id: user.id }));
  if (!session) throw tooLate();
}

function refusalOf(error: unknown): unknown {
  if (error instanceof ForeignKeyViolationError)
    return new ConnectionRefused('The settings of the storage have changed. Start again.', {
      why: 'changed',
    });
  if (error instanceof StorageGrantRefused)
    return new ConnectionRefused(
      `The storage refused to connect you (${error.error}). Start again; if that does not help, ` +
        'an administrator must check the client credentials.',
      { why: 'grant', detail: error.error },
    );
  if (error instanceof StorageClientRefused) {
    const { message } = error;
    return new ConnectionRefused(message, { why: 'storage', detail: message, fault: true });
  }
  if (
    error instanceof OutboundFailure ||
    error instanceof GrantFailed ||
    error instanceof StorageFailure
  )
    return new ConnectionRefused(
      `The storage could not be asked: ${error.message} Try again later.`,
      { why: 'silent', detail: error.message, fault: true },
    );
  return error;
}
