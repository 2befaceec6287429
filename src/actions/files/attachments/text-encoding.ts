/** Finds out whether bytes are text, and in which character encoding. */

export interface Text {
  /** Label of the encoding, as browsers know it. */
  charset: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  /** The decoded text, without a byte order mark. */
  content: string;
  /** Whether it has no control character that only binary formats have. */
  isPrintable: boolean;
}

/** The binary data bytes of the standard "MIME Sniffing". ESC is in texts for terminals. */
// oxlint-disable-next-line no-control-regex
const BINARY = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/;

/** @returns undefined if the bytes are no text */
export function textIn(sample: Uint8Array): Text | undefined {
  const charset = byOrderMark(sample);
  if (charset) return wide(sample, charset);
  if (sample.includes(0)) return undefined;
  const content = decoded(sample, 'utf-8');
  if (content !== undefined)
    return { charset: 'utf-8', content, isPrintable: !BINARY.test(content) };
  // Western European Windows has a character for each byte. Nothing tells other encodings apart.
  return sample.every(isSingleByteText)
    ? {
        charset: 'windows-1252',
        content: decoded(sample, 'windows-1252') ?? '',
        isPrintable: true,
      }
    : undefined;
}

const byOrderMark = ([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined =>
  first === 0xff && second === 0xfe
    ? 'utf-16le'
    : first === 0xfe && second === 0xff
      ? 'utf-16be'
      : undefined;

function wide(sample: Uint8Array, charset: 'utf-16le' | 'utf-16be'): Text | undefined {
  const content = decoded(sample, charset);
  return content === undefined || BINARY.test(content)
    ? undefined
    : { charset, content, isPrintable: true };
}

/** Streaming mode accepts a sample that ends within a character. */
function decoded(sample: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return undefined;
  }
}

/** Text in a single-byte encoding has no control characters except white space and ESC. */
const isSingleByteText = (byte: number) =>
  byte >= 0x20 || (byte >= 0x08 && byte <= 0x0d) || byte === 0x1b;
