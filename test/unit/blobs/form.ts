/** Sends upload forms as clients do. */
import type { UploadForm } from '../../../src/blobs/store.js';

export async function send(
  { href, fields }: Pick<UploadForm, 'href' | 'fields'>,
  content: string | Uint8Array,
): Promise<Response> {
  const body = new FormData();
  for (const { name, value } of fields) body.append(name, value);
  body.append('file', new Blob([content]), 'file');
  return fetch(href, { method: 'POST', body });
}

/** The form with one field changed, or removed if no value is given. */
export function changed(form: UploadForm, name: string, value?: string): UploadForm {
  if (!form.fields.some((field) => field.name === name))
    throw new Error(`There is no field ${name}.`);
  return {
    ...form,
    fields: form.fields.flatMap((field) =>
      field.name !== name ? [field] : value === undefined ? [] : [{ name, value }],
    ),
  };
}
