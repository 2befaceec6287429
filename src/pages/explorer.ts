/** The GraphQL explorer: one page, its style and script served from here. */
import { createHash } from 'node:crypto';
import { Router } from 'express';

const assets = '/graphql/assets';
const CSP =
  "default-src 'none'; script-src 'self'; worker-src blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Moorage GraphQL explorer</title><link rel="stylesheet" href="${assets}/explorer.css"></head>
<body id="body" class="no-focus-outline"><noscript>The explorer needs JavaScript.</noscript><div id="root"></div><script src="${assets}/explorer.js"></script></body>
</html>
`;

/** Answers browsers that open `/graphql`, and the page's assets; everything else goes on. */
export const explorer = Router()
  .get('/graphql', (req, res, next) => {
    if (
      req.query['query'] !== undefined ||
      req.accepts(['application/json', 'text/html']) !== 'text/html'
    ) {
      // Express would keep this route for whoever answers.
      req.route = undefined;
      return next();
    }
    res
      .set({
        'Content-Security-Policy': CSP,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
      })
      .vary('Accept')
      .type('html')
      .send(page);
  })
  .get(`${assets}/:name`, async (req, res, next) => {
    const asset = (await rendered()).get(req.params.name);
    if (!asset) return next();
    res
      .set({
        'Cache-Control': 'public, max-age=3600',
        'X-Content-Type-Options': 'nosniff',
        ETag: asset.etag,
      })
      .type(asset.type);
    if (req.headers['if-none-match'] === asset.etag) res.status(304).end();
    else res.send(asset.body);
  });

let loading: Promise<Map<string, { type: string; body: Buffer; etag: string }>> | undefined;

/** The library renders one HTML document with everything inline; it is taken apart once, so that no inline script is needed. */
function rendered() {
  loading ??= import('@graphql-yoga/render-graphiql').then(({ renderGraphiQL }) => {
    const html = renderGraphiQL({
      title: 'Moorage',
      endpoint: '/graphql',
      subscriptionsEndpoint: '/graphql/stream',
      subscriptionsProtocol: 'GRAPHQL_SSE',
    } as Parameters<typeof renderGraphiQL>[0]);
    const between = (start: string, end: string, last: boolean) => {
      const from = html.indexOf(start) + start.length;
      return html.slice(from, last ? html.lastIndexOf(end) : html.indexOf(end, from));
    };
    const asset = (type: string, text: string) => {
      const body = Buffer.from(text);
      return {
        type,
        body,
        etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`,
      };
    };
    return new Map([
      ['explorer.css', asset('css', between('<style>', '</style>', false))],
      ['explorer.js', asset('js', between('<script>', '</script>', true))],
    ]);
  });
  return loading;
}
