/**
 * Writes `assets/` of a build: what all pages share, and the bundles `assets/explorer` and `assets/api-page`.
 * The names of the bundles' files contain a hash of their content. Only their compressed forms are
 * stored, so the service needs neither compression nor the libraries.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, transform } from 'esbuild';
import { licencesOf } from './licences-of.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const assets = join(process.env['BUILD_FOLDER'], 'assets');

/** GraphiQL's styles contain fonts of 350 kB. The pages use the fonts of the system. */
const withoutFonts = {
  name: 'without fonts',
  setup({ onLoad }) {
    onLoad({ filter: /graphiql[\\/]dist[\\/]style\.css$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/@font-face\s*\{[^}]*\}/g, ''),
      loader: 'css',
    }));
  },
};

/** @returns the files of a page with their contents, and a text with the licences */
async function bundle(name, entry) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    entryNames: '[name]-[hash]',
    entryPoints: { [name]: entry },
    legalComments: 'none',
    loader: { '.png': 'dataurl' },
    logLevel: 'warning',
    metafile: true,
    minify: true,
    outdir: assets,
    plugins: [withoutFonts],
    target: 'es2022',
    write: false,
  });
  return { outputFiles, licences: licencesOf(root, Object.keys(metafile.inputs)) };
}

const compress = {
  br: (body) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gz: (body) => promisify(gzip)(body, { level: 9 }),
};

/** Writes what all pages share, in compressed forms only, unless it is there already. */
async function writeShared() {
  const source = (path) => readFileSync(join(root, path));
  // The pages and the application have the same colours and sizes.
  const style = await transform(
    source('web/src/styles/tokens.css').toString() +
      source('src/pages/static/pages.css').toString(),
    { loader: 'css', minify: true },
  );
  const files = {
    'pages.css': Buffer.from(style.code),
    'icon.svg': source('src/pages/static/icon.svg'),
    'harbour.svg': source('src/pages/static/harbour.svg'),
    'contours.svg': source('src/pages/static/contours.svg'),
  };
  const etagOf = (body) => createHash('sha256').update(body).digest('hex').slice(0, 32);
  const etags = Object.entries(files).map(([name, body]) => [name, etagOf(body)]);
  const list = `${JSON.stringify(Object.fromEntries(etags), null, 2)}\n`;
  const listFile = join(assets, 'etags.json');
  if (existsSync(listFile) && readFileSync(listFile, 'utf8') === list) return;
  mkdirSync(assets, { recursive: true });
  for (const [name, body] of Object.entries(files))
    for (const [ending, compressed] of Object.entries(compress))
      writeFileSync(join(assets, `${name}.${ending}`), await compressed(body));
  writeFileSync(listFile, list);
}

/** Writes a folder, unless it has these files already. */
async function write(name, { outputFiles, licences }) {
  const folder = join(assets, name);
  const nameOf = (ending) => basename(outputFiles.find(({ path }) => path.endsWith(ending)).path);
  const list = `${JSON.stringify({ script: nameOf('.js'), style: nameOf('.css') }, null, 2)}\n`;
  const listFile = join(folder, 'files.json');
  if (existsSync(listFile) && readFileSync(listFile, 'utf8') === list) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await Promise.all(
    outputFiles.map(async ({ path, contents }) => {
      const file = join(folder, basename(path));
      for (const [ending, compressed] of Object.entries(compress))
        writeFileSync(`${file}.${ending}`, await compressed(contents));
    }),
  );
  writeFileSync(join(folder, 'LICENCES.txt'), licences);
  // The list is written last, so a folder with the right list is complete.
  writeFileSync(listFile, list);
}

const pages = {
  explorer: 'web/developers/explorer/main.tsx',
  'api-page': 'web/developers/api-page/main.ts',
};
await writeShared();
await Promise.all(
  Object.entries(pages).map(async ([name, entry]) => write(name, await bundle(name, entry))),
);
