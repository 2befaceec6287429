/** What each language has: a sentence for each key. */
import type { en } from './en.js';

export type WordKey = keyof typeof en;
export type Words = { [key in WordKey]: string };
