/** Real pictures for tests, and requests for what is made of them. */
import sharp, { type Sharp } from 'sharp';
import type { App } from './app.js';
import { eventually } from './direct-upload.js';
import type { Person } from './factories.js';

/** Red above, blue below: a picture that lies on its side shows it. */
export function flag(width: number, height: number): Sharp {
  const half = Math.floor(height / 2);
  return sharp({ create: { width, height, channels: 3, background: 'red' } }).composite([
    {
      input: { create: { width, height: height - half, channels: 3, background: 'blue' } },
      top: half,
      left: 0,
    },
  ]);
}

export const PREVIEWS = `query ($id: ID!) { attachment(id: $id) {
  previewState width height pageCount duration
  small: thumbnail(size: SMALL) { href width height contentType }
  medium: thumbnail(size: MEDIUM) { href width height contentType }
  large: thumbnail(size: LARGE) { href width height contentType }
  preview { href contentType }
} }`;

export const NO_PREVIEW = {
  width: null,
  height: null,
  pageCount: null,
  duration: null,
  small: null,
  medium: null,
  large: null,
  preview: null,
};

export async function previewsOf(app: App, { id }: { id: number }, as: Person) {
  const { data, errors } = await app.graphql(PREVIEWS, { id: String(id) }, as);
  if (errors) throw new Error(JSON.stringify(errors));
  return data.attachment;
}

/** Waits until a preview is made, or given up. */
export const decided = (app: App, attachment: { id: number }, as: Person) =>
  eventually(
    () => previewsOf(app, attachment, as),
    ({ previewState }) => previewState !== 'PENDING',
  );

/** The path of an address at this server. */
export const pathOf = (app: App, { href }: { href: string }): string => href.slice(app.url.length);
