/** The language of the reader: sentences and plurals. */
import { en } from './en';
import { de } from './de';
import { visible } from './names';
import type { WordKey, Words } from './sentences';

export type { WordKey };

type Values = { [name: string]: string | number };

const languages: { [language: string]: Words } = { en, de };

/** The first language of the reader that the pages speak; English otherwise. */
export const language =
  navigator.languages.map((one) => one.slice(0, 2).toLowerCase()).find((one) => one in languages) ??
  'en';
/** The reader's own variant (`en-GB`), for dates and numbers. */
export const locale = navigator.languages.find((one) => one.startsWith(language)) ?? language;

const words = languages[language] ?? en;
const plural = new Intl.PluralRules(locale);
const number = new Intl.NumberFormat(locale);

/** A number as the reader's language writes it: 5,000. */
export const numeral = (value: number): string => number.format(value);

/** The sentence of a key, with its values filled in. Numbers are written by locale. */
export function say(key: WordKey, values: Values = {}): string {
  const sentence = words[key];
  const count = values['count'];
  const one = typeof count === 'number' && plural.select(count) === 'one';
  const text = typeof sentence === 'string' ? sentence : sentence[one ? 'one' : 'other'];
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? number.format(value) : visible(value);
  });
}
