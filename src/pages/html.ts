/**
 * The template tag `html`, which escapes all values except its own results. Texts are shown with
 * marks for invisible characters; attributes keep them, because forms send attributes back.
 */
import { visible } from '../contract/visible.js';

export class Html {
  constructor(readonly text: string) {}
}

type Value = Html | string | number | undefined | false | readonly Html[];

export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(
    parts
      .map((part, index) =>
        index < values.length ? part + textOf(values[index], part.endsWith('="')) : part,
      )
      .join(''),
  );

function textOf(value: Value, isAttribute: boolean): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escaped(isAttribute ? String(value) : visible(String(value)));
}

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
