/**
 * A blob store of files in one folder. The first start creates the folder. When it is missing
 * later, the store fails: a volume that is not mounted must not look like missing files.
 */
import { randomBytes } from 'node:crypto';
import fs, { closeSync, createReadStream, type Dir } from 'node:fs';
import { access, constants, mkdir, opendir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { appendToFile } from './append-to-file.js';
import { FileSlices } from './file-slices.js';
import {
  BlobMissing,
  BlobsUnavailable,
  BytesMissing,
  checkedKey,
  STAGING,
  type Blobs,
} from './store.js';

// Plain descriptors: a FileHandle costs an upload a tenth of its processor time.
const open = promisify(fs.open) as (path: string, flags: string) => Promise<number>;
const close = promisify(fs.close);
const sync = promisify(fs.fsync);
const write = promisify(fs.write) as (
  file: number,
  bytes: Uint8Array,
) => Promise<{ bytesWritten: number }>;
const writev = promisify(fs.writev) as (
  file: number,
  chunks: Uint8Array[],
) => Promise<{ bytesWritten: number }>;

/** Size of reads and writes, in bytes. With half of it the throughput is a fifth lower. */
const CHUNK = 1024 * 1024;

export function openDisk(folder: string): Blobs {
  const root = resolve(folder);
  const incoming = join(root, 'incoming');
  const kept = join(root, 'kept');
  const pathOf = (key: string) => below(root, join('kept', checkedKey(key).slice(0, 2), key));

  /** @throws BlobsUnavailable when the folder is missing, such as one on an unmounted volume */
  const demandFolder = async () => {
    await access(kept).catch((error: Error) => {
      throw new BlobsUnavailable(error);
    });
  };

  /** @throws BlobMissing */
  const openFile = async (key: string): Promise<number> => {
    // A plain file descriptor is faster: a stream of a FileHandle makes a promise for each read.
    const descriptor = await ifFound(open(pathOf(key), 'r'));
    if (descriptor !== null) return descriptor;
    await demandFolder();
    throw new BlobMissing(key);
  };

  const blobs: Blobs = {
    async create() {
      try {
        const isNew = await makeFolder(kept);
        await makeFolder(incoming);
        return isNew;
      } catch (error) {
        throw cannotBeUsed(error);
      }
    },

    // One chunk is collected while one is written.
    memoryOf: () => 2 * CHUNK,

    async put(key, body) {
      const target = pathOf(key);
      const temporary = below(root, join('incoming', temporaryName(key)));
      try {
        const size = await writeFile(temporary, body);
        await moveInto(temporary, target, kept);
        return { size };
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined);
        throw isDiskFailure(error) ? new BlobsUnavailable(error) : error;
      }
    },

    async read(key, range) {
      return createReadStream('', { fd: await openFile(key), highWaterMark: CHUNK, ...range });
    },

    async slices(key, range) {
      return new FileSlices(await openFile(key), range);
    },

    async stat(key) {
      const stats = await ifFound(stat(pathOf(key)));
      if (!stats) await demandFolder();
      return stats && { size: stats.size };
    },

    async copy(from, to) {
      // No hard link: it would be as old as its source, and the cleanup finds orphaned files by
      // age.
      const source = await blobs.read(from);
      try {
        await blobs.put(to, source);
      } finally {
        source.destroy();
      }
    },

    async remove(key) {
      if ((await ifFound(unlink(pathOf(key)))) === null) await demandFolder();
    },

    async begin(key) {
      const path = pathOf(key);
      try {
        await demandFolder();
        await makeFolder(dirname(path));
        closeSync(await open(path, 'a'));
        await syncFolder(dirname(path));
        return null;
      } catch (error) {
        throw isDiskFailure(error) ? new BlobsUnavailable(error) : error;
      }
    },

    async append({ key }, offset, body, durable) {
      const file = await ifFound(open(pathOf(key), 'r+'));
      if (file === null) {
        await demandFolder();
        throw new BytesMissing(0);
      }
      try {
        await appendToFile(file, offset, body, durable);
      } catch (error) {
        throw isDiskFailure(error) ? new BlobsUnavailable(error) : error;
      } finally {
        await close(file);
      }
    },

    async finish({ key, size }) {
      const stored = await blobs.stat(key);
      if (stored?.size !== size) throw new BytesMissing(stored?.size ?? 0);
    },

    discard: (key) => blobs.remove(key),

    async *list(area = 'finished') {
      const staging = area === 'staging';
      for await (const path of filesBelow(staging ? dirname(pathOf(`${STAGING}x`)) : kept)) {
        const key = relative(kept, path).split(sep).slice(1).join('/');
        if (!isKey(key) || path !== pathOf(key) || key.startsWith(STAGING) !== staging) continue;
        const stats = await ifFound(stat(path));
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
      try {
        for (const path of [incoming, kept]) await access(path, constants.W_OK);
      } catch (error) {
        throw cannotBeUsed(error);
      }
    },
  };
  return blobs;
}

/** Only operators see this error, so it names the setting. */
const cannotBeUsed = (cause: unknown) =>
  new Error(`The folder of BLOB_STORE cannot be used: ${(cause as Error).message}`, { cause });

/** Makes a path below the root. All paths of this store are made here. @throws for other paths */
function below(root: string, relative: string): string {
  const path = resolve(root, relative);
  if (!path.startsWith(root + sep)) throw new Error('A blob path must stay below its root.');
  return path;
}

/** Names the temporary file of a key. No key contains `_`, so `keyOfTemporary` can find the key. */
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

/** The paths of all files. Folders are read in parts, because they may hold millions of files. */
async function* filesBelow(folder: string): AsyncGenerator<string> {
  let entries: Dir;
  try {
    entries = await opendir(folder, { bufferSize: 256 });
  } catch (error) {
    if (isNotFound(error)) return;
    throw error;
  }
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** Writes a new file and flushes it. It collects the next chunk while one is written. */
async function writeFile(path: string, body: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'wx');
  let isFlushed = false;
  let size = 0;
  let batch: Uint8Array[] = [];
  let held = 0;
  let writing: Promise<void> = Promise.resolve();
  const flush = async () => {
    const chunks = batch;
    batch = [];
    held = 0;
    await writing;
    writing = writeAll(file, chunks);
    // If it fails, the next `await writing` throws. Until then, it is no unhandled rejection.
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
    await sync(file);
    isFlushed = true;
    return size;
  } finally {
    await writing.catch(() => undefined);
    // A flushed file is closed at once. Any other one could wait for a slow disk.
    if (isFlushed) closeSync(file);
    else await close(file);
  }
}

async function writeAll(file: number, chunks: Uint8Array[]): Promise<void> {
  const wanted = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (wanted === 0) return;
  const { bytesWritten } = await writev(file, chunks);
  if (bytesWritten === wanted) return;
  // After a short write, write the rest: the kernel then reports the reason, such as ENOSPC.
  let rest = Buffer.concat(chunks).subarray(bytesWritten);
  while (rest.byteLength > 0) rest = rest.subarray((await write(file, rest)).bytesWritten);
}

/** Renames a file. It makes the folder of the target only if it is missing, which is rare. */
async function moveInto(temporary: string, target: string, kept: string): Promise<void> {
  const folder = dirname(target);
  try {
    await rename(temporary, target);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await access(kept);
    await makeFolder(folder);
    await rename(temporary, target);
  }
  await syncFolder(folder);
}

/** Makes a folder and its parents, safe from a power cut. @returns whether it is new */
async function makeFolder(path: string): Promise<boolean> {
  const first = await mkdir(path, { recursive: true });
  for (let made = path; first !== undefined && made.length >= first.length; made = dirname(made))
    await syncFolder(dirname(made));
  return first !== undefined;
}

/** A rename survives a power cut only when its folder is flushed too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await sync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Failures of the disk, not of the body: it is full, missing, or read-only. */
const isDiskFailure = (error: unknown): error is Error =>
  /^E(NOSPC|DQUOT|FBIG|ROFS|IO|MFILE|NFILE|ACCES|PERM|NOENT|NOTDIR|EXIST)$/.test(
    (error as NodeJS.ErrnoException).code ?? '',
  );

const isNotFound = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** @returns null when the file does not exist */
async function ifFound<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
