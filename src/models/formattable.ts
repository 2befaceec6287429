/** Text with its HTML rendering. */
import 'reflect-metadata';
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { escapeHtml } from './escape-html.js';

enum TextFormat {
  MARKDOWN = 'markdown',
  PLAIN = 'plain',
}
registerEnumType(TextFormat, {
  name: 'TextFormat',
  description: 'How a text is written.',
  valuesConfig: {
    MARKDOWN: { description: 'Markdown (CommonMark) without HTML. Comments use it.' },
    PLAIN: { description: 'Plain text.' },
  },
});

@ObjectType({ description: 'Text with its HTML rendering.', simpleResolvers: true })
export class Formattable {
  @Field(() => TextFormat, { description: 'How the text is written.' })
  format!: `${TextFormat}`;

  @Field(() => String, { description: 'The text as it was entered.' })
  raw!: string;

  /** Absent for Markdown, which is rendered when it is read. */
  html?: string;
}

const EMPTY: Formattable = { format: 'plain', raw: '', html: '' };

/** Plain text. Its HTML is one escaped paragraph. */
export const plain = (raw: string): Formattable =>
  raw === '' ? EMPTY : { format: 'plain', raw, html: `<p>${escapeHtml(raw)}</p>` };

/** Markdown without raw HTML. */
export const markdown = (raw: string): Formattable => ({ format: 'markdown', raw });
