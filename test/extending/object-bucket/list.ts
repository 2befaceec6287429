/** The content of a folder: the keys with its prefix, up to the next slash. */
import { XMLParser } from 'fast-xml-parser';
import type { FileInfo } from '../adapter.js';
import { failureOf, StorageFailure } from '../failure.js';
import { at } from '../json.js';
import type { Bucket } from './client.js';
import { fileInfo, folderInfo } from './keys.js';

const MOST_PAGES = 500;

const parser = new XMLParser({
  // The option `htmlEntities` is needed for character references.
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
  isArray: (name) => name === 'Contents' || name === 'CommonPrefixes',
});

export interface Listed {
  /** Whether any key starts with this prefix. */
  exists: boolean;
  files: FileInfo[];
}

/** @throws StorageFailure */
export async function list(bucket: Bucket, prefix: string): Promise<Listed> {
  const found: Listed = { exists: prefix === '', files: [] };
  let token: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const query = {
      'list-type': '2',
      delimiter: '/',
      prefix,
      ...(token !== undefined && { 'continuation-token': token }),
    };
    const { status, body } = await bucket.send({ method: 'GET', query });
    if (status !== 200) throw failureOf(status);
    const page = at(parsed(body), 'ListBucketResult');
    const folders = many(page, 'CommonPrefixes').map((one) => text(one, 'Prefix') ?? '');
    const files = many(page, 'Contents').map((one) =>
      fileInfo(text(one, 'Key') ?? '', {
        type: null,
        size: text(one, 'Size'),
        modified: text(one, 'LastModified'),
      }),
    );
    found.exists ||= folders.length + files.length > 0;
    // An empty key stands for an empty folder.
    found.files.push(...folders.map(folderInfo), ...files.filter(({ id }) => id !== prefix));
    token = text(page, 'NextContinuationToken');
    if (token === undefined) return found;
  }
  throw new StorageFailure('unexpected', 200, 'The store lists a folder without an end.');
}

function parsed(body: Buffer): unknown {
  try {
    return parser.parse(body);
  } catch {
    throw new StorageFailure('unexpected', 200, 'The store answered without a list.');
  }
}

function many(value: unknown, name: string): unknown[] {
  const found = at(value, name);
  return Array.isArray(found) ? found : [];
}

function text(value: unknown, name: string): string | undefined {
  const found = at(value, name);
  return typeof found === 'string' && found !== '' ? found : undefined;
}
