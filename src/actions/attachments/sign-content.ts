/** How a file is served, by us or by the store (decisions 3): shown where that is safe, otherwise saved. */
import contentDisposition from 'content-disposition';
import type { Serving } from '../../blobs/store.js';
import type { Context, Settings } from '../../context.js';
import type { Attachment } from '../../models/attachment.js';
import { can } from '../../policies/can.js';

/** Shown in the browser as they are; all text is shown as plain text, everything else is a download. */
const shownInline = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'application/pdf',
  'video/mp4',
  'video/webm',
]);
const TEXT = 'text/plain; charset=utf-8';
const DOWNLOAD = 'application/octet-stream';

export function servingOf(
  { fileName, contentType }: Pick<Attachment, 'fileName' | 'contentType'>,
  { downloadUrlSeconds }: Settings,
): Serving {
  const isText = contentType.startsWith('text/');
  const inline = isText || shownInline.has(contentType);
  return {
    contentType: isText ? TEXT : inline ? contentType : DOWNLOAD,
    disposition: contentDisposition(fileName, { type: inline ? 'inline' : 'attachment' }),
    seconds: downloadUrlSeconds,
  };
}

/** A short-lived address at the store; undefined where we stream the bytes, and wherever `/content` would refuse them. */
export async function signedUrl(
  context: Pick<Context, 'user' | 'scanner' | 'settings' | 'blobs'>,
  attachment: Attachment,
): Promise<string | undefined> {
  return context.blobs.url && can.download(context, attachment)
    ? context.blobs.url(attachment.blobKey, servingOf(attachment, context.settings))
    : undefined;
}
