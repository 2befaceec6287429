/** Finds files of ours that more users can open than the settings allow. */
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '../config.js';
import { forbiddenBits } from '../config/file-access.js';
import { KEY_FILE } from '../services.js';
import { demoKeysPath } from './demo-keys.js';

interface Found {
  path: string;
  mode: number;
}

const OTHERS_WRITE = 0o002;
/** In such a folder, as `/tmp`, users cannot replace files of others. */
const STICKY = 0o1000;

/**
 * Checks single files, their folders, and the folder of the blobs. The files in the folder of the
 * blobs are not checked: its mode keeps other users out. Other users may read a folder of single
 * files, but they must not be able to replace the files.
 * @returns the result in words
 * @throws Error with the command that corrects the modes
 */
export async function checkFileModes(config: Config): Promise<string> {
  if (process.platform === 'win32') return 'not checked: Windows has no such modes';
  const { database, blobs } = config;
  const rows =
    database.client === 'sqlite' ? ['', '-wal', '-shm'].map((end) => database.file + end) : [];
  const files = await existing([...rows, KEY_FILE, demoKeysPath(config)]);
  const kept = await existing(blobs.kind === 'disk' ? [blobs.root] : []);
  const folders = await existing([...new Set(files.map(({ path }) => dirname(path)))]);
  const forbidden = forbiddenBits(config);
  const wider = [...files, ...kept].filter(({ mode }) => (mode & forbidden) !== 0);
  const open = folders.filter(({ mode }) => (mode & (OTHERS_WRITE | STICKY)) === OTHERS_WRITE);
  if (wider.length + open.length === 0) return 'no wider than the settings allow';
  const modes = config.fileGroupAccess ? 'ug=rwX,o=' : 'u=rwX,go=';
  const commands = [
    ...(wider.length > 0 ? [`chmod -R ${modes} ${quoted(wider)}`] : []),
    ...(open.length > 0 ? [`chmod o-w ${quoted(open)}`] : []),
  ];
  throw new Error(`Other users can open or replace these. Type: ${commands.join(' && ')}`);
}

async function existing(paths: string[]): Promise<Found[]> {
  const found = await Promise.all(paths.map((path) => look(resolve(path))));
  return found.filter((one) => one !== undefined);
}

/**
 * @returns undefined if there is no such file
 * @throws Error if its mode cannot be read, for example in a closed folder of another user
 */
async function look(path: string): Promise<Found | undefined> {
  try {
    return { path, mode: (await stat(path)).mode };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    return undefined;
  }
}

const quoted = (found: Found[]): string =>
  found.map(({ path }) => `'${path.replaceAll("'", `'\\''`)}'`).join(' ');
