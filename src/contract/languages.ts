/** The languages of the pages, and which of them a person gets. */

/** Their own names, and whether they are written from right to left. */
export const languages = {
  en: { name: 'English', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
  ar: { name: 'العربية', direction: 'rtl' },
} as const;

export type Language = keyof typeof languages;

/** Remembers which language a person has chosen. The scripts of the pages read and write it too. */
export const LANGUAGE_COOKIE = 'moorage_language';
export const LANGUAGE_COOKIE_SECONDS = 365 * 24 * 60 * 60;

export const isLanguage = (text: unknown): text is Language =>
  typeof text === 'string' && Object.hasOwn(languages, text);

/** @param wanted tags such as `de-AT`, the best one first. @returns English if we speak none */
export const languageAmong = (wanted: readonly string[]): Language =>
  wanted.map((tag) => tag.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en';

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/**
 * A name inside of a sentence. If one of both may run from right to left, the name is put between
 * marks (FSI and PDI of Unicode), so that neither changes the order of the other.
 */
export const isolated = (name: string, language: Language): string =>
  languages[language].direction === 'rtl' || RIGHT_TO_LEFT.test(name)
    ? `\u2068${name}\u2069`
    : name;
