/** The GraphQL explorer: a page at `/graphql`. */
import { Router } from 'express';
import type { Sessions } from '../auth/sessions.js';
import { developerPage } from './developer-page.js';
import { html } from './html.js';

/** Answers browsers that open `/graphql`. Passes on all others. */
export function explorer(sessions: Sessions): Router {
  return Router().get(
    '/graphql',
    (req, res, next) => {
      if (
        req.query['query'] !== undefined ||
        req.accepts(['application/json', 'text/html']) !== 'text/html'
      ) {
        // Express keeps the route in `req`, and the metrics would count the request for it.
        req.route = undefined;
        return next('route');
      }
      res.vary('Accept');
      return sessions.leaveEnded(req, res, next);
    },
    developerPage(sessions, {
      address: '/graphql',
      title: 'GraphQL explorer',
      bundle: 'explorer',
      body: (signedIn) => html`<noscript>The explorer needs JavaScript.</noscript>
<main id="explorer" data-signed-in="${String(signedIn)}"></main>`,
    }),
  );
}
