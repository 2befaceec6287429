const shared = {
  // Files are loaded as Node.js does, one after the other in the same process: most of the time of a small one went into loading it.
  runner: ['jest-light-runner', { runtime: 'child_process' }],
  setupFilesAfterEnv: ['<rootDir>/test/support/setup.ts'],
};
const setupFiles = (kind) => [`<rootDir>/test/support/kinds/${kind}.ts`];
// Files that never touch a database run once; everything else runs on both.
const databaseFree = [
  'test/architecture.test.ts',
  'test/config.test.ts',
  'test/http.test.ts',
  'test/interface.test.ts',
  'test/blobs/',
  'test/conformance/openapi.test.ts',
  'test/fakes/',
  'test/packaging/build-once.test.ts',
  'test/packaging/commands.test.ts',
  'test/packaging/dockerfile.test.ts',
  'test/packaging/package.test.ts',
  'test/scanning/',
  'test/storages/cloud-drive-files.test.ts',
  'test/storages/live.test.ts',
  'test/storages/self-hosted-files.test.ts',
];
const patterns = databaseFree.map((path) => `<rootDir>/${path}`);

export default {
  // Jest leaves a core to itself by default, which is half of two.
  maxWorkers: '100%',
  testSequencer: '<rootDir>/test/support/sequencer.cjs',
  projects: [
    {
      ...shared,
      displayName: 'sqlite',
      setupFiles: setupFiles('sqlite'),
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', ...patterns],
    },
    {
      ...shared,
      displayName: 'postgres',
      setupFiles: setupFiles('postgres'),
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', ...patterns],
    },
    {
      ...shared,
      displayName: 'no database',
      setupFiles: setupFiles('none'),
      testMatch: patterns.map((path) => (path.endsWith('/') ? `${path}**/*.test.ts` : path)),
    },
  ],
};
