/** The GraphQL explorer: a page at `/graphql`, with its own assets. */
import { Router } from 'express';
import type { Sessions } from '../auth/sessions.js';
import { asset } from './assets.js';

const assets = '/graphql/assets';
const CSP =
  "default-src 'none'; script-src 'self'; worker-src blob:; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Moorage GraphQL explorer</title>
<link rel="stylesheet" href="${assets}/explorer.css">
</head>
<body id="body" class="no-focus-outline">
<noscript>The explorer needs JavaScript.</noscript>
<div id="root"></div>
<script src="${assets}/explorer.js"></script>
</body>
</html>
`;

/** Answers browsers that open `/graphql`, and requests for the assets. Passes on all others. */
export const explorer = ({ leaveEnded }: Sessions): Router =>
  Router()
    .get(
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
        return leaveEnded(req, res, next);
      },
      (_req, res) => {
        res
          .set({
            'Content-Security-Policy': CSP,
            'X-Content-Type-Options': 'nosniff',
            'Referrer-Policy': 'no-referrer',
          })
          .vary('Accept')
          .type('html')
          .send(page);
      },
    )
    .get(`${assets}/:name`, asset('explorer.js', 'explorer.css'));
