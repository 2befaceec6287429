/** What small pictures there are, and how they are read and described. */

/** Longest side in pixels, by name, from the smallest. */
export const thumbnailSides = { small: 128, medium: 512, large: 1_600 } as const;

/** Larger pictures are not read. */
export const MAX_PIXELS = 100_000_000;

/** The names of the readers of `sharp`, which has one for each format. */
export const readers: { readonly [contentType: string]: string } = {
  'image/jpeg': 'Jpeg',
  'image/png': 'Png',
  'image/webp': 'Webp',
  'image/gif': 'Nsgif',
  'image/avif': 'Heif',
  'image/heic': 'Heif',
  'image/heif': 'Heif',
  'image/tiff': 'Tiff',
  'image/svg+xml': 'Svg',
};

/** What the program prints. The pictures are files with their names in its folder. */
export interface DrawnPicture {
  /** Of the whole picture, upright. */
  width: number;
  height: number;
  thumbnails: { name: string; width: number; height: number }[];
}

/** What the program prints without arguments. */
export interface PictureAbilities {
  heic: boolean;
}
