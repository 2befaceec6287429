/**
 * A program of its own: draws the small pictures of a picture. It reads a file of a stranger, so it
 * runs with limits and its end harms nobody. Without arguments it says whether it could draw.
 */
import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import {
  MAX_PIXELS,
  readers,
  thumbnailSides,
  type DrawnPicture,
  type PictureAbilities,
} from './thumbnails.js';

/** Good enough for small pictures. 128 pixels are less than 20 kB. */
const QUALITY = 75;

const [, , contentType, source] = process.argv;

sharp.concurrency(1);
sharp.cache(false);

async function draw(type: string, file: string): Promise<DrawnPicture> {
  // Only the reader of this type: the others are not to meet files that claim another one.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: [`VipsForeignLoad${readers[type] ?? ''}`] });
  // A drawing that is read from memory has no place beside which others could lie.
  const input = type === 'image/svg+xml' ? await readFile(file) : file;
  const picture = sharp(input, { failOn: 'truncated', limitInputPixels: MAX_PIXELS });
  const { width, height } = (await picture.metadata()).autoOrient;
  const longest = Math.max(width, height);
  const drawn: DrawnPicture = { width, height, thumbnails: [] };
  const sides = Object.entries(thumbnailSides);
  // No picture is enlarged, and none is drawn twice: the next smaller one stands for it.
  const wanted = sides.filter((_, index) => index === 0 || longest > (sides[index - 1]?.[1] ?? 0));
  let from: Sharp = picture.autoOrient();
  for (const [name, side] of wanted.toReversed()) {
    const { data, info } = await from
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const raw = { width: info.width, height: info.height, channels: info.channels };
    from = sharp(data, { raw });
    await from.clone().webp({ quality: QUALITY }).toFile(`${name}.webp`);
    drawn.thumbnails.push({ name, width: info.width, height: info.height });
  }
  return drawn;
}

/** The usual build reads AVIF only, which is another content of the same format. */
const abilities = (): PictureAbilities => ({
  heic: sharp.format.heif.input.fileSuffix?.includes('.heic') ?? false,
});

const isAsked = contentType === undefined || source === undefined;
process.stdout.write(JSON.stringify(isAsked ? abilities() : await draw(contentType, source)));
