/** `/oauth_clients/{clientId}/…`: a browser goes to a storage to connect its user, and comes back. */
import { Router, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { beginConnection } from '../actions/connections/begin-connection.js';
import { ConnectionRefused, finishConnection } from '../actions/connections/finish-connection.js';
import type { SignedIn, Sessions } from '../auth/sessions.js';
import { makeContext, type Services } from '../context.js';
import { InvalidRequestBody, NotFound, OutboundRequestFailed } from '../contract/errors.js';
import { parseDatabaseId } from '../contract/ids.js';
import { pageErrors, sendFailure } from './failure.js';
import { searchOf } from './search.js';

export function connectionPages(services: Services & { sessions: Sessions }): Router {
  const caller = (req: Request, res: Response) => {
    const { session, user, log } = res.locals as SignedIn & { log: Logger };
    const clientId = String(req.params['clientId']);
    // No database takes one as text.
    if (clientId.includes('\0')) throw new NotFound();
    const { search, searchParams } = new URL(searchOf(req), 'http://localhost');
    return {
      context: makeContext(services, user, log),
      sessionId: session.id,
      clientId,
      query: searchParams,
      search,
    };
  };
  const send = (res: Response, url: string) => {
    // What follows the question mark is between the browser and whoever it is sent to.
    res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).redirect(303, url);
  };
  return Router()
    .get(
      '/oauth_clients/:clientId/ensure_connection',
      services.sessions.requireSignIn,
      async (req: Request, res: Response) => {
        const { context, query, ...journey } = caller(req, res);
        // An id that no storage can have finds none.
        const storageId = query.has('storage_id')
          ? (parseDatabaseId(query.get('storage_id')!) ?? 0)
          : undefined;
        send(
          res,
          await beginConnection(context, {
            ...journey,
            storageId,
            destination: query.get('destination_url') ?? undefined,
          }),
        );
      },
    )
    .get(
      '/oauth_clients/:clientId/callback',
      services.sessions.requireSignIn,
      async (req: Request, res: Response) => {
        const { context, ...journey } = caller(req, res);
        try {
          send(res, await finishConnection(context, journey));
        } catch (error) {
          if (!(error instanceof ConnectionRefused)) throw error;
          context.log.warn(
            { reason: error.message, user: context.user.id, client: journey.clientId },
            'a connection to a storage was not made',
          );
          sendFailure(
            res,
            'You are not connected',
            error.message,
            error.fault ? new OutboundRequestFailed('').status : new InvalidRequestBody().status,
          );
        }
      },
    )
    .use('/oauth_clients', pageErrors);
}
