/** Detects the media type of a file from its first bytes and its name. */
import { fileTypeFromBuffer, supportedMimeTypes } from 'file-type';
import { confirmedByContent, confirmedByText } from './second-signs.js';
import { textIn, type Text } from './text-encoding.js';
import {
  canBeBinary,
  canBeText,
  isContainedIn,
  registeredType,
  typeOfName,
} from './types-of-names.js';

/** Number of leading bytes that `detectType` needs. */
export const SAMPLE_SIZE = 4_100;
export const UNKNOWN_TYPE = 'application/octet-stream';

export interface DetectedType {
  contentType: string;
  /** Character encoding of a text; null for other content. */
  charset: string | null;
}

/** The library knows only some of their files by their bytes. */
const RECOGNIZED_IN_PART = new Set(['model/stl', 'image/vnd.dwg']);
const recognizable: ReadonlySet<string> = new Set(
  [...supportedMimeTypes].map(registeredType).filter((type) => !RECOGNIZED_IN_PART.has(type)),
);

export async function detectType(sample: Uint8Array, fileName: string): Promise<DetectedType> {
  const byName = typeOfName(fileName);
  const text = textIn(sample);
  if (text?.isPrintable)
    return { contentType: await typeOfText(text, byName), charset: text.charset };
  const byBytes = await confirmedType(sample, byName);
  if (byBytes) return { contentType: moreExact(byName, byBytes), charset: null };
  if (text) return { contentType: await typeOfText(text, byName), charset: text.charset };
  // A recognisable type by name, with bytes that were not recognised: the name is wrong.
  const isPlausible = byName && canBeBinary(byName) && !recognizable.has(byName);
  return { contentType: isPlausible ? byName : UNKNOWN_TYPE, charset: null };
}

/** Most signatures of binary formats are words or letters that a text can begin with. */
async function typeOfText({ content }: Text, byName: string | undefined): Promise<string> {
  const signed = await signedType(Buffer.from(content));
  if (signed && confirmedByText(signed, content)) return moreExact(byName, registeredType(signed));
  if (byName && canBeText(byName, content)) return byName;
  return content === '' ? UNKNOWN_TYPE : 'text/plain';
}

/** The type that the first bytes and a second sign stand for. The name can be that sign. */
async function confirmedType(
  sample: Uint8Array,
  byName: string | undefined,
): Promise<string | undefined> {
  const signed = await signedType(sample);
  const type = signed && registeredType(signed);
  return signed && (type === byName || confirmedByContent(signed, sample)) ? type : undefined;
}

const signedType = async (sample: Uint8Array): Promise<string | undefined> =>
  (await fileTypeFromBuffer(sample).catch(() => undefined))?.mime ??
  (isLongTiff(Buffer.from(sample)) ? 'image/tiff' : undefined);

/** The library wants the first directory of a TIFF. Most programs write it behind the picture. */
function isLongTiff(bytes: Buffer): boolean {
  const order = bytes.toString('latin1', 0, 4);
  if (bytes.length < SAMPLE_SIZE || (order !== 'II*\0' && order !== 'MM\0*')) return false;
  return (order === 'II*\0' ? bytes.readUInt32LE(4) : bytes.readUInt32BE(4)) >= bytes.length;
}

const moreExact = (byName: string | undefined, byBytes: string): string =>
  byName && isContainedIn(byBytes, byName) ? byName : byBytes;
