/** A copy of the checkout to which a type of storage is added, by hand as it were. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyOfSources, root } from '../packaging/checkout.js';

const LISTS = { types: 'src/storages/types.ts', adapters: 'src/storages/index.ts' };
export const MIGRATION = 'migrations/900-object-buckets.js';

/** What the sources of the type are in the copy. */
export const FOLDER = 'src/storages/object-bucket';

const here = join(root, 'test/extending');
const typeFiles = readdirSync(join(here, 'object-bucket')).map((name) => `${FOLDER}/${name}`);

/** All that is written for a new type: its folder, an entry in each of two lists, a migration. */
export const written = { new: [...typeFiles, MIGRATION], changed: Object.values(LISTS) };

export function copyWithNewType(): string {
  const copy = copyOfSources();
  cpSync(join(here, 'object-bucket'), join(copy, FOLDER), { recursive: true });
  cpSync(join(here, '900-object-buckets.js'), join(copy, MIGRATION));
  edit(join(copy, LISTS.types), [
    [/^import \{ about as /m, `import { about as ObjectBucket } from ${quoted('about')};\n$&`],
    [/^(const types = \{ .+) \};$/m, '$1, ObjectBucket };'],
  ]);
  edit(join(copy, LISTS.adapters), [
    [/^import type \{ StorageType \}/m, `import { objectBucket } from ${quoted('index')};\n$&`],
    [/^\} satisfies Record/m, '  ObjectBucket: objectBucket,\n$&'],
  ]);
  return copy;
}

const quoted = (name: string) => `'./object-bucket/${name}.js'`;

/** Replaces parts of a file. @throws where one is not there: then nothing would be proved */
export function edit(path: string, changes: readonly [part: RegExp, by: string][]): void {
  let text = readFileSync(path, 'utf8');
  for (const [part, by] of changes) {
    if (!part.test(text)) throw new Error(`${path} has nothing like ${part.source}`);
    text = text.replace(part, by);
  }
  writeFileSync(path, text);
}

/** Which files the copy has for itself, which are other ones there, and which it lacks. */
export function differences(copy: string): { new: string[]; changed: string[]; gone: string[] } {
  const [ours, theirs] = [filesOf(root), filesOf(copy)];
  const content = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8');
  const differs = (path: string) => content(root, path) !== content(copy, path);
  return {
    new: theirs.filter((path) => !ours.includes(path)),
    changed: theirs.filter((path) => ours.includes(path) && differs(path)),
    gone: ours.filter((path) => !theirs.includes(path)),
  };
}

/** What belongs to the sources. */
const PLACES = [
  'src',
  'migrations',
  'scripts',
  'docs',
  '.env.example',
  'schema.graphql',
  'package.json',
  'tsconfig.json',
];

const filesOf = (folder: string): string[] =>
  PLACES.flatMap((place) => {
    if (place.includes('.')) return [place];
    const entries = readdirSync(join(folder, place), { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(join(folder, '/').length));
  });
