/** Builds the application into `assets/`: `web.html`, and hashed files below `web/`. */
import { renameSync, rmSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const assets = new URL('../assets/', import.meta.url);

export default defineConfig({
  root: import.meta.dirname,
  base: '/assets/',
  plugins: [
    react(),
    {
      name: 'page-beside-its-files',
      buildStart: () => rmSync(new URL('web/', assets), { recursive: true, force: true }),
      closeBundle: () => renameSync(new URL('index.html', assets), new URL('web.html', assets)),
    },
  ],
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: '../assets',
    emptyOutDir: false,
    assetsDir: 'web',
    // A file inside of the page's address would need `data:` in the policy.
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    license: { fileName: 'web/licences.md' },
    reportCompressedSize: false,
  },
});
