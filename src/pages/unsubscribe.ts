/**
 * `/unsubscribe`: ends e-mails about notifications, without a sign-in. A GET only asks, because
 * programs open the addresses of e-mails. RFC 8058: the program of a person posts to the address.
 */
import { Router } from 'express';
import { changePreference } from '../actions/people/mails/mail-preference.js';
import { personOfToken, UNSUBSCRIBE_PATH } from '../actions/people/mails/unsubscribe.js';
import type { Services } from '../context.js';
import { NotFound } from '../contract/errors.js';
import { pageErrors, sendFailure } from './failure.js';
import { html } from './html.js';
import { sendPage } from './page.js';
import { wordsOf, type Say } from './words/index.js';

export function unsubscribePages(needs: Services): Router {
  return Router()
    .all(UNSUBSCRIBE_PATH, async (req, res, next) => {
      const say = wordsOf(res);
      const person = await personOfToken(needs, req.query['token']);
      if (!person) {
        const why = html`${say('unsubscribe.wrongWhy')} ${toAccount(say)}`;
        sendFailure(res, say('link.title'), why, new NotFound().status);
      } else if (req.method === 'POST') {
        await changePreference(needs, person.id, 'never');
        sendPage(res, {
          title: say('unsubscribe.done'),
          body: html`<p>${say('unsubscribe.doneSays')}</p><p>${toAccount(say)}</p>`,
        });
      } else if (req.method === 'GET' || req.method === 'HEAD') {
        sendPage(res, {
          title: say('unsubscribe.title'),
          body: html`<p>${say('unsubscribe.says', { address: person.email ?? '' })}</p>
<form method="post" action="${req.originalUrl}"><button>${say('unsubscribe.button')}</button></form>`,
        });
      } else next();
    })
    .use(UNSUBSCRIBE_PATH, pageErrors);
}

const toAccount = (say: Say) => html`<a href="/account">${say('unsubscribe.account')}</a>`;
