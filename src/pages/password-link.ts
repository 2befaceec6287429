/** `/password`: people set a password by a one-time link. */
import express, { Router, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { setPassword } from '../actions/people/directory/set-password.js';
import { personOfLink } from '../auth/one-time-links.js';
import type { Services } from '../context.js';
import { PropertyConstraintViolation, type ApiError } from '../contract/errors.js';
import { ownForms, pageErrors } from './failure.js';
import { html } from './html.js';
import { linkOf, newPasswordFields, passwordOf, sendUsedLink, tokenOf } from './one-time-link.js';
import { problem, sendPage } from './page.js';
import { beginSession } from './sign-in/begin-session.js';

const ADVICE = 'Ask an administrator for another link.';

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
      const user = await userOf(req, res);
      if (user) sendForm(req, res, user);
      else sendUsedLink(res, ADVICE);
    })
    .post('/password', async (req, res) => {
      const known = await userOf(req, res);
      if (!known) return sendUsedLink(res, ADVICE);
      try {
        const user = await setPassword(needs, tokenOf(req), passwordOf(req));
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

const sendForm = (
  req: Request,
  res: Response,
  { login, name }: { login: string; name: string },
  wrong?: ApiError,
): void =>
  sendPage(res, {
    title: 'Set your password',
    ...(wrong && { status: wrong.status }),
    body: html`${problem(wrong?.message)}<p>You are ${name}, and your login is <strong>${login}</strong>.</p>
<form method="post" action="/password">
<input type="hidden" name="token" value="${tokenOf(req)}">
<input type="hidden" name="username" value="${login}" autocomplete="username">
${newPasswordFields}
<button>Set the password and sign in</button>
</form>`,
  });
