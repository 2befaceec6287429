/** The fenced blocks of the project's pages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './checkout.js';

export interface Block {
  /** Path of the page, from the root of the project. */
  page: string;
  /** What stands behind the fence, e.g. `sh`. */
  language: string;
  text: string;
}

export const blocksOf = (page: string): Block[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
    ([, language = '', text = '']) => ({ page, language, text }),
  );

/** All commands of README.md and of the pages in `docs`, in their order. */
export const commandBlocks = (): Block[] =>
  [
    'README.md',
    ...readdirSync(join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => `docs/${name}`),
  ]
    .flatMap(blocksOf)
    .filter(({ language }) => language === 'sh');
