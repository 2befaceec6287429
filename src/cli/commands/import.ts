/** `moorage import FILE [--output FILE]` */
import { createReadStream, existsSync } from 'node:fs';
import { open, rm, stat, writeFile } from 'node:fs/promises';
import {
  BadDirectory,
  importDirectory,
  MalformedFile,
} from '../../actions/people/directory/import-directory.js';
import type { Run } from '../command.js';
import { print, printJson } from '../output.js';
import { progressOn } from '../progress.js';
import { withServices } from '../services.js';

/** The most bad rows that are printed. */
const SHOWN = 50;

export const importCommand: Run<{ output?: string }> = async ({ output, json }, file = '') => {
  if (!(await stat(file)).isFile())
    throw new Error(`${file} is not a regular file: import reads it twice.`);
  const progress = progressOn(process.stderr);
  await outputTo(output, () =>
    withServices(async (services) => {
      try {
        const ids = await importDirectory(
          services,
          () => createReadStream(file, { highWaterMark: 256 * 1024 }),
          (rows) => progress.show(`${rows} rows`),
        );
        progress.clear();
        if (output) await writeFile(output, `${JSON.stringify(ids, null, 2)}\n`);
        print(
          json,
          ids,
          () =>
            `Imported ${Object.entries(ids)
              .map(([name, rows]) => `${Object.keys(rows as object).length} ${name}`)
              .join(', ')}.`,
        );
      } catch (error) {
        const faults =
          error instanceof BadDirectory
            ? error.rows
            : error instanceof MalformedFile
              ? [{ path: '', message: error.message }]
              : undefined;
        if (json && faults) printJson({ errors: faults });
        throw error instanceof BadDirectory ? new Error(listed(error)) : error;
      }
    }),
  );
};

/**
 * Creates the output file before the work, to fail early when it cannot be written. A new file is
 * deleted when the work fails.
 */
async function outputTo(path: string | undefined, work: () => Promise<void>): Promise<void> {
  if (!path) return work();
  const isNew = !existsSync(path);
  await (await open(path, 'a')).close();
  try {
    await work();
  } catch (error) {
    if (isNew) await rm(path, { force: true });
    throw error;
  }
}

function listed({ message, rows, count }: BadDirectory): string {
  const shown = rows.slice(0, SHOWN);
  const more = count - shown.length;
  return [
    message,
    ...shown.map((row) => `  ${row.path || 'the file'}: ${row.message}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join('\n');
}
