/** Clients for lists of links, and for single requests to a storage without batches. */
import { Agent } from 'undici';
import type { Person } from '../../test/support/factories.js';
import { BATCH, FILE_INFO, FILES_INFO } from './origin.js';

const agent = new Agent({ connections: 64, headersTimeout: 0, bodyTimeout: 0 });

interface Timed {
  ms: number;
  text: string;
}

async function timed(address: string, path: string, key: string, json?: object): Promise<Timed> {
  const started = performance.now();
  const { statusCode, body } = await agent.request({
    origin: address,
    path,
    method: json ? 'POST' : 'GET',
    body: json ? JSON.stringify(json) : null,
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'application/json',
      ...(json && { 'content-type': 'application/json' }),
    },
  });
  const bytes = Buffer.from(await body.arrayBuffer());
  const ms = performance.now() - started;
  const text = bytes.toString();
  if (statusCode !== 200)
    throw new Error(`${path} was answered with ${statusCode}: ${text.slice(0, 500)}`);
  return { ms, text };
}

/** One page of the list of a work package, over HAL. */
export const listPage = (
  address: string,
  { key }: Person,
  workPackage: number,
  pageSize: number,
  offset = 1,
): Promise<Timed> =>
  timed(
    address,
    `/api/v3/work_packages/${workPackage}/file_links?pageSize=${pageSize}&offset=${offset}`,
    key,
  );

const DOCUMENT = `query Links($id: ID!) {
  workPackage(id: $id) {
    fileLinks(first: 100) { totalCount nodes {
      databaseId createdAt updatedAt status originOpenUrl viewerCanDelete creator { databaseId name } storage { databaseId name authorizationState }
      originData { id name mimeType size createdAt lastModifiedAt createdByName lastModifiedByName }
    } }
  }
}`;

/** The whole list, by GraphQL. */
export const wholeList = (address: string, { key }: Person, workPackage: number): Promise<Timed> =>
  timed(address, '/graphql', key, { query: DOCUMENT, variables: { id: String(workPackage) } });

const ids = (count: number) => Array.from({ length: count }, (_, n) => 1_000_000 + n);

/** One request for many files, directly to the storage. */
export const filesInfo = async (address: string, count: number): Promise<number> =>
  (await timed(address, FILES_INFO, 'token', { fileIds: ids(count) })).ms;

/** One batch of 20 files, directly to the storage. */
export const oneBatch = async (address: string): Promise<number> =>
  (
    await timed(address, BATCH, 'token', {
      requests: ids(20).map((id, n) => ({
        id: String(n),
        method: 'GET',
        url: `/drives/b!drive/items/${id}?$select=id`,
      })),
    })
  ).ms;

/** One request after another, as from a client without batches. */
export async function oneByOne(address: string, count: number): Promise<number> {
  const started = performance.now();
  for (const id of ids(count)) await timed(address, `${FILE_INFO}${id}`, 'token');
  return performance.now() - started;
}

/** The number of links in a response by status. */
export function statuses(text: string): { [status: string]: number } {
  const counts: { [status: string]: number } = {};
  for (const [, status] of text.matchAll(/(?:file-links:(?:permission:)?|"status":")(\w+)"/g))
    counts[status!] = (counts[status!] ?? 0) + 1;
  return counts;
}

export const closeClient = (): Promise<void> => agent.close();
