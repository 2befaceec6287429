/** The sign-in page: the users of the demo, the form, and the OpenID provider. */
import type { Request, Response } from 'express';
import { demoUsers, type DemoUser } from '../../auth/demo-users.js';
import type { OpenId } from '../../auth/openid/index.js';
import type { TooManyGuesses } from '../../auth/password-sign-in.js';
import { PropertyConstraintViolation } from '../../contract/errors.js';
import { sentenceOf } from '../failure.js';
import { html } from '../html.js';
import { problem, sendPage } from '../page.js';
import { wordsOf, type Say, type WordKey } from '../words/index.js';
import type { SignInNeeds } from './begin-session.js';
import { languageForm } from './choose-language.js';
import { wantsJson } from './represent.js';
import { returnQuery } from './return-path.js';

/** What the buttons of the demo say. */
const about: { [login: string]: WordKey } = {
  ada: 'signIn.ada',
  mia: 'signIn.mia',
  rob: 'signIn.rob',
};

export class WrongPassword extends PropertyConstraintViolation {
  constructor() {
    super('Login or password is wrong.');
  }
}

interface SignInForm {
  returnTo: string;
  /** What the user has entered before. */
  login?: string;
  /** What was wrong with it. */
  wrong?: WrongPassword | TooManyGuesses;
}

/** As JSON, it tells the ways to sign in. */
export async function sendSignIn(
  needs: SignInNeeds,
  req: Request,
  res: Response,
  { returnTo, login = '', wrong }: SignInForm,
): Promise<void> {
  const query = returnQuery(returnTo);
  const people = await demoUsers(needs, req);
  if (wantsJson(req, res)) {
    res
      .status(wrong?.status ?? 200)
      .set('Cache-Control', 'no-store')
      .json({
        person: null,
        people: people.map(({ login: name, firstName }) => ({ login: name, firstName })),
        provider: needs.openId?.name ?? null,
        mailsPasswords: needs.mailer !== undefined,
        ...(wrong && { wrong: wrong.message }),
      });
    return;
  }
  const isDemo = people.length > 0;
  // The focus would scroll past the buttons of the demo.
  const focus = isDemo ? undefined : login === '' ? 'login' : 'password';
  const autofocus = (name: string) => focus === name && html` autofocus`;
  const say = wordsOf(res);
  const said =
    wrong instanceof WrongPassword ? say('signIn.wrong') : wrong && sentenceOf(res, wrong, wrong);
  sendPage(res, {
    title: say('signIn.title'),
    ...(wrong && { status: wrong.status }),
    body: html`${problem(said)}${isDemo && demoForm(say, people, query)}<form method="post" action="/login${query}">
<label for="login">${say('signIn.login')}</label>
<input id="login" name="login" value="${login}" autocomplete="username"
  autocapitalize="none" spellcheck="false" required${autofocus('login')}>
<label for="password">${say('signIn.password')}</label>
<input id="password" name="password" type="password" autocomplete="current-password"
  required${autofocus('password')}>
<button>${say('signIn.button')}</button>
</form>${needs.mailer && html`<p><a href="/password">${say('password.lost')}</a></p>`}${needs.openId && openIdLink(say, needs.openId, query)}${languageForm(res, query)}`,
  });
}

const openIdLink = (say: Say, { name }: OpenId, query: string) =>
  html`<p><a href="/login/openid${query}">${say('signIn.provider', { name })}</a></p>`;

const demoForm = (say: Say, people: DemoUser[], query: string) => html`
<p class="soft">${say('signIn.demo')}</p>
<form class="people" method="post" action="/login/demo${query}">
${people.map(
  ({ login, firstName }) => html`<button class="person" name="login" value="${login}">
<span class="face ${login}" aria-hidden="true">${firstName.slice(0, 1)}</span>
<span><strong>${firstName}</strong> <small>${say(about[login] ?? 'signIn.rob')}</small></span>
<svg viewBox="0 0 20 20" aria-hidden="true"><path d="m7.5 4.5 5.5 5.5-5.5 5.5"/></svg>
</button>`,
)}
</form>
<p class="or">${say('signIn.or')}</p>
`;
