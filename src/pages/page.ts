/** The layout, style and security headers of all pages for people. */
import type { ServerResponse } from 'node:http';
import { Router, type Response } from 'express';
import { html, type Html } from './html.js';

const STYLE_PATH = '/assets/pages.css';

export interface Page {
  title: string;
  body: Html;
  /**
   * Another origin to which a form finally redirects. Chromium applies the policy `form-action` to
   * redirects too.
   */
  formTarget?: string;
  /** The browser opens this address without a click. */
  next?: string;
  status?: number;
}

/** Sets the headers of a page. @returns its HTML */
export function compose(res: ServerResponse, { title, body, formTarget, next }: Page): string {
  const formAction = formTarget ? `'self' ${formTarget}` : "'self'";
  const headers = {
    'Content-Security-Policy':
      `default-src 'none'; style-src 'self'; form-action ${formAction}; ` +
      "frame-ancestors 'none'; base-uri 'none'",
    'Cache-Control': 'no-store',
    // With `no-referrer`, browsers would send our own forms with `Origin: null`.
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  };
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} – Moorage</title>
<link rel="stylesheet" href="${STYLE_PATH}">
${next !== undefined && html`<meta http-equiv="refresh" content="0; url=${next}">`}
</head>
<body><main>
<h1>${title}</h1>
${body}
</main></body>
</html>
`.text;
}

export function sendPage(res: Response, page: Page): void {
  const text = compose(res, page);
  res
    .status(page.status ?? 200)
    .type('html')
    .send(text);
}

/**
 * The source of an address for a content security policy. It is the origin, or the scheme of an
 * application on the device.
 */
export function sourceOf(address: string): string {
  const { protocol, origin } = new URL(address);
  return /^https?:$/.test(protocol) ? origin : protocol;
}

/** A message about the submitted form, above it. Screen readers announce it. */
export const problem = (text: string | undefined): Html | undefined =>
  text === undefined ? undefined : html`<p class="problem" role="alert">${text}</p>`;

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 26rem; margin: 10vh auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.2; }
label { display: block; margin-top: 1rem; }
input { font: inherit; box-sizing: border-box; width: 100%; padding: .5rem; }
button { font: inherit; padding: .5rem 1.25rem; margin: 1.25rem .5rem 0 0; cursor: pointer; }
:focus-visible { outline: 3px solid Highlight; outline-offset: 2px; }
.problem {
  border-left: .25rem solid #c00;
  padding: .5rem 1rem;
  background: color-mix(in srgb, #c00 10%, Canvas);
}
`;

export const style = Router().get(STYLE_PATH, (_req, res) => {
  res
    .set({ 'Cache-Control': 'public, max-age=3600', 'X-Content-Type-Options': 'nosniff' })
    .type('css')
    .send(STYLE);
});
