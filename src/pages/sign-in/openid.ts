/** `/login/openid`: sign-in at the OpenID provider, and the link of an identity. */
import { Router } from 'express';
import type { Logger } from 'pino';
import { NOBODY, recordAudit } from '../../audit/record.js';
import { ATTEMPT_SECONDS } from '../../auth/attempt-lifetime.js';
import type { OpenId } from '../../auth/openid/index.js';
import { cookieOf, type SignedIn } from '../../auth/sessions.js';
import { InvalidRequestBody, MissingPermission } from '../../contract/errors.js';
import { sendFailure } from '../failure.js';
import { html } from '../html.js';
import { searchOf } from '../search.js';
import { wordsOf, type Say } from '../words/index.js';
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
      sendNext(res, wordsOf(res)('identity.linkNext', { name: openId.name }), url);
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
      // The provider has vouched for somebody. Anybody can send the other ones.
      if (typeof outcome === 'object' || outcome === 'unknown user' || outcome === 'not linked')
        await recordAudit(
          needs.db.write,
          needs.clock().toISOString(),
          { ...NOBODY, address: req.ip ?? null },
          {
            kind: 'SIGN_IN_REFUSED',
            ...(typeof outcome === 'object' &&
              'user' in outcome && { subject: { type: 'User', id: outcome.user.id } }),
          },
        );
      const failed = typeof outcome === 'object' ? 'unknown user' : outcome;
      const stranger =
        typeof outcome === 'object' && 'stranger' in outcome ? outcome.stranger : undefined;
      (res.locals['log'] as Logger).warn(
        { outcome: failed },
        'a sign-in at the OpenID provider did not succeed',
      );
      const say = wordsOf(res);
      const why = failed === 'unknown user' && stranger !== undefined ? 'with code' : failed;
      sendFailure(
        res,
        say(failed === 'not linked' ? 'identity.notLinked' : 'identity.notSignedIn'),
        say(failures[why], { name: openId.name, code: stranger ?? '' }),
        failed === 'forged' ? new InvalidRequestBody().status : new MissingPermission().status,
      );
    });
}

const failures = {
  forged: 'identity.forged',
  refused: 'identity.refused',
  'unknown user': 'identity.unknown',
  'with code': 'identity.unknownCode',
  'not linked': 'identity.taken',
} as const;

/** A form, so that pages of other sites cannot link an identity (CSRF). */
export const linkForm = (say: Say, { name }: OpenId) => html`<form method="post" action="${LINK}">
<p>${say('identity.link', { name })}</p>
<button>${say('identity.linkButton', { name })}</button>
</form>`;
