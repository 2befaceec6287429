/** `/api/docs`: a page that shows the OpenAPI description, with its own assets. */
import { Router } from 'express';
import type { Sessions } from '../auth/sessions.js';
import { developerPage } from './developer-page.js';
import { html } from './html.js';

export function apiDocs(sessions: Sessions): Router {
  return Router().get(
    '/api/docs',
    sessions.leaveEnded,
    developerPage(sessions, {
      address: '/api/docs',
      title: 'REST API',
      bundle: 'api-page',
      body: () => html`<noscript>The description as JSON:
<a href="/api/v3/spec.json">/api/v3/spec.json</a></noscript>
<main id="api"></main>`,
    }),
  );
}
