/** Text with its HTML rendering. */
import 'reflect-metadata';
import MarkdownIt, { type StateBlock, type Token } from 'markdown-it';
import { Field, ObjectType } from 'type-graphql';
import { isLonger } from '../contract/text-rules.js';
import { fieldWeights } from '../contract/field-weights.js';

@ObjectType({ description: 'Text with its HTML rendering.', simpleResolvers: true })
export class Formattable {
  @Field(() => String, { description: '`plain`, or `markdown` for comments.' })
  format!: string;

  @Field(() => String, { description: 'The text as it was entered.' })
  raw!: string;

  @Field(() => String, {
    description: 'The text as safe HTML.',
    complexity: fieldWeights.rendered,
  })
  html!: string;
}

const EMPTY: Formattable = { format: 'plain', raw: '', html: '' };

/** Plain text. Its HTML is one escaped paragraph. */
export const plain = (raw: string): Formattable =>
  raw === '' ? EMPTY : { format: 'plain', raw, html: `<p>${escapeHtml(raw)}</p>` };

/** Markdown without raw HTML. It is rendered when `html` is read. */
export const markdown = (raw: string): Formattable => ({
  format: 'markdown',
  raw,
  get html() {
    // A GraphQL document can request the same text under many aliases.
    if (latest.raw === raw) return latest.html;
    if (spentMs > MAX_MS) return asEntered(raw);
    latest = { raw, html: render(raw) };
    return latest.html;
  },
});

let latest = { raw: '', html: '' };

/** Renders Markdown. A text that would give too much HTML is shown as it was entered. */
function render(raw: string): string {
  const began = performance.now();
  try {
    const tokens = isLonger(raw, MAX_CHARACTERS) ? undefined : renderer.parse(raw, {});
    if (tokens && attributeLength(tokens) <= Math.max(MAX_ATTRIBUTES, 2 * raw.length))
      return renderer.renderer.render(tokens, renderer.options, {}).trim();
  } catch {
    // Too many tokens, or an error of the renderer: the text is shown as it was entered.
  } finally {
    if (spentMs === 0)
      setImmediate(() => {
        spentMs = 0;
      });
    spentMs += performance.now() - began;
  }
  return asEntered(raw);
}

const asEntered = (raw: string): string => `<p>${escapeHtml(raw).replaceAll('\n', '<br>\n')}</p>`;

/**
 * Time limit for rendering in one turn of the event loop; one text can exceed it.
 * A list can contain hundreds of texts that were made to render slowly.
 */
const MAX_MS = 50;
let spentMs = 0;

/** Nested quotations take milliseconds for each thousand characters. */
const MAX_CHARACTERS = 64 * 1024;
const MAX_ATTRIBUTES = 100_000;
const MAX_TOKENS = 10_000;

/**
 * The total length of all attributes.
 * A reference is written once, but each of its uses prints its address again. Only the printed text
 * is large, because the tokens share the address.
 */
function attributeLength(tokens: Token[]): number {
  let length = 0;
  for (const { children } of tokens)
    for (const { attrs } of children ?? [])
      for (const [, value] of attrs ?? []) length += String(value).length;
  return length;
}

const renderer = new MarkdownIt({ html: false, linkify: false });

// markdown-it fills short table rows up to the width of the head: 2 kB become 65,000 cells.
renderer.block.State = class extends renderer.block.State {
  override push(...args: Parameters<StateBlock['push']>): Token {
    if (this.tokens.length > Math.max(MAX_TOKENS, 2 * this.src.length))
      throw new Error('There are too many tokens.');
    return super.push(...args);
  }
};

const entities: { [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
