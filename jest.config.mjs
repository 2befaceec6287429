import { availableParallelism } from 'node:os';

const shared = {
  // Each build has a copy of package.json.
  modulePathIgnorePatterns: ['<rootDir>/builds/'],
  // Loads files as Node.js does, several in one process.
  runner: '<rootDir>/test/support/runner.mjs',
};
const paths = (list) => list.map((path) => `<rootDir>/${path}`);
const globs = (list) =>
  paths(list).map((path) => (path.endsWith('/') ? `${path}**/*.test.ts` : path));

/** They start no service, so no database. */
const withoutDatabase = [
  'test/architecture.test.ts',
  'test/extending/new-storage-type.test.ts',
  'test/packaging/builds.test.ts',
  'test/packaging/commands.test.ts',
  'test/packaging/dockerfile.test.ts',
  'test/packaging/package.test.ts',
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
  // Modes of files. On SQLite there are more of them.
  'test/cli/file-modes.test.ts',
  // The description of the interface: one file for both databases.
  'test/api/protocol/openapi.test.ts',
  'test/api/protocol/openapi-examples.test.ts',
  // The load of the processor is measured, not that of the database.
  'test/api/protocol/overload.test.ts',
];

export default {
  // Tests wait for servers more than they compute, so each core has two workers.
  maxWorkers: 2 * availableParallelism(),
  testSequencer: '<rootDir>/test/support/sequencer.cjs',
  projects: [
    {
      ...shared,
      displayName: 'sqlite',
      globals: { DATABASE: 'sqlite' },
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', ...paths(withoutDatabase)],
    },
    {
      ...shared,
      displayName: 'postgres',
      globals: { DATABASE: 'postgres' },
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', ...paths([...withoutDatabase, ...sqliteOnly])],
    },
    {
      ...shared,
      displayName: 'no database',
      globals: { DATABASE: 'none' },
      testMatch: globs(withoutDatabase),
    },
  ],
};
