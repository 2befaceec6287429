/** Speaks the language of a request. */
import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import { cookieOf } from '../../auth/sessions.js';
import {
  isLanguage,
  isolated,
  LANGUAGE_COOKIE,
  languageAmong,
  type Language,
} from '../../contract/languages.js';
import { Html, html } from '../html.js';
import { ar } from './ar.js';
import { de } from './de.js';
import { en } from './en.js';
import type { WordKey, Words } from './sentences.js';

export type { WordKey };

const tables: { [language in Language]: Words } = { en, de, ar };

interface Values {
  [name: string]: string | number | Html;
}
/** The sentence of a key, with its values filled in. */
export type Say = (key: WordKey, values?: Values) => Html;

/** The language that was chosen, or else the first of the browser that we speak. */
export function languageOf(res: ServerResponse): Language {
  // All requests come through Express, those of the authorization server too.
  const req = res.req as Request;
  const chosen = cookieOf(req, LANGUAGE_COOKIE);
  return isLanguage(chosen) ? chosen : languageAmong(req.acceptsLanguages());
}

export function wordsOf(res: ServerResponse): Say {
  const language = languageOf(res);
  return (key, values = {}) =>
    new Html(
      tables[language][key]
        .split(/\{(\w+)\}/)
        .map((part, at) => {
          if (at % 2 === 0) return html`${part}`.text;
          return isolated(html`${values[part]}`.text, language);
        })
        .join(''),
    );
}

/** A number of minutes in words: 5 minutes. */
export const minutesIn = (res: ServerResponse, minutes: number): string =>
  new Intl.NumberFormat(languageOf(res), {
    style: 'unit',
    unit: 'minute',
    unitDisplay: 'long',
  }).format(minutes);
