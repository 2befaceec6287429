/** The demo users' API keys, kept beside the database so that every start can show them; the database has only their hashes. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config.js';

export const demoKeysFile = 'demo-keys.json';

type Keys = { [login: string]: string };

const pathOf = ({ database }: Config) => join(database.client === 'sqlite' ? dirname(resolve(database.file)) : resolve('data'), demoKeysFile);

export async function rememberDemoKeys(config: Config, keys: Keys | undefined): Promise<void> {
  if (!keys) return;
  const path = pathOf(config);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
}

export async function rememberedDemoKeys(config: Config): Promise<Keys> {
  if (config.production) return {};
  try {
    return JSON.parse(await readFile(pathOf(config), 'utf8')) as Keys;
  } catch {
    return {};
  }
}
