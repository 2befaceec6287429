/** `/login` and `/logout`: sign-in with a password or at the OpenID provider, and sign-out. */
import express, { Router, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { ownPath } from '../auth/own-page.js';
import { ATTEMPT_SECONDS } from '../auth/attempt-lifetime.js';
import type { OpenId } from '../auth/openid/index.js';
import { TooManyGuesses, userByPassword } from '../auth/password.js';
import { cookieOf, type Sessions } from '../auth/sessions.js';
import type { Services } from '../context.js';
import {
  InvalidRequestBody,
  MissingPermission,
  PropertyConstraintViolation,
} from '../contract/errors.js';
import { html } from './html.js';
import { ownForms, pageErrors, sendFailure } from './failure.js';
import { problem, sendPage } from './page.js';
import { searchOf } from './search.js';

const HOME = '/';
const CALLBACK = '/login/openid/callback';

type Dependencies = Pick<Services, 'db' | 'keyring' | 'clock' | 'sessions' | 'openId' | 'base'>;

export function signInPages(needs: Dependencies): Router {
  const { sessions, openId, base } = needs;
  const router = Router();
  router.use(
    ['/login', '/logout'],
    ownForms(base),
    express.urlencoded({ extended: false, limit: '16kb' }),
  );
  router.get('/login', async (req, res) => {
    const signedIn = await sessions.read(req);
    const returnTo = returnPath(req, res, base);
    if (!signedIn) return sendSignIn(res, { returnTo, openId });
    if (returnTo !== HOME) return res.redirect(303, returnTo);
    sendPage(res, {
      title: `Signed in as ${signedIn.user.name}`,
      body: html`<form method="post" action="/logout"><button autofocus>Sign out</button></form>`,
    });
  });
  router.post('/login', async (req, res) => {
    const { login, password } = (req.body ?? {}) as { login?: unknown; password?: unknown };
    const returnTo = returnPath(req, res, base);
    // PostgreSQL refuses a null character in text, and no login has one.
    const typed = typeof login === 'string' && !login.includes('\0') ? login : '';
    try {
      const user =
        typed === '' || typeof password !== 'string' || password === ''
          ? undefined
          : await userByPassword(
              { ...needs, log: logOf(res) },
              { login: typed, password, address: req.ip ?? '' },
            );
      if (
        !user ||
        !(await beginSession(req, res, sessions, user.id, { password_hash: user.passwordHash }))
      )
        return sendSignIn(res, {
          returnTo,
          openId,
          login: typed,
          wrong: 'Login or password is wrong.',
          status: new PropertyConstraintViolation().status,
        });
      sendOn(res, returnTo);
    } catch (error) {
      if (!(error instanceof TooManyGuesses)) throw error;
      res.setHeader('Retry-After', error.retryAfterSeconds);
      const minutes = Math.ceil(error.retryAfterSeconds / 60);
      const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
      sendSignIn(res, {
        returnTo,
        openId,
        login: typed,
        wrong: `There were too many wrong passwords. Try again in ${wait}.`,
        status: error.status,
      });
    }
  });
  router.post('/logout', async (req, res) => {
    await sessions.end(req, res);
    res.redirect(303, '/login');
  });
  if (openId) router.use(openIdPages(needs, openId));
  router.use(['/login', '/logout'], pageErrors);
  return router;
}

function openIdPages({ sessions, base }: Dependencies, openId: OpenId): Router {
  const cookie = `${sessions.secure ? '__Host-' : ''}moorage_openid`;
  const attributes = {
    httpOnly: true,
    sameSite: 'lax',
    secure: sessions.secure,
    path: '/',
  } as const;
  return Router()
    .get('/login/openid', async (req, res) => {
      const { url, attempt } = await openId.begin(base.url + CALLBACK, returnPath(req, res, base));
      res.cookie(cookie, attempt, { ...attributes, maxAge: ATTEMPT_SECONDS * 1000 });
      res.set('Cache-Control', 'no-store').redirect(303, url);
    })
    .get(CALLBACK, async (req, res) => {
      const outcome = await openId.finish(
        new URL(base.url + CALLBACK + searchOf(req)),
        cookieOf(req, cookie),
      );
      res.clearCookie(cookie, attributes);
      if (typeof outcome === 'object') {
        await beginSession(req, res, sessions, outcome.user.id);
        return res.set('Cache-Control', 'no-store').redirect(303, outcome.returnTo);
      }
      logOf(res).warn({ outcome }, 'a sign-in at the OpenID provider did not succeed');
      sendFailure(
        res,
        'You are not signed in',
        failures[outcome](openId.host),
        outcome === 'forged' ? new InvalidRequestBody().status : new MissingPermission().status,
      );
    });
}

const failures = {
  forged: () =>
    'This answer does not belong to a sign-in that was begun in this browser, ' +
    'or it came too late. Start again.',
  refused: (host: string) =>
    `${host} did not let you in, or its answer was not accepted. Start again.`,
  'unknown user': (host: string) =>
    `${host} knows you, but nobody here has your identity. Ask an administrator to add you.`,
};

/**
 * Sends the browser on after the sign-in form. Chromium applies the policy `form-action` to all
 * following redirects. The way to a storage redirects to another site, so it begins with a page.
 */
function sendOn(res: Response, returnTo: string): void {
  if (returnTo.startsWith('/oauth_clients/'))
    sendPage(res, {
      title: 'Signed in',
      next: returnTo,
      body: html`<p><a href="${returnTo}" autofocus>Go on</a></p>`,
    });
  else res.set('Cache-Control', 'no-store').redirect(303, returnTo);
}

async function beginSession(
  req: Request,
  res: Response,
  sessions: Sessions,
  userId: number,
  expected?: Parameters<Sessions['begin']>[3],
): Promise<boolean> {
  const begun = await sessions.begin(req, res, userId, expected);
  if (begun) logOf(res).info({ user: userId }, 'a user signed in');
  return begun;
}

interface SignInForm {
  returnTo: string;
  openId: OpenId | undefined;
  login?: string;
  wrong?: string;
  status?: number;
}

function sendSignIn(
  res: Response,
  { returnTo, openId, login = '', wrong, status }: SignInForm,
): void {
  const query = returnTo === HOME ? '' : `?return_to=${encodeURIComponent(returnTo)}`;
  const first = login === '';
  sendPage(res, {
    title: 'Sign in',
    ...(status && { status }),
    body: html`${problem(wrong)}<form method="post" action="/login${query}">
<label for="login">Login</label>
<input id="login" name="login" value="${login}" autocomplete="username"
  autocapitalize="none" spellcheck="false" required${first && html` autofocus`}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password"
  required${!first && html` autofocus`}>
<button>Sign in</button>
</form>${openId && html`<p><a href="/login/openid${query}">Sign in with ${openId.host}</a></p>`}`,
  });
}

/** The requested path after the sign-in. Addresses of other hosts are ignored (open redirect). */
function returnPath(req: Request, res: Response, { url }: { url: string }): string {
  const requested = req.query['return_to'];
  const path = ownPath(requested, url);
  if (requested !== undefined && path === undefined)
    logOf(res).warn('a return address that is not ours was ignored');
  return path ?? HOME;
}

const logOf = (res: Response): Logger => res.locals['log'] as Logger;
