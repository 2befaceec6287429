/** `POST /login/language`: remembers the language that a person chooses on the sign-in page. */
import { Router, type Response } from 'express';
import { InvalidRequestBody } from '../../contract/errors.js';
import {
  isLanguage,
  LANGUAGE_COOKIE,
  LANGUAGE_COOKIE_SECONDS,
  languages,
} from '../../contract/languages.js';
import { sendFailure } from '../failure.js';
import { html } from '../html.js';
import { languageOf, wordsOf } from '../words/index.js';
import type { SignInNeeds } from './begin-session.js';
import { returnPath, returnQuery } from './return-path.js';

export const chooseLanguage = ({ base, sessions: { secure } }: SignInNeeds): Router =>
  Router().post('/login/language', (req, res) => {
    const { language } = (req.body ?? {}) as { language?: unknown };
    if (!isLanguage(language)) {
      const say = wordsOf(res);
      const { status } = new InvalidRequestBody();
      return sendFailure(res, say('wrong.title'), say('wrong.unreadable'), status);
    }
    res.cookie(LANGUAGE_COOKIE, language, {
      path: '/',
      sameSite: 'lax',
      secure,
      maxAge: LANGUAGE_COOKIE_SECONDS * 1000,
    });
    res.redirect(303, `/login${returnQuery(returnPath(req, res, base))}`);
  });

export function languageForm(res: Response, query: string) {
  const present = languageOf(res);
  return html`
<form class="languages" method="post" action="/login/language${query}" aria-label="${wordsOf(res)('language')}">
${Object.entries(languages).map(
  ([language, { name }]) =>
    html`<button name="language" value="${language}" lang="${language}"${language === present && html` aria-current="true"`}>${name}</button>`,
)}
</form>`;
}
