/** `/oauth/interactions/{uid}`: asks a person whether an application may act for them. */
import express, { Router, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import type { AuthorizationServer, Interaction } from '../auth/provider/index.js';
import type { SignedIn, Sessions } from '../auth/sessions.js';
import { InvalidRequestBody } from '../contract/errors.js';
import { html } from './html.js';
import { ownForms, pageErrors, sendFailure } from './failure.js';
import { sendPage, sourceOf } from './page.js';
import { wordsOf } from './words/index.js';

interface ConsentNeeds {
  authorization: AuthorizationServer;
  sessions: Sessions;
  base: { url: string };
}

export function consentPages({ authorization, sessions, base }: ConsentNeeds): Router {
  /** Finds the interaction and its user. @returns undefined if it has sent a response instead */
  const findInteraction = async (
    req: Request,
    res: Response,
  ): Promise<(SignedIn & { interaction: Interaction }) | undefined> => {
    const interaction = await authorization.interaction(req, res);
    const signedIn = await sessions.forPage(req, res);
    if (interaction && interaction.sessionId === signedIn?.session.id)
      return { ...signedIn, interaction };
    const say = wordsOf(res);
    sendFailure(res, say('consent.over'), say('consent.overWhy'), new InvalidRequestBody().status);
    return undefined;
  };
  const path = '/oauth/interactions/:uid';
  return Router()
    .get(path, async (req, res) => {
      const found = await findInteraction(req, res);
      if (found) sendConsent(req, res, found);
    })
    .post(
      path,
      ownForms(base),
      express.urlencoded({ extended: false, inflate: false, limit: '1kb' }),
      async (req, res) => {
        const found = await findInteraction(req, res);
        if (!found) return;
        const { interaction, user } = found;
        const { decision } = (req.body ?? {}) as { decision?: unknown };
        (res.locals['log'] as Logger).info(
          {
            user: user.id,
            client: interaction.application.clientId,
            decision: decision === 'allow' ? 'allow' : 'deny',
          },
          'a user decided about an application',
        );
        await (decision === 'allow'
          ? authorization.allow(req, res, interaction)
          : authorization.deny(req, res));
      },
    )
    .use('/oauth/interactions', pageErrors);
}

function sendConsent(
  req: Request,
  res: Response,
  { interaction: { application, redirectUri }, user }: SignedIn & { interaction: Interaction },
): void {
  const say = wordsOf(res);
  const strong = (text: string) => html`<strong>${text}</strong>`;
  const address = sourceOf(redirectUri);
  sendPage(res, {
    title: say('consent.title', { name: application.name }),
    formTarget: address,
    body: html`<p>${say('consent.asks', { name: strong(application.name) })}</p>
<p>${say('consent.as', { name: strong(user.name), login: user.login })}
${say('consent.then', { address: strong(address) })}</p>
<form method="post" action="${req.originalUrl}">
<button name="decision" value="allow">${say('consent.allow')}</button>
<button class="second" name="decision" value="deny">${say('consent.deny')}</button>
</form>`,
  });
}
