/** `/api/docs`: a page that shows the OpenAPI description, with its own assets. */
import { Router } from 'express';
import type { Sessions } from '../auth/sessions.js';
import { asset } from './assets.js';

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Moorage API</title>
<link rel="stylesheet" href="/api/docs/assets/swagger-ui.css">
</head>
<body>
<noscript>The description as JSON: <a href="/api/v3/spec.json">/api/v3/spec.json</a></noscript>
<div id="api"></div>
<script src="/api/docs/assets/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`;
const start = `SwaggerUIBundle({
  url: '/api/v3/spec.json',
  dom_id: '#api',
  validatorUrl: null,
  deepLinking: true,
});
`;

export const apiDocs = ({ leaveEnded }: Sessions): Router =>
  Router()
    .get('/api/docs', leaveEnded, (_req, res) => {
      res
        .set({
          'Content-Security-Policy': CSP,
          'X-Content-Type-Options': 'nosniff',
          'Referrer-Policy': 'no-referrer',
        })
        .type('html')
        .send(page);
    })
    .get('/api/docs/start.js', (_req, res) => {
      res.set('X-Content-Type-Options', 'nosniff').type('js').send(start);
    })
    .get('/api/docs/assets/:name', asset('swagger-ui.css', 'swagger-ui-bundle.js'));
