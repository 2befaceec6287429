/** Text with its rendering (interface 2.1). */
import 'reflect-metadata';
import MarkdownIt, { type StateBlock, type Token } from 'markdown-it';
import { Field, ObjectType } from 'type-graphql';
import { isLonger } from '../contract/text-rules.js';

@ObjectType({ description: 'Text together with its HTML rendering.', simpleResolvers: true })
export class Formattable {
  @Field(() => String, { description: '`plain`, or `markdown` for comments.' })
  format!: string;

  @Field(() => String, { description: 'The text as it was entered.' })
  raw!: string;

  @Field(() => String, { description: 'The text as safe HTML.' })
  html!: string;
}

const EMPTY: Formattable = { format: 'plain', raw: '', html: '' };

/** Text of which nothing is interpreted: its HTML is the escaped paragraph. */
export const plain = (raw: string): Formattable =>
  raw === '' ? EMPTY : { format: 'plain', raw, html: `<p>${escapeHtml(raw)}</p>` };

/** Markdown without raw HTML, rendered when the HTML is asked for. */
export const markdown = (raw: string): Formattable => ({
  format: 'markdown',
  raw,
  get html() {
    // A document may ask for the same text by thirty names.
    if (latest.raw === raw) return latest.html;
    if (spentMs > MOST_MS) return asEntered(raw);
    latest = { raw, html: render(raw) };
    return latest.html;
  },
});

let latest = { raw: '', html: '' };

/** Some markup makes much HTML of little text; such a text is shown as it was entered. */
function render(raw: string): string {
  const began = performance.now();
  try {
    const tokens = isLonger(raw, MOST_CHARACTERS) ? undefined : renderer.parse(raw, {});
    if (tokens && attributeLength(tokens) <= Math.max(MOST_ATTRIBUTES, 2 * raw.length))
      return renderer.renderer.render(tokens, renderer.options, {}).trim();
  } catch {
    // Too many tokens; and whatever a text may do to the renderer, it can be shown.
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

/** What one turn of the event loop has rendered takes so long at most, and one text more: a list may have hundreds that are made to take long. */
const MOST_MS = 300;
let spentMs = 0;

/** Some shapes of text, quotations within quotations, take milliseconds for each thousand characters. */
const MOST_CHARACTERS = 64 * 1024;
const MOST_ATTRIBUTES = 100_000;
const MOST_TOKENS = 10_000;

/** A reference is written once and its address repeated by each of its uses; until they are rendered they share it. */
function attributeLength(tokens: Token[]): number {
  let length = 0;
  for (const { children } of tokens)
    for (const { attrs } of children ?? [])
      for (const [, value] of attrs ?? []) length += String(value).length;
  return length;
}

const renderer = new MarkdownIt({ html: false, linkify: false });

// A row of a table that is shorter than its head is filled up: 2 kB become 65,000 cells.
renderer.block.State = class extends renderer.block.State {
  override push(...args: Parameters<StateBlock['push']>): Token {
    if (this.tokens.length > Math.max(MOST_TOKENS, 2 * this.src.length))
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
  text.replace(/[&<>"']/g, (character) => entities[character]!);
