/** Speaks the language of a person. */
import { isolated, type Language } from '../../contract/languages.js';
import { visible } from '../../contract/visible.js';
import { ar } from './ar.js';
import { de } from './de.js';
import { en } from './en.js';
import type { WordKey, Words } from './sentences.js';

const tables: { [language in Language]: Words } = { en, de, ar };

/** The sentence of a key, with its values filled in. */
export type Say = (key: WordKey, values?: { [name: string]: string | number }) => string;

export const sayIn =
  (language: Language): Say =>
  (key, values = {}) =>
    tables[language][key].replace(/\{(\w+)\}/g, (_, name: string) =>
      isolated(visible(String(values[name] ?? '')).replace(/\s+/g, ' '), language),
    );

/** A time to the minute, in UTC. */
export const timeIn = (language: Language, time: string): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(time))} UTC`;

const GIGABYTE = 1e9;
const MEGABYTE = 1e6;

/** A number of bytes in words: 1.2 GB. */
export const sizeIn = (language: Language, bytes: number): string => {
  const isLarge = bytes >= GIGABYTE;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: isLarge ? 'gigabyte' : 'megabyte',
    maximumFractionDigits: 1,
  }).format(bytes / (isLarge ? GIGABYTE : MEGABYTE));
};
