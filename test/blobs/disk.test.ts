import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openBlobs } from '../../src/blobs/index.js';
import { blobContract } from './contract.js';

const filesBelow = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)).filter((path) => statSync(path).isFile());

blobContract('disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-disk-'));
  return {
    blobs: openBlobs({ kind: 'disk', root: join(folder, 'blobs') }),
    stored: async () => filesBelow(folder).map((path) => path.split('/').at(-1)!).sort(),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
});

test('a folder that cannot be used is reported', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-disk-'));
  writeFileSync(join(folder, 'blobs'), 'a file, not a folder');
  const blobs = openBlobs({ kind: 'disk', root: join(folder, 'blobs') });
  await expect(blobs.check()).rejects.toThrow();
  await expect(blobs.put('x', (async function* () {})())).rejects.toThrow();
  rmSync(folder, { recursive: true, force: true });
});
