/** Pages that send a browser to a storage, to connect its user or to open a folder, and back. */
import { Router, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { beginConnection } from '../actions/storages/connections/begin-connection.js';
import { ConnectionRefused } from '../actions/storages/connections/connection-refused.js';
import { finishConnection } from '../actions/storages/connections/finish-connection.js';
import { openWithConnection } from '../actions/storages/connections/open-with-connection.js';
import type { SignedIn, Sessions } from '../auth/sessions.js';
import { makeContext, type Context, type Services } from '../context.js';
import { InvalidRequestBody, NotFound, OutboundRequestFailed } from '../contract/errors.js';
import { parseDatabaseId } from '../contract/ids.js';
import { pageErrors, sendFailure } from './failure.js';
import { searchOf } from './search.js';
import { wordsOf } from './words/index.js';

export function connectionPages(services: Services & { sessions: Sessions }): Router {
  const caller = (req: Request, res: Response) => {
    const { session, user, log } = res.locals as SignedIn & { log: Logger };
    const clientId = String(req.params['clientId']);
    // PostgreSQL refuses a null character in text.
    if (clientId.includes('\0')) throw new NotFound();
    const { search, searchParams } = new URL(searchOf(req), 'http://localhost');
    return {
      context: makeContext(services, user, { log }),
      sessionId: session.id,
      clientId,
      query: searchParams,
      search,
    };
  };
  const send = (res: Response, url: string) => {
    // The query may hold secrets, so it must not be in a cache or in the next `Referer`.
    res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).redirect(303, url);
  };
  /** Sends the browser on, or shows why the person is not connected. */
  const sendOrSay = async (
    res: Response,
    context: Context,
    clientId: string,
    next: () => Promise<string>,
  ) => {
    try {
      send(res, await next());
    } catch (error) {
      if (!(error instanceof ConnectionRefused)) throw error;
      context.log.warn(
        { reason: error.message, user: context.user.id, client: clientId },
        'a connection to a storage was not made',
      );
      const say = wordsOf(res);
      sendFailure(
        res,
        say('connection.refused'),
        say(`connection.${error.why}`, { detail: error.detail }),
        error.fault ? new OutboundRequestFailed('').status : new InvalidRequestBody().status,
      );
    }
  };
  return Router()
    .get(
      '/oauth_clients/:clientId/ensure_connection',
      services.sessions.requireSignIn,
      async (req: Request, res: Response) => {
        const { context, query, ...request } = caller(req, res);
        const id = query.get('storage_id');
        // An invalid id becomes 0, which no storage has.
        const storageId = id === null ? undefined : (parseDatabaseId(id) ?? 0);
        await sendOrSay(res, context, request.clientId, () =>
          beginConnection(context, {
            ...request,
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
        const { context, ...callback } = caller(req, res);
        await sendOrSay(res, context, callback.clientId, () => finishConnection(context, callback));
      },
    )
    .get(
      '/projects/:identifier/project_storages/:id/open',
      services.sessions.requireSignIn,
      async (req: Request, res: Response) => {
        const { session, user, log } = res.locals as SignedIn & { log: Logger };
        const request = {
          sessionId: session.id,
          path: req.path,
          projectStorageId: parseDatabaseId(String(req.params['id'])),
        };
        send(res, await openWithConnection(makeContext(services, user, { log }), request));
      },
    )
    .use(['/oauth_clients', '/projects'], pageErrors);
}
