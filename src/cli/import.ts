/** `moorage import FILE [--output FILE]` */
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { BadDirectory, importDirectory } from '../actions/import-directory.js';
import type { Command } from './commands.js';
import { withServices } from './services.js';
import { print, UsageError } from './usage.js';

const SHOWN = 50;

export const importCommand: Command = {
  summary: 'take people, projects and containers from a file   FILE [--output FILE]',
  async run(args) {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { output: { type: 'string' }, json: { type: 'boolean' } } });
    const [file, ...rest] = positionals;
    if (!file || rest.length > 0) throw new UsageError('import takes one file.');
    await withServices(async (services) => {
      try {
        const ids = await importDirectory(services, () => createReadStream(file, { highWaterMark: 256 * 1024 }), process.stderr.isTTY ? showProgress : undefined);
        if (values.output) await writeFile(values.output, `${JSON.stringify(ids, null, 2)}\n`);
        print(values.json, ids, () => `Imported ${Object.entries(ids).map(([name, rows]) => `${Object.keys(rows as object).length} ${name}`).join(', ')}.`);
      } catch (error) {
        if (!(error instanceof BadDirectory)) throw error;
        if (values.json) print(true, { errors: error.rows }, () => '');
        const more = error.rows.length - SHOWN;
        throw new Error([error.message, ...error.rows.slice(0, SHOWN).map(({ path, message }) => `  ${path}: ${message}`), ...(more > 0 ? [`  and ${more} more`] : [])].join('\n'));
      }
    });
  },
};

const showProgress = (rows: number) => void process.stderr.write(`\r${rows} rows`);
