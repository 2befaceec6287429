/** `/password`: people set a password by a one-time link, and ask for one by e-mail. */
import express, { Router, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { setPassword } from '../actions/people/directory/set-password.js';
import { mailPasswordLink } from '../actions/people/mails/mail-password-link.js';
import { byLink } from '../audit/record.js';
import { personOfLink } from '../auth/one-time-links.js';
import type { Services } from '../context.js';
import { PropertyConstraintViolation, type ApiError } from '../contract/errors.js';
import { ownForms, pageErrors } from './failure.js';
import { html } from './html.js';
import {
  linkOf,
  mistakeIn,
  newPasswordFields,
  passwordOf,
  sendUsedLink,
  tokenOf,
} from './one-time-link.js';
import { problem, sendPage } from './page.js';
import { beginSession } from './sign-in/begin-session.js';
import { wordsOf } from './words/index.js';

const ADVICE = 'link.askForAnother';

export function passwordLinkPages(needs: Services): Router {
  /** @returns whose password a request may set */
  const userOf = async (req: Request, res: Response) => {
    const link = await linkOf(needs, req, res, 'password');
    return link && personOfLink(needs, link);
  };

  return Router()
    .use(
      '/password',
      ownForms(needs.base),
      express.urlencoded({ extended: false, inflate: false, limit: '16kb' }),
    )
    .get('/password', async (req, res) => {
      if (needs.mailer && tokenOf(req) === '') return sendQuestion(res);
      const user = await userOf(req, res);
      if (user) sendForm(req, res, user);
      else sendUsedLink(res, ADVICE);
    })
    .post('/password', async (req, res) => {
      const { name } = (req.body ?? {}) as { name?: unknown };
      if (needs.mailer && tokenOf(req) === '' && typeof name === 'string') {
        await mailPasswordLink(needs, { name, address: req.ip ?? '' });
        // The same for every name, so nobody learns who has an account.
        const say = wordsOf(res);
        return sendPage(res, {
          title: say('password.sent'),
          body: html`<p>${say('password.sentWhy')}</p>`,
        });
      }
      const known = await userOf(req, res);
      if (!known) return sendUsedLink(res, ADVICE);
      try {
        const user = await setPassword(
          { ...needs, actor: byLink(req.ip) },
          tokenOf(req),
          passwordOf(req),
        );
        if (!user) return sendUsedLink(res, ADVICE);
        (res.locals['log'] as Logger).info({ user: user.id }, 'a password was set by a link');
        await beginSession(needs, req, res, user, { password_hash: user.passwordHash });
        res.set('Cache-Control', 'no-store').redirect(303, '/');
      } catch (error) {
        if (!(error instanceof PropertyConstraintViolation)) throw error;
        sendForm(req, res, known, error);
      }
    })
    .use('/password', pageErrors);
}

function sendQuestion(res: Response): void {
  const say = wordsOf(res);
  sendPage(res, {
    title: say('password.lostTitle'),
    body: html`<p>${say('password.lostSays')}</p>
<form method="post" action="/password">
<label for="name">${say('password.lostName')}</label>
<input id="name" name="name" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus>
<button>${say('password.lostButton')}</button>
</form>`,
  });
}

const sendForm = (
  req: Request,
  res: Response,
  { login, name }: { login: string; name: string },
  wrong?: ApiError,
): void => {
  const say = wordsOf(res);
  sendPage(res, {
    title: say('password.title'),
    ...(wrong && { status: wrong.status }),
    body: html`${problem(mistakeIn(say, wrong))}<p>${say('password.you', {
      name,
      login: html`<strong>${login}</strong>`,
    })}</p>
<form method="post" action="/password">
<input type="hidden" name="token" value="${tokenOf(req)}">
<input type="hidden" name="username" value="${login}" autocomplete="username">
${newPasswordFields(say)}
<button>${say('password.button')}</button>
</form>`,
  });
};
