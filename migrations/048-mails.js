/** Adds the queue of e-mails, what people want by e-mail, and in which language. */
const TIME_LENGTH = 24;
const WORD_LENGTH = 20;
const LANGUAGE_LENGTH = 8;
const SUBJECT_LENGTH = 300;
const LEASE_TOKEN_LENGTH = 32;

export async function up(knex) {
  await knex.schema.alterTable('users', (table) => {
    table.string('mail_preference', WORD_LENGTH).notNullable().defaultTo('immediate');
    table.string('language', LANGUAGE_LENGTH);
  });
  // For the people who ask for a password by their address.
  await knex.raw('create index users_email_index on users (lower(email)) where email is not null');
  await knex.schema.createTable('mails', (table) => {
    table.increments('id');
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    table.string('kind', WORD_LENGTH).notNullable();
    table.string('subject', SUBJECT_LENGTH).notNullable().defaultTo('');
    table.string('since', TIME_LENGTH).notNullable();
    table.string('renewed_from', TIME_LENGTH);
    table.string('due_at', TIME_LENGTH).notNullable();
    table.integer('attempts').notNullable();
    table.string('lease_token', LEASE_TOKEN_LENGTH);
    table.string('created_at', TIME_LENGTH).notNullable();
    table.string('updated_at', TIME_LENGTH).notNullable();
    table.unique(['user_id', 'kind', 'subject']);
    table.index('due_at');
  });
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}
