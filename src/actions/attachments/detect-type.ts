/** The media type of a file from its bytes and its name (interface 2.2: "as determined by the server"). */
import { fileTypeFromBuffer, supportedMimeTypes } from 'file-type';
import mime from 'mime-types';

/** As many leading bytes as the detection looks at. */
export const SAMPLE_SIZE = 4_100;
export const UNKNOWN_TYPE = 'application/octet-stream';

/** Containers whose content a name tells better than the first bytes: office documents are archives, videos share a frame. */
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
  // Bytes that would have been recognised, had the name told the truth, are something else.
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
    // A sample may end within a character: streaming mode accepts that.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return isLatin(sample);
  }
}

/** Single-byte text has no control characters other than white space and escapes. */
const isLatin = (sample: Uint8Array) =>
  sample.every((byte) => byte >= 0x20 || (byte >= 0x08 && byte <= 0x0d) || byte === 0x1b);
