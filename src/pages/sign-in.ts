/** `/login` and `/logout`: sign-in with a password or at the OpenID provider, and sign-out. */
import express, { Router, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { ownPath } from '../auth/own-page.js';
import { ATTEMPT_SECONDS } from '../auth/attempt-lifetime.js';
import type { OpenId } from '../auth/openid/index.js';
import { DEVICE_SECONDS, deviceCookie, deviceOf } from '../auth/device-cookie.js';
import { TooManyGuesses, userByPassword } from '../auth/password-sign-in.js';
import { cookieOf, type SignedIn, type Sessions } from '../auth/sessions.js';
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
const LINK = '/login/openid/link';

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
    const signedIn = await sessions.forPage(req, res);
    const returnTo = returnPath(req, res, base);
    if (!signedIn) return sendSignIn(res, { returnTo, openId });
    if (returnTo !== HOME) return res.redirect(303, returnTo);
    sendPage(res, {
      title: `Signed in as ${signedIn.user.name}`,
      body: html`<form method="post" action="/logout"><button autofocus>Sign out</button></form>
${openId && signedIn.user.identity === null && linkForm(openId)}`,
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
              {
                login: typed,
                password,
                address: req.ip ?? '',
                device: deviceOf(needs, cookieOf(req, deviceName(sessions)), typed),
              },
            );
      if (
        !user ||
        !(await beginSession(needs, req, res, user, { password_hash: user.passwordHash }))
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

function openIdPages(needs: Dependencies, openId: OpenId): Router {
  const { sessions, base } = needs;
  const cookie = `${sessions.prefix}moorage_openid`;
  const { attributes } = sessions;
  return Router()
    .get('/login/openid', async (req, res) => {
      const { url, attempt } = await openId.begin(base.url + CALLBACK, returnPath(req, res, base));
      res.cookie(cookie, attempt, { ...attributes, maxAge: ATTEMPT_SECONDS * 1000 });
      res.set('Cache-Control', 'no-store').redirect(303, url);
    })
    .post(LINK, sessions.requireSignIn, async (_req, res) => {
      const { session } = res.locals as SignedIn;
      const { url, attempt } = await openId.begin(base.url + CALLBACK, '/login', session);
      res.cookie(cookie, attempt, { ...attributes, maxAge: ATTEMPT_SECONDS * 1000 });
      sendNext(res, `Sign in at ${openId.host} to link your identity`, url);
    })
    .get(CALLBACK, async (req, res) => {
      const outcome = await openId.finish(new URL(base.url + CALLBACK + searchOf(req)), {
        attempt: cookieOf(req, cookie),
        signedIn: await sessions.read(req),
      });
      res.clearCookie(cookie, attributes);
      if (typeof outcome === 'object') {
        const { user, returnTo } = outcome;
        if (await beginSession(needs, req, res, user, { identity: user.identity }))
          return res.set('Cache-Control', 'no-store').redirect(303, returnTo);
      }
      const failed = typeof outcome === 'object' ? 'unknown user' : outcome;
      logOf(res).warn({ outcome: failed }, 'a sign-in at the OpenID provider did not succeed');
      sendFailure(
        res,
        failed === 'not linked' ? 'Your identity is not linked' : 'You are not signed in',
        failures[failed](openId.host),
        failed === 'forged' ? new InvalidRequestBody().status : new MissingPermission().status,
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
  'not linked': (host: string) =>
    `You have an identity already, or this identity at ${host} belongs to another login. ` +
    'Or your session has ended in the meantime.',
};

/** A form, so that pages of other sites cannot link an identity (CSRF). */
const linkForm = ({ host }: OpenId) => html`<form method="post" action="${LINK}">
<p>Link your identity at ${host}, and sign in there from now on.</p>
<button>Link an identity at ${host}</button>
</form>`;

/**
 * Sends the browser to the requested path after the sign-in form. Chromium applies the policy
 * `form-action` to all redirects that follow a form. Paths below `/oauth_clients/` redirect to a
 * storage, which is another site. So a page comes first, which opens the path by itself.
 */
function sendOn(res: Response, returnTo: string): void {
  if (returnTo.startsWith('/oauth_clients/')) sendNext(res, 'Signed in', returnTo);
  else res.set('Cache-Control', 'no-store').redirect(303, returnTo);
}

const sendNext = (res: Response, title: string, next: string): void =>
  sendPage(res, { title, next, body: html`<p><a href="${next}" autofocus>Go on</a></p>` });

async function beginSession(
  needs: Dependencies,
  req: Request,
  res: Response,
  { id, login }: { id: number; login: string },
  expected: Parameters<Sessions['begin']>[3],
): Promise<boolean> {
  const { sessions } = needs;
  const begun = await sessions.begin(req, res, id, expected);
  if (!begun) return false;
  const device = deviceName(sessions);
  res.cookie(device, deviceCookie(needs, cookieOf(req, device), login), {
    ...sessions.attributes,
    maxAge: DEVICE_SECONDS * 1000,
  });
  logOf(res).info({ user: id }, 'a user signed in');
  return true;
}

const deviceName = ({ prefix }: Sessions): string => `${prefix}moorage_device`;

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
