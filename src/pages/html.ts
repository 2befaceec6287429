/** The template tag `html`, which escapes all values except its own results. */

export class Html {
  constructor(readonly text: string) {}
}

type Value = Html | string | number | undefined | false | readonly Html[];

export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(
    parts
      .map((part, index) => part + (index < values.length ? textOf(values[index]) : ''))
      .join(''),
  );

function textOf(value: Value): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  return typeof value === 'object' ? value.map(textOf).join('') : escaped(String(value));
}

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
