/** What the compiler says of the new type where a piece of it is left out. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bash, root } from '../packaging/checkout.js';
import { emptyFolder } from '../support/cli.js';
import { edit } from './scratch-checkout.js';

export interface Omission {
  file: string;
  /** What is left out of it. */
  part: RegExp;
  /** In this file, if not in the same one. */
  refusedIn?: string;
  message: string;
}

export interface Refusal {
  file: string;
  message: string;
}

/**
 * Compiles only `src/storages` of the copy, once for each omission; all of them in one run, because
 * most of its time goes into the types of Node.js.
 * @returns what is refused, in the order of the omissions
 */
export async function refusals(copy: string, omissions: readonly Omission[]): Promise<Refusal[][]> {
  const folder = emptyFolder();
  mkdirSync(join(folder, 'src'));
  for (const name of ['node_modules', 'package.json', 'tsconfig.json']) {
    symlinkSync(join(root, name), join(folder, name));
  }
  // What the room of storages imports.
  for (const room of ['outbound', 'contract', 'observability']) {
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
  const { stdout } = await bash('node_modules/.bin/tsc -p reduced.json --pretty false', folder);
  return rooms.map((room) => refusalsOf(stdout, `src/${room}/`));
}

/** A refusal begins with its place; its details are indented. */
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
