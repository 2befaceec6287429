/**
 * Bundles the packages that the compiled program of a build imports into `dist/packages`, and makes it import them
 * from there. Node.js then opens far fewer files, so that commands start in half the time.
 * The compiled files of Moorage stay files of their own, so stack traces name them.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { licencesOf } from './licences-of.mjs';
import { NOT_BUNDLED } from './not-bundled.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(process.env['BUILD_FOLDER'], 'dist');

/** Packages that bundled ones load only for options that Moorage does not use. They are not installed. */
const ABSENT = [
  'better-sqlite3',
  'class-validator',
  'mariadb',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'tedious',
];

/** @returns `{ file, name }` for each import of a package by a compiled file */
async function findImports() {
  const found = [];
  const noteImports = ({ onResolve }) =>
    onResolve({ filter: /./ }, ({ kind, path: name, importer: file }) => {
      if (kind === 'entry-point') return undefined;
      if (!name.startsWith('.') && !isBuiltin(name) && !NOT_BUNDLED.includes(name))
        found.push({ file, name });
      return { path: name, external: true };
    });
  await build({
    entryPoints: readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js') && !name.startsWith('packages/'))
      .map((name) => join(dist, name)),
    bundle: true,
    format: 'esm',
    outdir: dist,
    platform: 'node',
    plugins: [{ name: 'note imports', setup: noteImports }],
    write: false,
  });
  return found;
}

/** `@aws-sdk/client-s3` becomes `aws-sdk-client-s3`. */
const bundleOf = (name) => name.replace(/^@/, '').replace(/\.js$/, '').replaceAll('/', '-');

/** @returns the source of a bundle. It lists the exports, because only Node.js knows those of CommonJS. */
async function reexport(name) {
  const exports = Object.keys(await import(name)).filter(
    (one) => one !== '__esModule' && one !== 'module.exports',
  );
  return exports.length > 0
    ? `export { ${exports.join(', ')} } from '${name}';`
    : `import '${name}';`;
}

async function bundle(names) {
  const sources = {};
  for (const name of names) sources[`${bundleOf(name)}.mjs`] = await reexport(name);
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.keys(sources).map((file) => ({
      in: `bundle:${file}`,
      out: file.slice(0, -'.mjs'.length),
    })),
    banner: {
      js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
    },
    bundle: true,
    chunkNames: 'shared-[hash]',
    external: [...NOT_BUNDLED, ...ABSENT],
    format: 'esm',
    lineLimit: 120,
    // A function of `depd` uses `eval` with its own variables only.
    logOverride: { 'direct-eval': 'silent' },
    metafile: true,
    // Node.js keeps the text of what it has loaded in memory.
    minifyWhitespace: true,
    outdir: join(dist, 'packages'),
    platform: 'node',
    plugins: [
      {
        name: 'bundles',
        setup({ onResolve, onLoad }) {
          const namespace = 'bundle';
          onResolve({ filter: /^bundle:/ }, ({ path }) => ({ path: path.slice(7), namespace }));
          onLoad({ filter: /./, namespace }, ({ path }) => ({
            contents: sources[path],
            resolveDir: root,
          }));
        },
      },
    ],
    splitting: true,
    target: 'node20',
  });
  mkdirSync(join(dist, 'packages'), { recursive: true });
  writeFileSync(
    join(dist, 'packages', 'LICENCES.txt'),
    licencesOf(root, Object.keys(metafile.inputs)),
  );
}

function importBundles(file, names) {
  const text = readFileSync(file, 'utf8');
  const folder = relative(dirname(file), join(dist, 'packages'));
  const rewritten = text.replace(
    /^((?:import|export|\}).*?from |import )'([^']+)'|\bimport\('([^']+)'\)/gm,
    (whole, start, name, loaded) =>
      names.has(name ?? loaded)
        ? whole.replace(
            `'${name ?? loaded}'`,
            `'${folder.startsWith('.') ? folder : `./${folder}`}/${bundleOf(name ?? loaded)}.js'`,
          )
        : whole,
  );
  writeFileSync(file, rewritten);
}

const imports = await findImports();
const names = new Set(imports.map(({ name }) => name));
await bundle(names);
for (const file of new Set(imports.map(({ file }) => file))) importBundles(file, names);
const [left] = await findImports();
if (left) throw new Error(`${left.file} still imports ${left.name}.`);
