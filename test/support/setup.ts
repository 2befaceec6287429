/** Runs before each test file. */
import 'reflect-metadata';
import { describe, test } from '@jest/globals';

declare const DATABASE: string;

const missing = process.env['MOORAGE_TEST_POSTGRES_MISSING'];
if (DATABASE === 'postgres' && missing !== undefined) {
  // Reported as skipped, with the reason, instead of silently left out.
  Object.assign(globalThis, { describe: describe.skip, test: test.skip, it: test.skip });
  console.warn(`PostgreSQL tests are skipped: ${missing}`);
}

// Files without a database start no app, so they need not load one.
if (DATABASE !== 'none') {
  const [{ watchAnswers }, { validateAnswer }] = await Promise.all([import('./app.js'), import('./openapi.js')]);
  watchAnswers(validateAnswer);
}
