/**
 * The page at `/` of a service without the web application, which leads to the explorer. It answers 200, because set-up scripts expect it.
 */
import type { RequestHandler } from 'express';
import { html } from './html.js';
import { sendPage } from './page.js';

export const frontPage: RequestHandler = (_req, res) =>
  sendPage(res, {
    title: 'Moorage',
    next: '/graphql',
    body: html`<p><a href="/graphql">GraphQL explorer</a> ·
<a href="/api/docs">The interface /api/v3</a></p>`,
  });
