/** The documents of the project, and their fenced blocks. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './checkout.js';

export interface Block {
  /** Path of the page, from the root of the project. */
  page: string;
  /** The language of the fence, e.g. `sh`. */
  language: string;
  text: string;
}

/** Paths of the pages, from the root of the project. */
export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
];

export const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

export const blocksOf = (page: string): Block[] =>
  [...textOf(page).matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
    page,
    language,
    text,
  }));

/** Another test runs it, in an empty folder. */
export const TUTORIAL = 'docs/tutorial.md';

/** The commands of README.md and of all pages in `docs` except the tutorial. CONTRIBUTING.md is for developers. */
export const commandBlocks = (): Block[] =>
  pages
    .filter((page) => page !== TUTORIAL && page !== 'CONTRIBUTING.md')
    .flatMap(blocksOf)
    .filter(({ language }) => language === 'sh');
