/** Sorts the attachments of all containers by name or by size, however many they are. */
export async function up(knex) {
  for (const column of ['file_name', 'file_size'])
    await knex.raw(
      `create index attachments_${column}_index on attachments (${column}, id) where phase = 'kept'`,
    );
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}
