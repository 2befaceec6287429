/** Text with its rendering (interface 2.1). */
import 'reflect-metadata';
import MarkdownIt from 'markdown-it';
import { Field, ObjectType } from 'type-graphql';

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
export const plain = (raw: string): Formattable => (raw === '' ? EMPTY : { format: 'plain', raw, html: `<p>${escapeHtml(raw)}</p>` });

/** Markdown without raw HTML, rendered when the HTML is asked for. */
export const markdown = (raw: string): Formattable => ({
  format: 'markdown',
  raw,
  get html() {
    return renderer.render(raw).trim();
  },
});

const renderer = new MarkdownIt({ html: false, linkify: false });

const entities: { [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);
