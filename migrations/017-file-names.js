/**
 * Adds the folded names of attachments, which searches in one container read.
 *
 * They have no index: the index of the container finds the rows.
 */
/** Rows in one statement. */
const BATCH = 500;

export async function up(knex) {
  await knex.raw("alter table attachments add column search_text text not null default ''");
  for (let after = 0; ;) {
    const rows = await knex('attachments')
      .select('id', 'file_name')
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH);
    if (rows.length === 0) break;
    const values = rows.map(() => '(cast(? as integer), ?)').join(', ');
    await knex.raw(
      `with texts (id, text) as (values ${values}) update attachments set search_text =` +
        ' (select text from texts where texts.id = attachments.id) where id in (select id from texts)',
      rows.flatMap((row) => [row.id, folded(row.file_name)]),
    );
    after = rows.at(-1).id;
  }
}

/** As the application folds texts: without case and accents. */
const folded = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}
