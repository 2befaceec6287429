/** Decides how a file is served: inline if that is safe, else as a download. */
import type { Serving } from '../../../blobs/store.js';
import type { Context, Settings } from '../../../context.js';
import { dispositionOf } from '../../../contract/content-disposition.js';
import type { Attachment } from '../../../models/attachment.js';
import type { ContentDisposition } from '../../../models/temporary-address.js';
import { can } from '../../../policies/can.js';

/** Types that browsers show inline. Text is shown as plain text, other types are downloaded. */
const inlineTypes = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'application/pdf',
  'video/mp4',
  'video/webm',
]);
const DOWNLOAD = 'application/octet-stream';

type Disposition = `${ContentDisposition}`;

/** What a client asks of the content. */
export interface Asked {
  disposition?: Disposition | undefined;
  /** The method of the request to the store. */
  method?: 'GET' | 'HEAD' | undefined;
}

export function servingOf(
  { fileName, contentType, charset }: Pick<Attachment, 'fileName' | 'contentType' | 'charset'>,
  { downloadUrlSeconds }: Settings,
  wanted: Disposition = 'inline',
): Serving {
  const isText = contentType.startsWith('text/');
  const inline = isText || inlineTypes.has(contentType);
  return {
    contentType: isText
      ? `text/plain; charset=${charset ?? 'utf-8'}`
      : inline
        ? contentType
        : DOWNLOAD,
    disposition: dispositionOf(fileName, inline ? wanted : 'attachment'),
    seconds: downloadUrlSeconds,
  };
}

/**
 * A short-lived URL at the store.
 * @returns undefined if the service streams content itself, or the user may not download the file
 */
export async function signedUrl(
  context: Pick<Context, 'user' | 'scanner' | 'settings' | 'blobs'>,
  attachment: Attachment,
  { disposition, method }: Asked = {},
): Promise<string | undefined> {
  return context.blobs.url && can.download(context, attachment)
    ? context.blobs.url(
        attachment.blobKey,
        servingOf(attachment, context.settings, disposition),
        method,
      )
    : undefined;
}
