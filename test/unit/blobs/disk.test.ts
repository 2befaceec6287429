import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openBlobs } from '../../../src/blobs/index.js';
import { BlobsUnavailable } from '../../../src/blobs/store.js';
import { expect, test } from '../../support/jest.js';
import { blobContract, chunks, collected } from './contract.js';

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());

blobContract('disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-disk-'));
  const blobs = openBlobs({ kind: 'disk', root: join(folder, 'blobs') });
  await blobs.create!();
  return {
    blobs,
    stored: async () =>
      filesBelow(folder)
        .map((path) => path.split('/').at(-1)!)
        .sort(),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
});

test('foreign files are neither blobs nor unfinished', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-disk-'));
  const blobs = openBlobs({ kind: 'disk', root: folder });
  expect([
    await collected(blobs.list()),
    await collected(blobs.list('staging')),
    await collected(blobs.unfinished()),
  ]).toEqual([[], [], []]);
  for (const path of [
    'kept/no/NOTES',
    'kept/no/.nfs000',
    'kept/stray',
    'kept/xx/not-below-its-first-letters',
    'incoming/notes.txt',
    'incoming/UPPER.0123456789ab',
  ]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), 'x');
  }
  expect([
    await collected(blobs.list()),
    await collected(blobs.list('staging')),
    await collected(blobs.unfinished()),
  ]).toEqual([[], [], []]);
  rmSync(folder, { recursive: true, force: true });
});

test('a file of a dead process is listed as unfinished and can be removed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-disk-'));
  const script = `import { openBlobs } from ${JSON.stringify(new URL('../../../src/blobs/index.ts', import.meta.url).href)};
    const blobs = openBlobs({ kind: 'disk', root: ${JSON.stringify(folder)} });
    await blobs.create();
    await blobs.put('staging/a-b', (async function* () { yield Buffer.alloc(4_000_000); process.kill(process.pid, 'SIGKILL'); })());`;
  spawnSync(process.execPath, [
    '--import',
    import.meta.resolve('tsx'),
    '--input-type=module',
    '-e',
    script,
  ]);
  const blobs = openBlobs({ kind: 'disk', root: folder });
  const left = await collected(blobs.unfinished());
  expect(left.map(({ key }) => key)).toEqual(['staging/a-b']);
  await left[0]!.remove();
  expect(filesBelow(folder)).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});

test('a start creates folders that a back-up left out, and knows whether the store was empty', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-disk-'));
  const blobs = openBlobs({ kind: 'disk', root: folder });
  mkdirSync(join(folder, 'kept'));
  expect(await blobs.create!()).toBe(false);
  await blobs.check();
  await blobs.put('here', chunks('bytes'));
  expect(filesBelow(folder)).toHaveLength(1);
  rmSync(folder, { recursive: true, force: true });
  expect(await blobs.create!()).toBe(true);
  rmSync(folder, { recursive: true, force: true });
});

test('an unusable folder is reported', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-disk-'));
  writeFileSync(join(folder, 'blobs'), 'a file, not a folder');
  const blobs = openBlobs({ kind: 'disk', root: join(folder, 'blobs') });
  await expect(blobs.create!()).rejects.toThrow();
  await expect(blobs.check()).rejects.toThrow();
  await expect(blobs.put('x', (async function* () {})())).rejects.toThrow();
  rmSync(folder, { recursive: true, force: true });
});

test.each(['.', 'incoming', 'kept'])(
  'without its folder (%s) nothing is stored, missing or created, and nothing is lost when it is back',
  async (part) => {
    const folder = mkdtempSync(join(tmpdir(), 'moorage-disk-'));
    const blobs = openBlobs({ kind: 'disk', root: join(folder, 'blobs') });
    await blobs.create!();
    await blobs.put('here', chunks('bytes'));
    const [place, away] = [join(folder, 'blobs', part), join(folder, 'away')];
    renameSync(place, away);
    await expect(blobs.check()).rejects.toThrow('ENOENT');
    await expect(blobs.put('there', chunks('bytes'))).rejects.toThrow(BlobsUnavailable);
    if (part !== 'incoming')
      for (const key of ['here', 'nowhere'])
        for (const ask of [blobs.read, blobs.stat, blobs.remove])
          await expect(ask(key)).rejects.toThrow(BlobsUnavailable);
    expect(existsSync(place)).toBe(false);
    renameSync(away, place);
    await blobs.check();
    expect([
      await blobs.stat('here'),
      await blobs.stat('nowhere'),
      await blobs.put('there', chunks('bytes')),
    ]).toEqual([{ size: 5 }, null, { size: 5 }]);
    expect((await collected(blobs.list())).map(({ key }) => key).sort()).toEqual(['here', 'there']);
    expect(await collected(blobs.unfinished())).toEqual([]);
    rmSync(folder, { recursive: true, force: true });
  },
);
