/** Serves a copy of the checkout, with the people and projects of a directory file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, succeeded } from '../packaging/checkout.js';
import { TEST_SECRET_KEY } from '../support/app.js';
import { run, serve, type Environment } from '../support/cli.js';
import { freshDatabase } from '../support/database.js';

/** The compiler reads only the files that its configuration includes. */
export const compiling = (copy: string): Environment => ({
  TSX_TSCONFIG_PATH: join(copy, 'tsconfig.json'),
});

export interface Served {
  address: string;
  /** The output of `moorage import`. */
  ids: { [list: string]: { [key: string]: number } };
  environment: Environment;
}

export async function served(copy: string, directory: object): Promise<Served> {
  const { url, folder } = await freshDatabase();
  const environment: Environment = {
    ...compiling(copy),
    DATABASE_URL: url,
    BLOB_STORE: `disk:${join(folder, 'blobs')}`,
    TRASH_DAYS: '0',
    SECRET_KEY: TEST_SECRET_KEY,
    BACKGROUND_WORK: 'false',
  };
  const moorage = {
    by: [
      process.execPath,
      '--import',
      join(root, 'node_modules/tsx/dist/esm/index.mjs'),
      join(copy, 'src/cli/main.ts'),
    ],
  };
  const file = join(folder, 'directory.json');
  writeFileSync(file, JSON.stringify(directory));
  // It migrates before it imports.
  const output = succeeded(await run(['import', file, '--json'], environment, moorage));
  const {
    banner: { address },
  } = await serve(environment, moorage);
  return { address, ids: JSON.parse(output) as Served['ids'], environment };
}
