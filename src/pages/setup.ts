/** `/setup`: the first administrator is made by a one-time link. */
import express, { Router, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { inspectService, type Inspected } from '../actions/operate/diagnostics/inspect-service.js';
import {
  createFirstAdministrator,
  firstAdministrator,
} from '../actions/people/directory/first-administrator.js';
import { byLink } from '../audit/record.js';
import type { Services } from '../context.js';
import { NotFound, PropertyConstraintViolation, type ApiError } from '../contract/errors.js';
import { ownForms, pageErrors, sendFailure } from './failure.js';
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

const ADVICE = 'link.setUpAgain';

export const setupPages = (needs: Services): Router =>
  Router()
    .use(
      '/setup',
      ownForms(needs.base),
      express.urlencoded({ extended: false, inflate: false, limit: '16kb' }),
      async (req, res, next) => {
        if (await firstAdministrator(needs.db.read)) sendOver(res);
        else if (await linkOf(needs, req, res, 'setup')) next();
        else sendUsedLink(res, ADVICE);
      },
    )
    .get('/setup', (req, res) => sendForm(req, res))
    .post('/setup', async (req, res) => {
      try {
        const person = { ...personOf(req), password: passwordOf(req) };
        const id = await createFirstAdministrator(
          { ...needs, actor: byLink(req.ip) },
          tokenOf(req),
          person,
        );
        if (id === undefined) return sendOver(res);
        (res.locals['log'] as Logger).warn({ user: id }, 'the first administrator was made');
        await beginSession(needs, req, res, { id, login: person.login }, {});
        sendWelcome(res, person.login, await inspectService(needs));
      } catch (error) {
        if (!(error instanceof PropertyConstraintViolation)) throw error;
        sendForm(req, res, error);
      }
    })
    .use('/setup', pageErrors);

/** What was entered, as text and without spaces around it. */
function personOf({ body = {} }: Request) {
  const text = (name: string): string => {
    const value = (body as { [name: string]: unknown } | undefined)?.[name];
    return typeof value === 'string' ? value.trim() : '';
  };
  const email = text('email');
  return {
    login: text('login'),
    firstName: text('firstName'),
    lastName: text('lastName'),
    ...(email !== '' && { email }),
  };
}

function sendOver(res: Response): void {
  const say = wordsOf(res);
  sendFailure(res, say('setUp.over'), say('setUp.overWhy'), new NotFound().status);
}

function sendForm(req: Request, res: Response, wrong?: ApiError): void {
  const { login, firstName, lastName, email } = personOf(req);
  const say = wordsOf(res);
  sendPage(res, {
    title: say('setUp.title'),
    ...(wrong && { status: wrong.status }),
    body: html`${problem(mistakeIn(say, wrong))}<p>${say('setUp.says')}</p>
<form method="post" action="/setup">
<input type="hidden" name="token" value="${tokenOf(req)}">
<label for="login">${say('signIn.login')}</label>
<input id="login" name="login" value="${login}" autocomplete="username"
  autocapitalize="none" spellcheck="false" maxlength="255" required autofocus>
<label for="firstName">${say('setUp.firstName')}</label>
<input id="firstName" name="firstName" value="${firstName}" autocomplete="given-name"
  maxlength="255" required>
<label for="lastName">${say('setUp.lastName')}</label>
<input id="lastName" name="lastName" value="${lastName}" autocomplete="family-name" maxlength="255">
<label for="email">${say('setUp.email')}</label>
<input id="email" name="email" type="email" value="${email ?? ''}" autocomplete="email"
  maxlength="255">
${newPasswordFields(say)}
<button>${say('setUp.button')}</button>
</form>`,
  });
}

const sendWelcome = (res: Response, login: string, inspected: readonly Inspected[]): void => {
  const listed = (isDone: boolean) =>
    inspected
      .filter((one) => one.isDone === isDone)
      .map(
        ({ name, detail }) =>
          html`<li lang="en" dir="ltr"><strong>${name}</strong>: ${detail}</li>`,
      );
  const say = wordsOf(res);
  sendPage(res, {
    title: say('setUp.done'),
    body: html`<p>${say('setUp.as', { login: html`<strong>${login}</strong>` })}</p>
<h2>${say('setUp.open')}</h2>
<ul>${listed(false)}</ul>
<h2>${say('setUp.works')}</h2>
<ul>${listed(true)}</ul>
<p class="soft">${say('setUp.doctor', { command: html`<code>moorage doctor</code>` })}</p>
<p><a href="/" autofocus>${say('setUp.go')}</a></p>`,
  });
};
