/** The layout, style and security headers of all pages for people. */
import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import { languages } from '../contract/languages.js';
import { html, type Html } from './html.js';
import { languageOf, wordsOf } from './words/index.js';

interface Page {
  title: string | Html;
  body: Html;
  /**
   * Another origin to which a form finally redirects. Chromium applies the policy `form-action` to
   * redirects too.
   */
  formTarget?: string;
  /** Whether it has much to read. Other pages have a picture beside them. */
  isText?: boolean;
  /** The browser opens this address without a click. */
  next?: string;
  status?: number;
}

/** Sets the headers of a page. @returns its HTML */
export function compose(
  res: ServerResponse,
  { title, body, formTarget, isText = false, next }: Page,
): string {
  const formAction = formTarget ? `'self' ${formTarget}` : "'self'";
  const headers = {
    'Content-Security-Policy':
      `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${formAction}; ` +
      "frame-ancestors 'none'; base-uri 'none'",
    'Cache-Control': 'no-store',
    // With `no-referrer`, browsers would send our own forms with `Origin: null`.
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  };
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  const language = languageOf(res);
  const isRightToLeft = languages[language].direction === 'rtl';
  const say = wordsOf(res);
  return html`<!doctype html>
<html lang="${language}"${isRightToLeft && html` dir="rtl"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Moorage</title>
<link rel="icon" href="/assets/icon.svg">
<link rel="stylesheet" href="/assets/pages.css">
${next !== undefined && html`<meta http-equiv="refresh" content="0; url=${next}">`}
</head>
<body${isText && html` class="text"`}>
<header class="hull">
<span class="brand"><svg viewBox="0 0 32 32" aria-hidden="true">${MARK}</svg>Moorage</span>
<p class="say"><strong>${say('line')}</strong>
<span>${say('lineMore')}</span></p>
</header>
<main>
<h1>${title}</h1>
${body}
</main></body>
</html>
`.text;
}

const MARK = html`<path d="M4 25V13.5a5.5 5.5 0 0 1 11 0V25"/>
<path d="M15 13.5a5.5 5.5 0 0 1 11 0v7.2c0 2.6 1.2 4.1 3.6 4.3"/>
<circle cx="9.5" cy="24" r="2.3"/><circle cx="20.5" cy="24" r="2.3"/>`;

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
export const problem = (text: string | Html | undefined): Html | undefined =>
  text === undefined ? undefined : html`<p class="problem" role="alert">${text}</p>`;
