/** Keeps what the virus scan found in a file, or why the file could not be scanned. */
export async function up(knex) {
  await knex.raw('alter table attachments add column scan_note text');
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}
