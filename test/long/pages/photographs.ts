/** A work package with photographs, and what its page costs over a slow line. */
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { until } from '../../support/cli.js';
import type { ContainerHandle } from '../../support/factories.js';
import type { Harbour } from '../../support/harbour.js';
import { openAs } from '../../support/pages.js';

const [WIDTH, HEIGHT] = [2_000, 1_500];
/** A slow line of a phone: 1.6 Mbit/s with 150 ms. */
const SLOW = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 90_000,
};

/** Light and dark at several scales, as in a photograph. */
async function scene(): Promise<Buffer> {
  const layers = await Promise.all(
    [8, 40, 200, 1_000].map(async (width) => ({
      input: await sharp({
        create: {
          width,
          height: Math.round((width * HEIGHT) / WIDTH),
          channels: 3,
          background: 'black',
          noise: { type: 'gaussian', mean: 128, sigma: 40 },
        },
      })
        .resize(WIDTH, HEIGHT, { kernel: 'cubic', fit: 'fill' })
        .png({ compressionLevel: 1 })
        .toBuffer(),
      blend: 'soft-light' as const,
    })),
  );
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#7a8f9c' } })
    .composite(layers)
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** Waits until each has its small pictures. */
export async function addPhotographs(
  { app, mia, rob, project }: Harbour,
  count: number,
): Promise<ContainerHandle> {
  const album = await app.given.workPackage(project, mia, 'Photographs of the quay wall');
  const base = await scene();
  for (let index = 0; index < count; index += 1) {
    const content = await sharp(base)
      .modulate({ hue: index * 6, brightness: 0.8 + (index % 5) * 0.1 })
      .jpeg({ quality: 90 })
      .toBuffer();
    const fileName = `IMG_${String(index).padStart(4, '0')}.jpg`;
    await app.upload(album.attachments, { as: rob, fileName, content, partType: 'image/jpeg' });
  }
  const { read } = app.running.services.db;
  await until(
    async () => (await read('previews').where('state', 'pending')).length === 0,
    'the small pictures are made',
    120_000,
  );
  return album;
}

/** @returns bytes on the wire before one scrolls, and milliseconds until all pictures on the screen are painted */
export async function openAlbum(
  browser: Browser,
  { app, mia }: Harbour,
  album: ContainerHandle,
): Promise<{ bytes: number; painted: number }> {
  const page = await openAs(browser, app, mia, '/recent', {
    viewport: { width: 1_440, height: 900 },
    deviceScaleFactor: 1,
  });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  await cdp.send('Network.emulateNetworkConditions', SLOW);
  let bytes = 0;
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  // When each file on the screen has its picture.
  await page.addInitScript(`window.painted = 0;
    (function look() {
      const shown = [...document.querySelectorAll('.file')].filter(
        (file) => file.getBoundingClientRect().top < innerHeight,
      );
      const isPainted = (file) => {
        const picture = file.querySelector('img');
        return picture?.complete && picture.naturalWidth > 0;
      };
      if (shown.length > 0 && shown.every(isPainted)) window.painted = performance.now();
      else requestAnimationFrame(look);
    })();`);
  await page.goto(`/work_packages/${album.id}`);
  await page.locator('.file img').first().waitFor();
  // Until nothing more comes: the line is slow.
  for (let before = -1; before !== bytes; await page.waitForTimeout(1_500)) before = bytes;
  const painted = await page.evaluate<number>('painted');
  if (painted === 0) throw new Error('A file on the screen has no picture.');
  await page.context().close();
  return { bytes, painted };
}
