/** Searches for "strasse" find "Straße": the folded texts have `ss` for `ß`, as Unicode folds it. */

const TABLES = ['attachments', 'projects', 'users', 'work_packages'];

export async function up(knex) {
  for (const table of TABLES)
    await knex(table)
      .where('search_text', 'like', '%ß%')
      .update({ search_text: knex.raw("replace(search_text, 'ß', 'ss')") });
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}
