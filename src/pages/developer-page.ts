/** The explorer and the API page: a bar with links, and below it a page made by a script. */
import { randomBytes } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Sessions } from '../auth/sessions.js';
import { signInPath } from '../auth/sessions.js';
import { addressesOf, type PageAddresses } from './assets.js';
import { html, type Html } from './html.js';

const pages = [
  { address: '/graphql', name: 'GraphQL explorer' },
  { address: '/api/docs', name: 'REST API' },
];

interface DeveloperPage {
  /** The address of this page. */
  address: string;
  title: string;
  bundle: 'explorer' | 'api-page';
  /** The element that the script fills, and what is shown without the script. */
  body: (signedIn: boolean) => Html;
}

/** Answers with the page. The bar names the person who is signed in. */
export function developerPage(
  sessions: Sessions,
  { address, title, bundle, body }: DeveloperPage,
): RequestHandler {
  // Read at the first request: commands need no pages.
  let addresses: PageAddresses | undefined;
  return async (req, res) => {
    const signedIn = await sessions.read(req);
    const nonce = randomBytes(16).toString('base64');
    const { script, style } = (addresses ??= addressesOf(bundle));
    const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta property="csp-nonce" nonce="${nonce}">
<title>${title} – Moorage</title>
<link rel="icon" href="/assets/icon.svg">
<link rel="stylesheet" href="${style}">
<script src="${script}" defer></script>
</head>
<body>
<header class="bar">
<a class="brand" href="/"><img src="/assets/icon.svg" alt="">Moorage</a>
<nav aria-label="For developers">${pages.map(
      (one) =>
        html`<a href="${one.address}"${one.address === address && html` aria-current="page"`}>${one.name}</a>`,
    )}</nav>
${
  signedIn
    ? html`<a class="person" href="/login">${signedIn.user.name}</a>`
    : html`<a class="person" href="${signInPath(address)}">Sign in</a>`
}
</header>
${body(signedIn !== undefined)}
</body>
</html>
`;
    res
      .set({
        'Content-Security-Policy': policy(nonce),
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
      })
      .type('html')
      .send(page.text);
  };
}

/** The nonce is for styles that the scripts write for open dialogs. */
const policy = (nonce: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; ` +
  "img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
