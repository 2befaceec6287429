/** Small pictures of files, as people notice them. */
import sharp from 'sharp';
import { startApp, type App } from '../../support/app.js';
import { Work } from '../../support/direct-upload.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { decided, flag, pathOf } from '../../support/pictures.js';

let app: App;
let work: Work;
let project: { id: number };
let author: Person;
let container: ContainerHandle;

beforeAll(async () => {
  app = await startApp();
  work = new Work(app);
  project = await app.given.project();
  author = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  container = await app.given.workPackage(project, author);
  work.start();
});
afterAll(async () => {
  await work.stop();
  await app.stop();
});

async function uploaded(fileName: string, content: Uint8Array): Promise<{ id: number }> {
  const path = `/api/v3/work_packages/${container.id}/attachments`;
  const { status, body } = await app.upload(path, { as: author, fileName, content });
  expect(status).toBe(200);
  return body;
}

describe('a small picture', () => {
  test('is upright, has no metadata, and is never enlarged', async () => {
    const photo = await flag(1200, 800)
      .withExif({ IFD0: { Copyright: 'Somebody' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const row = await uploaded('photo.jpg', photo);
    const { small, medium, large, ...about } = await decided(app, row, author);
    expect(about).toEqual({
      previewState: 'READY',
      width: 800,
      height: 1200,
      pageCount: null,
      duration: null,
      preview: null,
    });
    expect([small, medium, large]).toEqual([
      { href: expect.any(String), width: 85, height: 128, contentType: 'image/webp' },
      { href: expect.any(String), width: 341, height: 512, contentType: 'image/webp' },
      { href: expect.any(String), width: 800, height: 1200, contentType: 'image/webp' },
    ]);
    for (const one of [small, medium, large]) {
      const { status, bytes, headers } = await app.get(pathOf(app, one), author);
      expect([status, headers.get('content-type')]).toEqual([200, 'image/webp']);
      const { width, height, exif, icc, orientation } = await sharp(bytes).metadata();
      expect({ width, height, exif, icc, orientation }).toEqual({
        width: one.width,
        height: one.height,
        exif: undefined,
        icc: undefined,
        orientation: undefined,
      });
      // Turned by a quarter: red, which was above, is on the right.
      const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      const at = (Math.floor(info.height / 2) * info.width + info.width - 5) * info.channels;
      expect(data[at]).toBeGreaterThan(200);
      expect(data[at + 2]).toBeLessThan(50);
    }
  });
});
