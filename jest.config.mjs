import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const shared = {
  // Each build has a copy of package.json.
  modulePathIgnorePatterns: ['<rootDir>/builds/'],
  // Loads files as Node.js does, several in one process.
  runner: '<rootDir>/test/support/runner.mjs',
};
/** They start no service, so no database. */
const withoutDatabase = [
  'test/architecture.test.ts',
  'test/architecture/',
  'test/deploy/systemd.test.ts',
  'test/extending/new-storage-type.test.ts',
  'test/packaging/builds.test.ts',
  'test/packaging/commands.test.ts',
  'test/packaging/dockerfile.test.ts',
  'test/packaging/package.test.ts',
  'test/packaging/release.test.ts',
  'test/packaging/tutorial.test.ts',
  'test/requirements/',
  'test/storages/cloud-drive-files.test.ts',
  'test/storages/fakes/',
  'test/storages/live.test.ts',
  'test/storages/self-hosted-files.test.ts',
  'test/unit/blobs/',
  'test/unit/cache.test.ts',
  'test/unit/clamd.test.ts',
  'test/unit/config.test.ts',
  'test/unit/explorer-examples.test.ts',
  'test/unit/outbound-client.test.ts',
  'test/api/protocol/openapi-lint.test.ts',
];

/** They use a service, and nothing in them depends on its SQL: they run on SQLite only. */
const sqliteOnly = [
  // Pages know the service by its APIs only, whose tests run on both databases.
  'test/browser/',
  // The client knows the service by its protocols only.
  'test/client/',
  // How GraphQL documents and files are written in HTTP.
  'test/api/protocol/graphql-over-http.test.ts',
  'test/api/protocol/multipart-request.test.ts',
  // Requests that are no good HTTP, JSON or multipart never reach the database.
  'test/api/protocol/bad-http.test.ts',
  'test/api/protocol/bad-json.test.ts',
  'test/api/protocol/bad-multipart.test.ts',
  // The connections of the self-hosted file server run on both. Only the adapter is another one.
  'test/storages/cloud-drive.test.ts',
  // What adapters ask storages, and how answers become checks.
  'test/storages/health.test.ts',
  // It looks at the store, the scanner, storages and the address of either database.
  'test/cli/doctor.test.ts',
  // What a proxy passes on.
  'test/deploy/proxies.test.ts',
  // Modes of files. On SQLite there are more of them.
  'test/cli/file-modes.test.ts',
  // The description of the interface: one file for both databases.
  'test/api/protocol/openapi.test.ts',
  'test/api/protocol/openapi-examples.test.ts',
  // The load of the processor is measured, not that of the database.
  'test/api/protocol/overload.test.ts',
];

/** What they are about is SQL, which the databases understand differently: each run has them on both. */
const both = [
  // Order, cursors, filters and totals of lists.
  'test/api/lists/',
  'test/api/protocol/relay.test.ts',
  // Plans of all statements.
  'test/api/query-plans/',
  // Which rows somebody sees, along every edge.
  'test/permissions/edges.test.ts',
  'test/permissions/public-projects.test.ts',
  // Locks, leases and queues.
  'test/background/',
  'test/storages/two-processes.test.ts',
  // Statements that end with their client.
  'test/api/protocol/leaving.test.ts',
  // Migrations, and whole databases that are read or written.
  'test/cli/import.test.ts',
  'test/cli/missing-database.test.ts',
  'test/cli/new-database.test.ts',
  'test/cli/older-database.test.ts',
  'test/cli/setup.test.ts',
  'test/unit/database.test.ts',
  'test/unit/statements.test.ts',
];

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((path) => `test/${path}`)
  .filter((path) => path.endsWith('.test.ts'));
const isIn = (list, file) => list.some((one) => file === one || file.startsWith(one));
/** By its name, so that a file keeps its database when others are added. */
const firstOf = (file) => ['sqlite', 'postgres'][createHash('sha256').update(file).digest()[0] % 2];

/** Without the variable, a file runs on all its databases. `test/run.ts` sets it. */
const runs =
  {
    first: (file, database) => isIn(both, file) || firstOf(file) === database,
    others: (file, database) => !isIn(both, file) && firstOf(file) !== database,
  }[process.env['MOORAGE_TEST_DATABASES']] ?? (() => true);
const isOthers = process.env['MOORAGE_TEST_DATABASES'] === 'others';

const project = (DATABASE, displayName, isWanted) => ({
  ...shared,
  displayName,
  globals: { DATABASE },
  // Jest takes an empty list for all files.
  testMatch: ['<rootDir>/no-file', ...files.filter(isWanted).map((file) => `<rootDir>/${file}`)],
});
const isFree = (file) => !isIn(withoutDatabase, file);

export default {
  // Tests wait for servers more than they compute, so each core has two workers.
  maxWorkers: 2 * availableParallelism(),
  testSequencer: '<rootDir>/test/support/sequencer.cjs',
  projects: [
    project('sqlite', 'sqlite', (file) =>
      isIn(sqliteOnly, file) ? !isOthers : isFree(file) && runs(file, 'sqlite'),
    ),
    project(
      'postgres',
      'postgres',
      (file) => isFree(file) && !isIn(sqliteOnly, file) && runs(file, 'postgres'),
    ),
    project('none', 'no database', (file) => isIn(withoutDatabase, file) && !isOthers),
  ],
};
