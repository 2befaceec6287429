/** The folders in which files are drawn. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ALL = 'moorage-preview-';
/** In a container, every process can have the same number. */
const OWN = `${ALL}${process.pid}-${Date.now()}-`;

export const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), OWN));

/** Removes the folders of processes that were killed while they drew. */
export async function removeLeftFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = /^moorage-preview-(\d+)-\d+-/.exec(name) ?? [];
    if (pid === undefined || name.startsWith(OWN)) continue;
    if (Number(pid) === process.pid || !isAlive(Number(pid)))
      await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
