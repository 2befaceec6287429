/** Sentences, in the language of the reader. */
import { isolated } from '../../../src/contract/languages.js';
import { language, ofLanguage, words } from './language';
import { visible } from './names';
import type { WordKey } from './sentences';

export type { WordKey };

type Values = { [name: string]: string | number };

const plural = ofLanguage((tag) => new Intl.PluralRules(tag));
const number = ofLanguage((tag) => new Intl.NumberFormat(tag));

/** A number as the reader's language writes it: 5,000. */
export const numeral = (value: number): string => number().format(value);

/** The sentence of a key, with its values filled in. Numbers are written by locale. */
export function say(key: WordKey, values: Values = {}): string {
  const sentence = words[key];
  const count = values['count'];
  const form = typeof count === 'number' ? plural().select(count) : 'other';
  const text = typeof sentence === 'string' ? sentence : (sentence[form] ?? sentence.other);
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? numeral(value) : isolated(visible(value), language);
  });
}

/** The sentence of a value of an enum. One without a sentence is named by itself: "Edit documents". */
export function nameOf(key: string | undefined, value: string): string {
  if (key !== undefined && key in words) return say(key as WordKey);
  const text = value.replaceAll('_', ' ');
  return text.charAt(0) + text.slice(1).toLowerCase();
}
