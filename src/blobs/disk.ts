/** Blobs as files below one folder, which is there from the first start on: without it a file that is not found may be anywhere. */
import { randomBytes } from 'node:crypto';
import { open as openWithCallback, type Dir } from 'node:fs';
import {
  access,
  constants,
  mkdir,
  open,
  opendir,
  rename,
  rm,
  stat,
  unlink,
  type FileHandle,
} from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { FileStream } from './file-stream.js';
import { BlobMissing, BlobsUnavailable, checkedKey, STAGING, type Blobs } from './store.js';

const openDescriptor = promisify(openWithCallback) as (
  path: string,
  flags: string,
) => Promise<number>;

/** Written and read in pieces of this size; half of it costs a fifth of the throughput. */
const CHUNK = 1024 * 1024;

export function openDisk(folder: string): Blobs {
  const root = resolve(folder);
  const incoming = join(root, 'incoming');
  const kept = join(root, 'kept');
  const pathOf = (key: string) => below(root, join('kept', checkedKey(key).slice(0, 2), key));

  /** @throws BlobsUnavailable while the folder is gone, as one of a volume that is not mounted */
  const demandFolder = async () => {
    await access(kept).catch((error: Error) => {
      throw new BlobsUnavailable(error);
    });
  };

  const blobs: Blobs = {
    async create() {
      const made = await makeFolder(kept);
      await makeFolder(incoming);
      return made;
    },

    async put(key, body) {
      const target = pathOf(key);
      const temporary = below(root, join('incoming', temporaryName(key)));
      try {
        const size = await writeFile(temporary, body);
        await access(kept);
        await moveInto(temporary, target);
        return { size };
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined);
        throw broken(error) ? new BlobsUnavailable(error as Error) : error;
      }
    },

    async read(key, range) {
      // A descriptor: streams on a FileHandle read through promises.
      const fd = await found(openDescriptor(pathOf(key), 'r'));
      if (fd === null) {
        await demandFolder();
        throw new BlobMissing(key);
      }
      return new FileStream(fd, CHUNK, range);
    },

    async stat(key) {
      const stats = await found(stat(pathOf(key)));
      if (!stats) await demandFolder();
      return stats && { size: stats.size };
    },

    async copy(from, to) {
      // A hard link would be as old as its source, and whoever looks for what was forgotten goes by age.
      const source = await blobs.read(from);
      try {
        await blobs.put(to, source);
      } finally {
        source.destroy();
      }
    },

    async remove(key) {
      if ((await found(unlink(pathOf(key)))) === null) await demandFolder();
    },

    async *list(area = 'finished') {
      const staging = area === 'staging';
      for await (const path of filesBelow(staging ? dirname(pathOf(`${STAGING}x`)) : kept)) {
        const key = relative(kept, path).split(sep).slice(1).join('/');
        if (!isKey(key) || path !== pathOf(key) || key.startsWith(STAGING) !== staging) continue;
        const stats = await found(stat(path));
        if (stats) yield { key, size: stats.size, modifiedAt: stats.mtime };
      }
    },

    async *unfinished() {
      for await (const path of filesBelow(incoming)) {
        const key = keyOfTemporary(relative(incoming, path));
        if (key !== undefined) yield { key, remove: () => rm(path, { force: true }) };
      }
    },

    async check() {
      for (const path of [incoming, kept]) await access(path, constants.W_OK);
    },
  };
  return blobs;
}

/** The one function that makes paths: nothing leaves the root. */
function below(root: string, relative: string): string {
  const path = resolve(root, relative);
  if (!path.startsWith(root + sep)) throw new Error('A blob path must stay below its root.');
  return path;
}

/** The key can be told from it: no key contains `_`. */
const temporaryName = (key: string) =>
  `${key.replaceAll('/', '_')}.${randomBytes(6).toString('hex')}`;

function keyOfTemporary(name: string): string | undefined {
  const key = /^(.+)\.[0-9a-f]{12}$/.exec(name)?.[1]?.replaceAll('_', '/');
  return key !== undefined && isKey(key) ? key : undefined;
}

function isKey(text: string): boolean {
  try {
    return checkedKey(text) === text;
  } catch {
    return false;
  }
}

/** The paths of all files; a folder may hold millions, so none is read as a whole. */
async function* filesBelow(folder: string): AsyncGenerator<string> {
  let entries: Dir;
  try {
    entries = await opendir(folder, { bufferSize: 256 });
  } catch (error) {
    if (missing(error)) return;
    throw error;
  }
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** Writes a new file and flushes it; while one piece is written the next one is gathered. */
async function writeFile(path: string, body: AsyncIterable<Uint8Array>): Promise<number> {
  const handle = await open(path, 'wx');
  let size = 0;
  let batch: Uint8Array[] = [];
  let held = 0;
  let writing: Promise<void> = Promise.resolve();
  const flush = async () => {
    const chunks = batch;
    batch = [];
    held = 0;
    await writing;
    writing = writeAll(handle, chunks);
    // A failure is met at the next await of `writing`; until then it must not count as unhandled.
    writing.catch(() => undefined);
  };
  try {
    for await (const chunk of body) {
      batch.push(chunk);
      size += chunk.byteLength;
      held += chunk.byteLength;
      if (held >= CHUNK) await flush();
    }
    await flush();
    await writing;
    await handle.sync();
    return size;
  } finally {
    await writing.catch(() => undefined);
    await handle.close();
  }
}

async function writeAll(handle: FileHandle, chunks: Uint8Array[]): Promise<void> {
  const wanted = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (wanted === 0) return;
  const { bytesWritten } = await handle.writev(chunks);
  if (bytesWritten === wanted) return;
  // Short write: the rest again, as the kernel reports why (a full disk answers ENOSPC then).
  let rest = Buffer.concat(chunks).subarray(bytesWritten);
  while (rest.byteLength > 0) rest = rest.subarray((await handle.write(rest)).bytesWritten);
}

async function moveInto(temporary: string, target: string): Promise<void> {
  const folder = dirname(target);
  await makeFolder(folder);
  await rename(temporary, target);
  await syncFolder(folder);
}

/** With those above it; what is made survives a power cut. @returns whether it was not there */
async function makeFolder(path: string): Promise<boolean> {
  const first = await mkdir(path, { recursive: true });
  for (let made = path; first !== undefined && made.length >= first.length; made = dirname(made))
    await syncFolder(dirname(made));
  return first !== undefined;
}

/** A rename survives a power cut only when its folder is flushed too. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The disk's own failures, apart from those of the body: it is full, gone, or may not be written. */
const broken = (error: unknown) =>
  /^E(NOSPC|DQUOT|FBIG|ROFS|IO|MFILE|NFILE|ACCES|PERM|NOENT|NOTDIR|EXIST)$/.test(
    (error as NodeJS.ErrnoException).code ?? '',
  );

const missing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** @returns null where there is nothing */
async function found<T>(looking: Promise<T>): Promise<T | null> {
  try {
    return await looking;
  } catch (error) {
    if (missing(error)) return null;
    throw error;
  }
}
