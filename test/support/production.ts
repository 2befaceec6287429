/** The settings of a new service in production. */
import { join } from 'node:path';
import { TEST_SECRET_KEY } from './app.js';
import type { Environment } from './cli.js';
import { freshDatabase } from './database.js';

export const SITE = 'https://files.example.test';

export async function newEnvironment(): Promise<Environment> {
  const { url, folder } = await freshDatabase();
  return {
    DATABASE_URL: url,
    BLOB_STORE: `disk:${join(folder, 'blobs')}`,
    NODE_ENV: 'production',
    BASE_URL: SITE,
    SECRET_KEY: TEST_SECRET_KEY,
  };
}
