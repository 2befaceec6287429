/**
 * Adds the audit: who changed what. Triggers keep its rows as they are.
 *
 * Rows can be removed when they are older than `audit_retention` says. Of a row that stays, only the
 * address and what identifies a person can be removed.
 * No column refers to another table: rows stay when their subject goes, and lock nothing.
 */
const TIME_LENGTH = 24;
const KEPT = [
  'id',
  'kind',
  'actor_id',
  'credential',
  'credential_id',
  'subject_type',
  'subject_id',
  'subject_name',
  'changes',
  'created_at',
];
const REMOVABLE = ['address', 'personal'];

export async function up(knex) {
  const isPostgres = knex.client.dialect === 'postgresql';
  await knex.schema.createTable('audit_events', (table) => {
    table.increments('id');
    table.string('kind', 64).notNullable();
    table.integer('actor_id');
    table.string('credential', 20);
    table.integer('credential_id');
    table.string('address', 64);
    table.string('subject_type', 64);
    table.integer('subject_id');
    table.text('subject_name');
    table.text('changes').notNullable(); // JSON
    table.text('personal'); // JSON
    table.string('created_at', TIME_LENGTH).notNullable();
    table.index(['kind', 'id']);
    table.index(['actor_id', 'id']);
    table.index(['subject_type', 'subject_id', 'id']);
    table.index('created_at');
  });
  await knex.schema.createTable('audit_retention', (table) => {
    table.integer('id').primary();
    table.string('kept_since', TIME_LENGTH).notNullable();
  });

  const isOld = 'exists (select 1 from audit_retention where kept_since > old.created_at)';
  const differs = (column) =>
    isPostgres
      ? `new.${column} is distinct from old.${column}`
      : `new.${column} is not old.${column}`;
  const isChanged = [
    ...KEPT.map(differs),
    ...REMOVABLE.map((column) => `(new.${column} is not null and ${differs(column)})`),
  ].join(' or ');
  const guards = [
    ['delete', `not ${isOld}`],
    ['update', isChanged],
  ];
  if (!isPostgres) {
    for (const [operation, isWrong] of guards)
      await knex.raw(
        `create trigger audit_events_no_${operation} before ${operation} on audit_events ` +
          `when ${isWrong} begin select raise(abort, 'The audit is append-only.'); end`,
      );
    return;
  }
  for (const [operation, isWrong] of guards) {
    const result = operation === 'delete' ? 'old' : 'new';
    await knex.raw(
      `create function audit_events_no_${operation}() returns trigger language plpgsql as $$
        begin
          if ${isWrong} then raise exception 'The audit is append-only.'; end if;
          return ${result};
        end $$`,
    );
    await knex.raw(
      `create trigger audit_events_no_${operation} before ${operation} on audit_events ` +
        `for each row execute function audit_events_no_${operation}()`,
    );
  }
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}
