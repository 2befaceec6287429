/** The demo users' API keys in a file beside the database, so that every start can show them. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { DemoKeys, KeyFile } from '../actions/directory/load-demo.js';
import type { Config } from '../config.js';

/** Databases that share a folder keep their keys apart. */
export function demoKeysPath({ database }: Config): string {
  if (database.client === 'postgres')
    return resolve(
      'data',
      `${basename(decodeURIComponent(new URL(database.url).pathname)) || 'postgres'}.demo-keys.json`,
    );
  return join(
    dirname(resolve(database.file)),
    `${basename(database.file, extname(database.file))}.demo-keys.json`,
  );
}

export function demoKeyFile(config: Config, warn: (fault: unknown) => void): KeyFile {
  const path = demoKeysPath(config);
  return {
    async read() {
      try {
        const keys = JSON.parse(await readFile(path, 'utf8')) as DemoKeys;
        return Object.fromEntries(
          Object.entries(keys).filter(([, key]) => typeof key === 'string'),
        );
      } catch {
        return {};
      }
    },
    async write(keys) {
      try {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
      } catch (error) {
        // This start shows them all the same.
        warn(error);
      }
    },
  };
}
