/** Detects the media type of a file from its first bytes and its name. */
import { fileTypeFromBuffer, supportedMimeTypes } from 'file-type';
import mime from 'mime-types';

/** Number of leading bytes that `detectType` needs. */
export const SAMPLE_SIZE = 4_100;
export const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * Formats whose content the file name describes better than the first bytes.
 * An office document is a ZIP archive, for example.
 */
const envelopes = new Set([
  'application/zip',
  'application/x-cfb',
  'application/xml',
  'video/mp4',
  'application/ogg',
  'application/gzip',
]);
const recognizable: ReadonlySet<string> = supportedMimeTypes;

export async function detectType(sample: Uint8Array, fileName: string): Promise<string> {
  const byName = mime.lookup(fileName) || undefined;
  const byBytes = (await fileTypeFromBuffer(sample).catch(() => undefined))?.mime;
  if (byBytes)
    return byName && envelopes.has(byBytes) && belongsIn(byName, byBytes) ? byName : byBytes;
  if (isText(sample))
    return byName && isTextual(byName)
      ? byName
      : sample.byteLength > 0
        ? 'text/plain'
        : UNKNOWN_TYPE;
  // A recognisable type by name, with bytes that were not recognised: the name is wrong.
  return byName && !isTextual(byName) && !recognizable.has(byName) ? byName : UNKNOWN_TYPE;
}

const isTextual = (type: string) =>
  /^text\/|[/+](json|xml|yaml|toml)$|^application\/(javascript|sql|x-sh|rtf|x-httpd-php)$/.test(
    type,
  );

function belongsIn(byName: string, envelope: string): boolean {
  switch (envelope) {
    case 'application/zip':
      return /officedocument|opendocument|epub\+zip|java-archive|ms-.*\.macroenabled/.test(byName);
    case 'application/x-cfb':
      return /^application\/(msword|vnd\.ms-|x-msi|vnd\.visio)/.test(byName);
    case 'application/xml':
      return isTextual(byName);
    default:
      return false;
  }
}

function isText(sample: Uint8Array): boolean {
  if (sample.includes(0)) return false;
  try {
    // Streaming mode accepts a sample that ends within a character.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return isSingleByteText(sample);
  }
}

/** Text in a single-byte encoding has no control characters except white space and ESC. */
const isSingleByteText = (sample: Uint8Array) =>
  sample.every((byte) => byte >= 0x20 || (byte >= 0x08 && byte <= 0x0d) || byte === 0x1b);
