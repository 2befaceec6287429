/** The errors of the compiler if a part of the new type is missing. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bash, root } from '../packaging/checkout.js';
import { emptyFolder } from '../support/cli.js';
import { edit } from './scratch-checkout.js';

export interface Omission {
  file: string;
  /** The part that is left out. */
  part: RegExp;
  /** The file of the error, if it is another one. */
  refusedIn?: string;
  message: string;
}

export interface Refusal {
  file: string;
  message: string;
}

/**
 * Compiles only `src/storages` of the copy, once for each omission. All omissions share one run,
 * because most of its time goes into the types of Node.js.
 * @returns the errors, in the order of the omissions
 */
export async function refusals(copy: string, omissions: readonly Omission[]): Promise<Refusal[][]> {
  const folder = emptyFolder();
  mkdirSync(join(folder, 'src'));
  for (const name of ['node_modules', 'package.json', 'tsconfig.json']) {
    symlinkSync(join(root, name), join(folder, name));
  }
  // The imports of `src/storages`.
  for (const room of ['concurrency', 'outbound', 'contract', 'observability']) {
    symlinkSync(join(copy, 'src', room), join(folder, 'src', room));
  }
  const rooms = omissions.map((_, index) => `without-${String(index).padStart(2, '0')}`);
  for (const [index, { file, part }] of omissions.entries()) {
    const room = join(folder, 'src', rooms[index]!);
    cpSync(join(copy, 'src/storages'), room, { recursive: true });
    edit(join(room, file), [[part, '']]);
  }
  const config = { extends: './tsconfig.json', include: rooms.map((room) => `src/${room}`) };
  writeFileSync(join(folder, 'reduced.json'), JSON.stringify(config));
  const { stdout } = await bash(
    'node_modules/.bin/tsc -p reduced.json --pretty false --singleThreaded',
    folder,
  );
  return rooms.map((room) => refusalsOf(stdout, `src/${room}/`));
}

/** An error begins with its place. Its details are indented. */
const refusalsOf = (output: string, folder: string): Refusal[] =>
  output
    .split(/\n(?=\S)/)
    .filter((one) => one.startsWith(folder))
    .map((one) => {
      const [, file = '', message = ''] = /^(.+?)\(\d+,\d+\): (.+)$/s.exec(
        one.slice(folder.length),
      )!;
      return { file, message };
    });
