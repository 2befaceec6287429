/** `/login` and `/logout`: sign-in and sign-out. */
import express, { Router } from 'express';
import { ownForms, pageErrors } from '../failure.js';
import { html } from '../html.js';
import { sendPage } from '../page.js';
import { wordsOf } from '../words/index.js';
import type { SignInNeeds } from './begin-session.js';
import { chooseLanguage } from './choose-language.js';
import { demoSignIn } from './demo.js';
import { sendSignIn } from './form.js';
import { linkForm, openIdPages } from './openid.js';
import { passwordSignIn } from './password.js';
import { sendSignedIn, wantsJson } from './represent.js';
import { HOME, returnPath } from './return-path.js';

export function signInPages(needs: SignInNeeds): Router {
  const { sessions, openId, base } = needs;
  const router = Router();
  router.use(
    ['/login', '/logout'],
    ownForms(base),
    express.urlencoded({ extended: false, inflate: false, limit: '16kb' }),
  );
  router.get('/login', async (req, res) => {
    const signedIn = await sessions.forPage(req, res);
    const returnTo = returnPath(req, res, base);
    if (!signedIn) return sendSignIn(needs, req, res, { returnTo });
    if (wantsJson(req, res)) return sendSignedIn(req, res, signedIn.user, returnTo);
    if (returnTo !== HOME) return res.redirect(303, returnTo);
    const say = wordsOf(res);
    sendPage(res, {
      title: say('signIn.as', { name: signedIn.user.name }),
      body: html`<p><a href="/">${say('home')}</a></p>
<form method="post" action="/logout"><button autofocus>${say('signIn.out')}</button></form>
${openId && signedIn.user.identity === null && linkForm(say, openId)}`,
    });
  });
  router.post('/logout', async (req, res) => {
    await sessions.end(req, res);
    res.redirect(303, '/login');
  });
  router.use(passwordSignIn(needs), demoSignIn(needs), chooseLanguage(needs));
  if (openId) router.use(openIdPages(needs, openId));
  return router.use(['/login', '/logout'], pageErrors);
}
