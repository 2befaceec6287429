/** `/login/openid`: sign-in at the OpenID provider, and the link of an identity. */
import { Router } from 'express';
import type { Logger } from 'pino';
import { ATTEMPT_SECONDS } from '../../auth/attempt-lifetime.js';
import type { OpenId } from '../../auth/openid/index.js';
import { cookieOf, type SignedIn } from '../../auth/sessions.js';
import { InvalidRequestBody, MissingPermission } from '../../contract/errors.js';
import { sendFailure } from '../failure.js';
import { html } from '../html.js';
import { searchOf } from '../search.js';
import { beginSession, type SignInNeeds } from './begin-session.js';
import { returnPath, sendNext } from './return-path.js';

const CALLBACK = '/login/openid/callback';
const LINK = '/login/openid/link';

export function openIdPages(needs: SignInNeeds, openId: OpenId): Router {
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
      sendNext(res, `Sign in at ${openId.name} to link your identity`, url);
    })
    .get(CALLBACK, async (req, res) => {
      const outcome = await openId.finish(new URL(base.url + CALLBACK + searchOf(req)), {
        attempt: cookieOf(req, cookie),
        signedIn: await sessions.read(req),
      });
      res.clearCookie(cookie, attributes);
      if (typeof outcome === 'object' && 'user' in outcome) {
        const { user, returnTo } = outcome;
        if (await beginSession(needs, req, res, user, { identity: user.identity }))
          return res.set('Cache-Control', 'no-store').redirect(303, returnTo);
      }
      const failed = typeof outcome === 'object' ? 'unknown user' : outcome;
      const stranger =
        typeof outcome === 'object' && 'stranger' in outcome ? outcome.stranger : undefined;
      (res.locals['log'] as Logger).warn(
        { outcome: failed },
        'a sign-in at the OpenID provider did not succeed',
      );
      sendFailure(
        res,
        failed === 'not linked' ? 'Your identity is not linked' : 'You are not signed in',
        failures[failed](openId.name, stranger),
        failed === 'forged' ? new InvalidRequestBody().status : new MissingPermission().status,
      );
    });
}

const failures = {
  forged: () =>
    'This answer does not belong to a sign-in that was begun in this browser, ' +
    'or it came too late. Start again.',
  refused: (name: string) =>
    `${name} did not let you in, or its answer was not accepted. Start again.`,
  'unknown user': (name: string, code?: string) =>
    `${name} knows you, but nobody here has your identity. Ask an administrator to add you` +
    (code === undefined ? '.' : `, and tell them the code ${code}.`),
  'not linked': (name: string) =>
    `You have an identity already, or this identity at ${name} belongs to another login. ` +
    'Or your session has ended in the meantime.',
};

/** A form, so that pages of other sites cannot link an identity (CSRF). */
export const linkForm = ({ name }: OpenId) => html`<form method="post" action="${LINK}">
<p>Link your identity at ${name}, and sign in there from now on.</p>
<button>Link an identity at ${name}</button>
</form>`;
