/** Writes files into a ZIP archive, one after the other, while a client reads it. */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

interface ZippedFile {
  /** Without a path. */
  name: string;
  modifiedAt: Date;
  /** In bytes, if it is known. */
  size: number | undefined;
  bytes: Readable;
}

/**
 * The bytes of an archive (PKWARE APPNOTE 6.3.10). Files are stored as they are: most are compressed
 * already. A file is opened when the one before is written, so the memory does not grow with them.
 * The archive breaks off when a file fails.
 */
export function zipped(files: AsyncIterable<ZippedFile>): Readable {
  const zip = new ZipFile();
  // Cast: it is a `PassThrough`.
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  addAll(zip, output, files).catch((error: Error) => output.destroy(error));
  return output;
}

async function addAll(zip: ZipFile, output: Readable, files: AsyncIterable<ZippedFile>) {
  let open: Readable | undefined;
  // Pipes do not tell a source that its reader has gone.
  output.once('close', () => open?.destroy());
  const unique = uniqueNames();
  for await (const { name, modifiedAt, size, bytes } of files) {
    open = bytes;
    if (output.destroyed) return void bytes.destroy();
    zip.addReadStream(bytes, unique(name), {
      mtime: modifiedAt,
      ...(size !== undefined && { size }),
      compress: false,
    });
    await finished(bytes, { writable: false });
  }
  zip.end();
}

/** Characters that no file of Windows has, and dots with which a name leads out of its folder. */
const UNSAFE = /[<>:"/\\|?*]|^\.+$/g;

/** Makes each name different from those before, also for file systems that ignore case. */
function uniqueNames(): (name: string) => string {
  const used = new Set<string>();
  const pathKey = (name: string) => name.normalize('NFC').toLowerCase();
  return (given) => {
    const safe = given.replace(UNSAFE, '_');
    const [, stem = '', ending = ''] = /^(.+?)(\.[^.]*)?$/s.exec(safe) ?? [];
    let name = safe;
    for (let n = 2; used.has(pathKey(name)); n += 1) name = `${stem} (${n})${ending}`;
    used.add(pathKey(name));
    return name;
  };
}
