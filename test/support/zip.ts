/** Reads ZIP archives as the people who download them do. */
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';

/** Names and contents, in the order of the archive. @throws if a checksum is wrong */
export async function unzipped(archive: Buffer): Promise<[name: string, content: string][]> {
  const zip = await promisify<Buffer, object, ZipFile>(fromBuffer)(archive, { lazyEntries: true });
  const files: [string, string][] = [];
  return new Promise((resolve, reject) => {
    zip.on('error', reject).on('end', () => resolve(files));
    zip.on('entry', (entry: Entry) => {
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error);
        buffer(stream)
          .then((content) => {
            if (crc32(content) !== entry.crc32) throw new Error(`${entry.fileName} is broken.`);
            files.push([entry.fileName, content.toString()]);
            zip.readEntry();
          })
          .catch(reject);
      });
    });
    zip.readEntry();
  });
}
