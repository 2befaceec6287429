/** Every export is imported by another file. What only its own file uses is no export. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from '@babel/parser';
import { expect, test } from '../support/jest.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

const checked = ['src', 'client', 'web', 'bench'];
const importing = [...checked, 'openapi', 'scripts', 'test', 'examples'];

const clientPackage = JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8')) as {
  exports: { [entry: string]: string | { types: string; default: string } };
};
/** What programs outside import. */
const entryPoints = new Set(
  Object.values(clientPackage.exports)
    .flatMap((entry) => (typeof entry === 'string' ? entry : Object.values(entry)))
    .map((path) => path.replace(/^\.\/dist\/(.*)\.js$/, 'client/src/$1.ts'))
    .map((path) => path.replace(/^\./, 'client')),
);

/** All names of a module. */
const ALL = '*';

interface Use {
  /** The path in the statement. */
  from: string;
  name: string;
}

interface Module {
  exports: string[];
  uses: Use[];
}

interface Named {
  name?: string;
  value?: string;
}

/** Part of a syntax tree. */
interface Syntax {
  type: string;
  id?: Syntax & Named;
  decorators?: unknown[];
  source?: { value: string } | null;
  declaration?: Syntax | null;
  declarations?: { id: Syntax & Named }[];
  properties?: { value?: Syntax & Named }[];
  specifiers?: { type: string; imported?: Named; local?: Named; exported?: Named }[];
}

const nameIn = ({ name, value }: Named = {}): string => name ?? value ?? '';

function moduleOf(file: string, text: string): Module {
  const { program } = parse(text, {
    sourceType: 'module',
    errorRecovery: true,
    plugins: [
      'typescript',
      'decorators-legacy',
      ...(file.endsWith('.tsx') ? ['jsx' as const] : []),
    ],
  });
  const exports: string[] = [];
  const uses: Use[] = [];
  // Cast: the tree is read by names of its members.
  for (const statement of program.body as unknown as Syntax[]) {
    const { type, source, specifiers = [], declaration } = statement;
    if (type === 'ImportDeclaration' && source)
      for (const one of specifiers)
        uses.push(
          ...(one.type === 'ImportNamespaceSpecifier'
            ? membersOf(text, nameIn(one.local))
            : [one.type === 'ImportDefaultSpecifier' ? 'default' : nameIn(one.imported)]
          ).map((name) => ({ from: source.value, name })),
        );
    else if (type === 'ExportAllDeclaration' && source)
      uses.push({ from: source.value, name: ALL });
    else if (type === 'ExportDefaultDeclaration') exports.push('default');
    else if (type === 'ExportNamedDeclaration') {
      for (const one of specifiers) {
        exports.push(nameIn(one.exported));
        if (source) uses.push({ from: source.value, name: nameIn(one.local) });
      }
      if (declaration) exports.push(...declaredBy(declaration));
    }
  }
  for (const [, from = ''] of text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g))
    uses.push({ from, name: ALL });
  return { exports, uses };
}

/** The schema reads classes with decorators, so these count as used. */
function declaredBy({ id, decorators = [], declarations = [] }: Syntax): string[] {
  if (decorators.length > 0) return [];
  return [...(id ? [id] : []), ...declarations.map((one) => one.id)].flatMap((one) =>
    one.properties ? one.properties.map(({ value }) => nameIn(value)) : [nameIn(one)],
  );
}

/** The members of a module that a file names. A file that gives the module away uses all. */
function membersOf(text: string, module: string): string[] {
  const named = [...text.matchAll(new RegExp(`\\b${module}\\b(?:\\.(\\w+))?`, 'g'))].slice(1);
  return named.map(([, member]) => member ?? ALL);
}

const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter(
      (file) => /\.(tsx?|mjs)$/.test(file) && !/\/(node_modules|dist|assets|builds)\//.test(file),
    );

/** @returns each export that no other file imports */
export function unusedExports(modules: ReadonlyMap<string, Module>): string[] {
  const used = new Map<string, Set<string>>();
  for (const [file, { uses }] of modules)
    for (const { from, name } of uses) {
      if (!from.startsWith('.')) continue;
      const target = normalize(join(dirname(file), from));
      const found = ['', '.ts', '.tsx', '/index.ts']
        .flatMap((ending) => [target + ending, target.replace(/\.js$/, '') + ending])
        .find((path) => modules.has(path));
      if (found) used.set(found, (used.get(found) ?? new Set()).add(name));
    }
  return (
    [...modules]
      .filter(([file]) => !entryPoints.has(file))
      .filter(([file]) => checked.includes(file.split('/')[0] ?? ''))
      // Tools read the files of settings.
      .filter(([file]) => !/\/generated\/|\.config\.ts$/.test(file))
      .flatMap(([file, { exports }]) => {
        const names = used.get(file) ?? new Set();
        return names.has(ALL)
          ? []
          : exports.filter((name) => !names.has(name)).map((name) => `${file}: ${name}`);
      })
      .sort()
  );
}

test('no file exports what no other file imports', () => {
  const modules = new Map(
    importing
      .flatMap(filesBelow)
      .map((file) => [file, moduleOf(file, readFileSync(join(root, file), 'utf8'))]),
  );
  expect(unusedExports(modules)).toEqual([]);
});

test('the check notices each kind of export, and each way to import', () => {
  const module = (file: string, ...lines: string[]) =>
    [file, moduleOf(file, lines.join('\n'))] as const;
  const kinds = [
    'export const a = 1, { b, c: d } = x;',
    'export function e() {}',
    'export class F {}',
    'export interface G {}',
    'export type H = 1;',
    'export enum I { one }',
    'const j = 1; export { j, j as k };',
    "export { type L } from './other.js';",
    'export default j;',
    '@ObjectType() export class M {}',
  ];
  const named = ['a', 'b', 'd', 'e', 'F', 'G', 'H', 'I', 'j', 'k', 'L', 'default'];
  const unused = (...lines: string[]) =>
    unusedExports(
      new Map([
        module('src/kinds.ts', ...kinds),
        module('src/other.ts', 'export type L = 1;'),
        module('test/some.test.ts', ...lines),
      ]),
    ).map((line) => line.replace('src/kinds.ts: ', ''));
  expect(unused()).toEqual([...named].sort());
  expect(unused("import one, { a, type G, j as z } from '../src/kinds.js';")).toEqual(
    ['b', 'd', 'e', 'F', 'H', 'I', 'k', 'L'].sort(),
  );
  expect(unused("import * as all from '../src/kinds.js';", 'all.b(all.e);')).toEqual(
    named.filter((name) => !['b', 'e'].includes(name)).sort(),
  );
  for (const line of [
    "export * from '../src/kinds.js';",
    "await import('../src/kinds.js');",
    "import * as all from '../src/kinds.js'; give(all);",
  ])
    expect(unused(line)).toEqual([]);
});
