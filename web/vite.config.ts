/** Builds the application into `assets/web.html` and `assets/web` of a build. */
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { licencesOf } from '../scripts/licences-of.mjs';

const assets = join(process.env['BUILD_FOLDER']!, 'assets');
/** Above this size the best quality takes seconds for two per cent less, in bytes. */
const LARGE = 500_000;
/** Files of packages that a worker has: the licences of a build leave them out. */
const inWorkers: string[] = [];

export default defineConfig({
  base: '/assets/',
  plugins: [
    react(),
    {
      name: 'compress',
      buildStart() {
        rmSync(join(assets, 'web'), { recursive: true, force: true });
      },
      closeBundle() {
        const folder = join(assets, 'web');
        const root = join(import.meta.dirname, '..');
        const files = inWorkers.map((file) => relative(root, file));
        appendFileSync(join(folder, 'LICENCES.txt'), `\n${licencesOf(root, files)}`);
        for (const name of readdirSync(folder).filter((one) => !/\.(br|gz)$/.test(one))) {
          const body = readFileSync(join(folder, name));
          writeFileSync(join(folder, `${name}.gz`), gzipSync(body, { level: 9 }));
          const params = { [constants.BROTLI_PARAM_QUALITY]: body.length > LARGE ? 9 : 11 };
          writeFileSync(join(folder, `${name}.br`), brotliCompressSync(body, { params }));
          rmSync(join(folder, name));
        }
        renameSync(join(assets, 'index.html'), join(assets, 'web.html'));
      },
    },
  ],
  worker: {
    plugins: () => [
      {
        name: 'licences',
        generateBundle(_options, bundle) {
          for (const file of Object.values(bundle))
            if (file.type === 'chunk') inWorkers.push(...file.moduleIds);
        },
      },
    ],
  },
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: assets,
    assetsDir: 'web',
    emptyOutDir: false,
    // A file inside of another one would need `data:` in the policy.
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    license: { fileName: 'web/LICENCES.txt' },
    rolldownOptions: {
      output: {
        // What the first page shares with later ones is one file, however many parts it has.
        codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] },
      },
    },
  },
});
