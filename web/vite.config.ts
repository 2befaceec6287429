/** Builds the application into `assets/web.html` and `assets/web`. */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const assets = fileURLToPath(new URL('../assets/', import.meta.url));

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
        for (const name of readdirSync(folder).filter((one) => !/\.(br|gz)$/.test(one))) {
          const body = readFileSync(join(folder, name));
          writeFileSync(join(folder, `${name}.gz`), gzipSync(body, { level: 9 }));
          writeFileSync(join(folder, `${name}.br`), brotliCompressSync(body));
        }
        renameSync(join(assets, 'index.html'), join(assets, 'web.html'));
      },
    },
  ],
  html: { cspNonce: '__NONCE__' },
  build: { outDir: assets, assetsDir: 'web', emptyOutDir: false },
});
