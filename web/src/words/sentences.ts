/** What each language has: a sentence for each key. */
import type { en } from './en';

export type WordKey = keyof typeof en;
type Sentence = string | { one: string; other: string };
export type Words = { [key in WordKey]: Sentence };
