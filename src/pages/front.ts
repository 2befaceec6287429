/** The page at `/`: it leads to the explorer. No redirect, because deployed set-up scripts want 200 there. */
import type { RequestHandler } from 'express';
import { html } from './html.js';
import { sendPage } from './page.js';

export const frontPage: RequestHandler = (_req, res) =>
  sendPage(res, {
    title: 'Moorage',
    next: '/graphql',
    body: html`<p>
      <a href="/graphql">GraphQL explorer</a> · <a href="/api/docs">The interface /api/v3</a>
    </p>`,
  });
