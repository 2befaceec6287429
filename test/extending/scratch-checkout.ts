/** A copy of the checkout with a new type of storage, added as a developer would do it. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyOfSources, root } from '../packaging/checkout.js';

const LISTS = { types: 'src/storages/types.ts', adapters: 'src/storages/index.ts' };
export const MIGRATION = 'migrations/900-object-buckets.js';

/** The paths of the sources of the type in the copy. */
export const FOLDER = 'src/storages/object-bucket';

const here = join(root, 'test/extending');
const typeFiles = readdirSync(join(here, 'object-bucket')).map((name) => `${FOLDER}/${name}`);

/** All code that is written for a new type: its folder, an entry in each of two lists, a migration. */
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
    [/^import \{ storageTypes, /m, `import { objectBucket } from ${quoted('index')};\n$&`],
    [/^\} satisfies Record/m, '  ObjectBucket: objectBucket,\n$&'],
  ]);
  return copy;
}

const quoted = (name: string) => `'./object-bucket/${name}.js'`;

/** Replaces parts of a file. @throws if a part is missing */
export function edit(path: string, changes: readonly [part: RegExp, by: string][]): void {
  let text = readFileSync(path, 'utf8');
  for (const [part, by] of changes) {
    if (!part.test(text)) throw new Error(`${path} has nothing like ${part.source}`);
    text = text.replace(part, by);
  }
  writeFileSync(path, text);
}

/** The files that only the copy has, that differ there, and that it lacks. */
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

/** Files that belong to the sources. */
const PLACES = [
  'src',
  'migrations',
  'scripts',
  'docs',
  'openapi',
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
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('/node_modules'))
      .map(({ parentPath, name }) => join(parentPath, name).slice(join(folder, '/').length));
  });
