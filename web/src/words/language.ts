/** The language of the reader: the one that was chosen, or the first of the browser that we speak. */
import { useSyncExternalStore } from 'react';
import {
  isLanguage,
  LANGUAGE_COOKIE,
  LANGUAGE_COOKIE_SECONDS,
  languageAmong,
  languages,
  type Language,
} from '../../../src/contract/languages.js';
import { en } from './en';
import type { AdministrationWords, AllWords, Words } from './sentences';

export { languages, type Language };

/** English is in the first script, the others come when they are wanted. */
type Tables<Table> = { [language in Language]: () => Table | Promise<Table> };
const tables: Tables<Words> = {
  en: () => en,
  de: async () => (await import('./de')).de,
  ar: async () => (await import('./ar')).ar,
};

/** The pages change their language without a new start, so that uploads go on. */
export let language: Language = 'en';
export let words = en as Words as AllWords;
/** The reader's own variant (`en-GB`), for dates and numbers. */
let locale = 'en';

const listeners = new Set<() => void>();

/** Words of pages that are loaded later. */
const learned = new Set<Tables<AdministrationWords>>();

/** From now on the pages have these words too, in each language that is chosen. */
export async function learn(more: Tables<AdministrationWords>): Promise<void> {
  learned.add(more);
  words = { ...words, ...(await more[language]()) };
}

async function speak(next: Language): Promise<void> {
  const [own, ...others] = await Promise.all([
    tables[next](),
    ...Array.from(learned, (more) => more[next]()),
  ]);
  words = Object.assign({}, own, ...others) as AllWords;
  language = next;
  locale = navigator.languages.find((tag) => isOf(tag, next)) ?? next;
  Object.assign(document.documentElement, { lang: next, dir: languages[next].direction });
  for (const listener of listeners) listener();
}
const isOf = (tag: string, one: Language): boolean => tag.toLowerCase().split('-')[0] === one;

function chosen(): string | undefined {
  const pair = document.cookie.split('; ').find((one) => one.startsWith(`${LANGUAGE_COOKIE}=`));
  return pair?.slice(LANGUAGE_COOKIE.length + 1);
}

/** Without the words of the language, the pages are in English. */
export async function speakLanguageOfReader(): Promise<void> {
  const asked = chosen();
  const next = isLanguage(asked) ? asked : languageAmong(navigator.languages);
  await speak(next).catch(() => speak('en'));
}

/** The pages of the service, such as the sign-in, read the cookie too. */
export async function chooseLanguage(next: Language): Promise<void> {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  await speak(next);
  document.cookie = `${LANGUAGE_COOKIE}=${next}; Path=/; Max-Age=${LANGUAGE_COOKIE_SECONDS}; SameSite=Lax${secure}`;
}

export const useLanguage = (): Language =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => language,
  );

/** Makes something of the language, and keeps it until the language changes: making takes long. */
export function ofLanguage<Made>(make: (tag: string) => Made): () => Made {
  let kept: { tag: string; made: Made } | undefined;
  return () => {
    if (kept?.tag !== locale) kept = { tag: locale, made: make(locale) };
    return kept.made;
  };
}
