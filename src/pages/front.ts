/**
 * The page at `/` of a service without the web application, which leads to the explorer. It answers 200, because set-up scripts expect it.
 */
import type { RequestHandler } from 'express';
import { html } from './html.js';
import { sendPage } from './page.js';
import { wordsOf } from './words/index.js';

export const frontPage: RequestHandler = (_req, res) => {
  const say = wordsOf(res);
  sendPage(res, {
    title: 'Moorage',
    next: '/graphql',
    body: html`<p><a href="/graphql">${say('front.explorer')}</a> ·
<a href="/api/docs">${say('front.interface')}</a></p>`,
  });
};
