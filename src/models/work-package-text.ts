/** The texts of descriptions of work packages, in which searches look. */
import type { Knex } from 'knex';
import { foldedInOneLine } from '../contract/folded-text.js';

const TABLE = 'work_package_texts';

/** Writes the searched texts of descriptions that are new or have changed. */
export async function keepDescriptionTexts(
  trx: Knex,
  rows: readonly { id: number; description: string }[],
): Promise<void> {
  const empty = rows.filter(({ description }) => description === '').map(({ id }) => id);
  const texts = rows
    .filter(({ description }) => description !== '')
    .map(({ id, description }) => ({ id, search_text: foldedInOneLine(description) }));
  if (empty.length > 0) await trx(TABLE).whereIn('id', empty).delete();
  if (texts.length > 0)
    await trx(TABLE)
      .insert(texts)
      .onConflict('id')
      .merge()
      // An import has many texts that are as before.
      .whereRaw(`${TABLE}.search_text <> excluded.search_text`);
}
