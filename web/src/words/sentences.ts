/** What each language has: a sentence for each key. */
import type { en as ofAdministration } from '../administration/words/en.js';
import type { en } from './en.js';

export type WordKey = keyof typeof en | keyof typeof ofAdministration;
/** A sentence with a number has a form for each plural of the language. */
type Sentence = string | ({ other: string } & { [plural in Intl.LDMLPluralRule]?: string });
type Table<Keys extends string> = { [key in Keys]: Sentence };
export type Words = Table<keyof typeof en>;
export type AdministrationWords = Table<keyof typeof ofAdministration>;
export type AllWords = Table<WordKey>;
