/** The files that clients know, and what all clients share. */
import { createHash } from 'node:crypto';
import type { Random } from './random.js';

export interface Client {
  address: string;
  key: string;
  /** Of an administrator. */
  adminKey: string;
  userId: number;
  /** Global ids of the containers. */
  targets: string[];
  /** Addresses of containers to attach files to. */
  containers: string[];
  projectId: number;
}

/** The state of one file, as the client knows it. */
export interface Known {
  fileName: string;
  size: number;
  digest: string;
  infected: boolean;
  id?: number;
  how: 'regular' | 'direct' | 'resumable' | 'copy';
  /** It belongs to a container, so the trash keeps it. */
  contained: boolean;
  /** A client changes it, or did so when the server died. */
  busy?: boolean;
  /** Digests of contents that may have replaced it. */
  perhaps?: string[];
  /** Somebody copies it, or has copied it. */
  copied?: boolean;
  /** Of a resumable upload: what is sent, and how much of it the server has confirmed. */
  upload?: { content: Buffer; confirmed: number } | undefined;
  /** The server confirmed that the file is stored, or accepted its completion. */
  promised: boolean;
  /** A deletion was requested: the file may be deleted. */
  deleting: boolean;
  /** A deletion was confirmed: the file must be deleted. */
  deleted: boolean;
  /** A deleted file that must be in the trash. */
  inTrash?: boolean;
  /** The trash was emptied after it was deleted, or at the same time. */
  emptied?: boolean;
}

/** A response that no crash explains. */
export class Unexpected extends Error {}

let counter = 0;

export function newFile(
  random: Random,
  how: Known['how'],
  infection: Buffer,
  largest = 300_000,
): { file: Known; content: Buffer } {
  const infected = random.integer(6) === 0;
  // A unique start, so that all files differ.
  const fileName = `file-${(counter += 1)}-${random.integer(1_000_000)}.bin`;
  const content = infected
    ? infection
    : Buffer.concat([
        Buffer.from(fileName),
        Buffer.alloc(random.integer(largest), random.integer(256)),
      ]);
  return {
    content,
    file: {
      fileName,
      size: content.byteLength,
      digest: createHash('sha256').update(content).digest('hex'),
      infected,
      how,
      contained: false,
      promised: false,
      deleting: false,
      deleted: false,
    },
  };
}

/** An answer of GraphQL: its data, or the code of its error. */
export async function graphql(
  { address, key }: Pick<Client, 'address' | 'key'>,
  query: string,
  variables: object,
  file?: Buffer,
): Promise<{ data?: any; code?: string }> {
  const operations = JSON.stringify({ query, variables });
  const headers = { authorization: `Bearer ${key}`, 'apollo-require-preflight': '1' };
  const form = new FormData();
  if (file) {
    form.append('operations', operations);
    form.append('map', JSON.stringify({ 0: ['variables.file'] }));
    form.append('0', new Blob([new Uint8Array(file)]), 'x');
  }
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { ...headers, ...(!file && { 'content-type': 'application/json' }) },
    body: file ? form : operations,
  });
  const { data, errors } = (await response.json()) as {
    data?: any;
    errors?: { extensions: { code: string } }[];
  };
  return errors ? { code: errors[0]!.extensions.code } : { data };
}
