const transform = {
  '^.+\\.ts$': ['@swc/jest', {
    module: { type: 'es6' },
    sourceMaps: 'inline',
    jsc: {
      target: 'es2022',
      keepClassNames: true,
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    },
  }],
};
const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform,
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  setupFilesAfterEnv: ['<rootDir>/test/support/setup.ts'],
};
// Files that never touch a database run once; everything else runs on both.
const databaseFree = ['test/architecture.test.ts', 'test/config.test.ts', 'test/http.test.ts', 'test/interface.test.ts', 'test/blobs/', 'test/conformance/openapi.test.ts', 'test/fakes/', 'test/packaging/commands.test.ts', 'test/packaging/dockerfile.test.ts', 'test/packaging/package.test.ts', 'test/scanning/', 'test/storages/cloud-drive-files.test.ts', 'test/storages/live.test.ts', 'test/storages/self-hosted-files.test.ts'];
const patterns = databaseFree.map((path) => `<rootDir>/${path}`);

export default {
  testTimeout: 90_000,
  // Jest leaves a core to itself by default, which is half of two.
  maxWorkers: '100%',
  testSequencer: '<rootDir>/test/support/sequencer.cjs',
  projects: [
    { ...shared, displayName: 'sqlite', globals: { DATABASE: 'sqlite' }, testMatch: ['<rootDir>/test/**/*.test.ts'], testPathIgnorePatterns: ['/node_modules/', ...patterns] },
    { ...shared, displayName: 'postgres', globals: { DATABASE: 'postgres' }, testMatch: ['<rootDir>/test/**/*.test.ts'], testPathIgnorePatterns: ['/node_modules/', ...patterns] },
    { ...shared, displayName: 'no database', globals: { DATABASE: 'none' }, testMatch: patterns.map((path) => (path.endsWith('/') ? `${path}**/*.test.ts` : path)) },
  ],
};
