/** The sign-in page: the users of the demo, the form, and the OpenID provider. */
import type { Request, Response } from 'express';
import { demoUsers, type DemoUser } from '../../auth/demo-users.js';
import type { OpenId } from '../../auth/openid/index.js';
import { html } from '../html.js';
import { problem, sendPage } from '../page.js';
import type { SignInNeeds } from './begin-session.js';
import { wantsJson } from './represent.js';
import { returnQuery } from './return-path.js';

/** What the buttons of the demo say. */
const about: { [login: string]: string } = {
  ada: 'Administers everything',
  mia: 'Works in the project Demo',
  rob: 'Reads along',
};

interface SignInForm {
  returnTo: string;
  /** What the user has entered before. */
  login?: string;
  /** What was wrong with it. */
  wrong?: string;
  status?: number;
}

/** As JSON, it tells the ways to sign in. */
export async function sendSignIn(
  needs: SignInNeeds,
  req: Request,
  res: Response,
  { returnTo, login = '', wrong, status }: SignInForm,
): Promise<void> {
  const query = returnQuery(returnTo);
  const people = await demoUsers(needs, req);
  if (wantsJson(req, res)) {
    res
      .status(status ?? 200)
      .set('Cache-Control', 'no-store')
      .json({
        person: null,
        people: people.map(({ login: name, firstName }) => ({ login: name, firstName })),
        provider: needs.openId?.name ?? null,
        ...(wrong !== undefined && { wrong }),
      });
    return;
  }
  const isDemo = people.length > 0;
  // The focus would scroll past the buttons of the demo.
  const focus = isDemo ? undefined : login === '' ? 'login' : 'password';
  const autofocus = (name: string) => focus === name && html` autofocus`;
  sendPage(res, {
    title: 'Sign in',
    ...(status && { status }),
    body: html`${problem(wrong)}${isDemo && demoForm(people, query)}<form method="post" action="/login${query}">
<label for="login">Login</label>
<input id="login" name="login" value="${login}" autocomplete="username"
  autocapitalize="none" spellcheck="false" required${autofocus('login')}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password"
  required${autofocus('password')}>
<button>Sign in</button>
</form>${needs.openId && openIdLink(needs.openId, query)}`,
  });
}

const openIdLink = ({ name }: OpenId, query: string) =>
  html`<p><a href="/login/openid${query}">Sign in with ${name}</a></p>`;

const demoForm = (people: DemoUser[], query: string) => html`
<p class="soft">This is a demo. Be one of its people.</p>
<form class="people" method="post" action="/login/demo${query}">
${people.map(
  ({ login, firstName }) => html`<button class="person" name="login" value="${login}">
<span class="face ${login}" aria-hidden="true">${firstName.slice(0, 1)}</span>
<span><strong>${firstName}</strong> <small>${about[login]}</small></span>
<svg viewBox="0 0 20 20" aria-hidden="true"><path d="m7.5 4.5 5.5 5.5-5.5 5.5"/></svg>
</button>`,
)}
</form>
<p class="or">or with a password</p>
`;
