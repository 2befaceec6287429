/**
 * Stores the demo users' API keys in a file beside the database, so that every start prints them.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { DemoKeys, KeyFile } from '../actions/operate/demo/load-demo.js';
import type { Config } from '../config.js';

export const demoKeysPath = (config: Config): string => besideDatabase(config, 'demo-keys.json');

/** The file name contains the name of the database, because databases may share a folder. */
export function besideDatabase({ database }: Config, ending: string): string {
  if (database.client === 'postgres') {
    const name = basename(decodeURIComponent(new URL(database.url).pathname)) || 'postgres';
    return resolve('data', `${name}.${ending}`);
  }
  const name = basename(database.file, extname(database.file));
  return join(dirname(resolve(database.file)), `${name}.${ending}`);
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
        await writeFile(path, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o660 });
      } catch (error) {
        // The start goes on; only later starts cannot print the keys.
        warn(error);
      }
    },
  };
}
