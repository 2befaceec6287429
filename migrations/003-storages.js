/**
 * Adds storages, their use in projects, and OAuth 2 in both directions.
 *
 * Secrets that must be readable again are sealed texts (`src/secrets/keyring.ts`). Secrets that are
 * only compared are stored as hashes. Rows of a storage, a user or client credentials are deleted
 * together with them.
 */
const TIME_LENGTH = 24;

export async function up(knex) {
  const times = (table) => {
    table.string('created_at', TIME_LENGTH).notNullable();
    table.string('updated_at', TIME_LENGTH).notNullable();
  };
  const reference = (table, column, target, { nullable = false, onDelete = 'CASCADE' } = {}) => {
    const built = table.integer(column).references('id').inTable(target).onDelete(onDelete);
    if (!nullable) built.notNullable();
  };

  // issuer and subject at the OpenID provider, joined by a space
  await knex.schema.alterTable('users', (table) => table.string('identity', 600).unique());

  await knex.schema.createTable('storages', (table) => {
    table.increments('id');
    table.string('type', 30).notNullable();
    table.string('name', 255).notNullable().unique();
    table.string('origin', 255); // with a final slash
    table.string('origin_key', 255).unique(); // host, port and path; equal for equal origins
    table.string('authentication_method', 20);
    table.string('storage_audience', 255);
    table.string('tenant_id', 255);
    table.string('drive_id', 255);
    table.text('application_password'); // sealed
    reference(table, 'creator_id', 'users', { onDelete: 'RESTRICT' });
    times(table);
  });

  await knex.schema.createTable('project_storages', (table) => {
    table.increments('id');
    reference(table, 'project_id', 'projects');
    reference(table, 'storage_id', 'storages');
    reference(table, 'creator_id', 'users', { onDelete: 'RESTRICT' });
    table.string('project_folder_mode', 10).notNullable();
    table.string('project_folder_id', 255);
    times(table);
    table.unique(['project_id', 'storage_id']);
    table.index('storage_id');
  });

  // OAuth clients of our authorization server.
  await knex.schema.createTable('oauth_applications', (table) => {
    table.increments('id');
    table.string('name', 300).notNullable();
    table.string('client_id', 64).notNullable().unique();
    table.string('client_secret_hash', 64);
    table.boolean('confidential').notNullable();
    table.text('redirect_uris').notNullable(); // JSON
    table.text('scopes').notNullable(); // JSON
    reference(table, 'owner_id', 'users');
    reference(table, 'storage_id', 'storages', { nullable: true });
    times(table);
    table.unique('storage_id');
  });

  // Their codes, tokens, grants and sign-in steps, found by the hash of the value from the client.
  await knex.schema.createTable('oauth_artifacts', (table) => {
    table.increments('id');
    table.string('kind', 30).notNullable();
    table.string('key_hash', 64).notNullable();
    table.string('uid_hash', 64);
    table.string('grant_id', 64);
    table.string('client_id', 64);
    table.integer('user_id');
    table.text('payload').notNullable(); // JSON
    table.string('consumed_at', TIME_LENGTH);
    table.string('expires_at', TIME_LENGTH);
    times(table);
    table.unique(['kind', 'key_hash']);
    table.index('uid_hash');
    table.index('grant_id');
    table.index('client_id');
    table.index('user_id');
    table.index('expires_at');
  });

  // Our credentials as an OAuth client of a storage.
  await knex.schema.createTable('oauth_client_credentials', (table) => {
    table.increments('id');
    reference(table, 'storage_id', 'storages');
    table.string('client_id', 255).notNullable();
    table.text('client_secret').notNullable(); // sealed
    times(table);
    table.unique('storage_id');
    table.index('client_id');
  });

  await knex.schema.createTable('storage_tokens', (table) => {
    table.increments('id');
    reference(table, 'user_id', 'users');
    reference(table, 'storage_id', 'storages');
    reference(table, 'credentials_id', 'oauth_client_credentials');
    table.text('access_token').notNullable(); // sealed
    table.text('refresh_token'); // sealed
    table.string('expires_at', TIME_LENGTH);
    table.string('origin_user_id', 255);
    // The process that may refresh the token now, and until when.
    table.string('lease_token', 32);
    table.string('lease_until', TIME_LENGTH);
    times(table);
    table.unique(['user_id', 'storage_id']);
    table.index('storage_id');
    table.index('credentials_id');
  });

  // Sessions of browsers at our pages, and their attempts to connect with storages.
  await knex.schema.createTable('sessions', (table) => {
    table.increments('id');
    table.string('token_hash', 64).notNullable().unique();
    reference(table, 'user_id', 'users');
    table.string('expires_at', TIME_LENGTH).notNullable();
    times(table);
    table.index('user_id');
    table.index('expires_at');
  });

  await knex.schema.createTable('connection_attempts', (table) => {
    table.increments('id');
    table.string('state_hash', 64).notNullable().unique();
    reference(table, 'session_id', 'sessions');
    reference(table, 'storage_id', 'storages');
    reference(table, 'credentials_id', 'oauth_client_credentials');
    table.text('code_verifier').notNullable(); // sealed
    table.text('destination').notNullable();
    table.string('expires_at', TIME_LENGTH).notNullable();
    times(table);
    table.index('session_id');
    table.index('storage_id');
    table.index('credentials_id');
    table.index('expires_at');
  });

  // Users' tokens at the OpenID provider.
  await knex.schema.createTable('identity_tokens', (table) => {
    table.increments('id');
    reference(table, 'user_id', 'users');
    table.text('access_token').notNullable(); // sealed
    table.text('refresh_token'); // sealed
    table.string('expires_at', TIME_LENGTH);
    table.string('lease_token', 32);
    table.string('lease_until', TIME_LENGTH);
    times(table);
    table.unique('user_id');
  });

  // Counts of wrong passwords, by the hash of a login or of an address.
  await knex.schema.createTable('sign_in_failures', (table) => {
    table.increments('id');
    table.string('key_hash', 64).notNullable().unique();
    table.integer('failures').notNullable();
    table.string('expires_at', TIME_LENGTH).notNullable();
    times(table);
    table.index('expires_at');
  });
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}
