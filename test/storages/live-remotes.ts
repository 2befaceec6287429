/** Real storages for the contract, by environment variables. Each run works in a new folder and removes it. */
import { randomBytes } from 'node:crypto';
import { adapterFor } from '../../src/storages/index.js';
import { expect } from '../support/jest.js';
import { sendForm, sendRange, type FileRemote, type Seed } from './file-remote.js';

export type Environment = { readonly [name: string]: string | undefined };

/** Values that the storage chooses itself. They must exist. */
const describes = {
  createdByName: expect.any(String),
  lastModifiedByName: expect.any(String),
  mimeType: expect.any(String),
} as unknown as FileRemote['describes'];
const newBase = () => `/moorage-contract-${randomBytes(6).toString('hex')}`;
const encoded = (path: string) =>
  path
    .split('/')
    .map((name) =>
      encodeURIComponent(name).replace(
        /['()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16)}`,
      ),
    )
    .join('/');

function needed(environment: Environment, name: string): string {
  const value = environment[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set.`);
  return value;
}

/** A request to a storage without its adapter. @throws Error for an unexpected status */
function speaker(url: string, authorization: string) {
  return async (
    method: string,
    path: string,
    expected: readonly number[],
    { headers = {}, body }: { headers?: { [name: string]: string }; body?: string } = {},
  ): Promise<{ status: number; headers: Headers; text: string }> => {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization, ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    if (!expected.includes(answer.status))
      throw new Error(
        `${method} ${path} was answered with status ${answer.status}: ${text.slice(0, 500)}`,
      );
    return { status: answer.status, headers: answer.headers, text };
  };
}

/** The folders above a path, from the top. */
const parentsOf = (path: string): string[] =>
  path
    .split('/')
    .slice(1, -1)
    .map((_, index, names) => `/${names.slice(0, index + 1).join('/')}`);

/** @throws Error if a part of the folder remains */
async function leaveNothing(is: Promise<{ status: number }>, base: string): Promise<void> {
  if ((await is).status !== 404) throw new Error(`${base} could not be removed.`);
}

/** From `CONTRACT_SELF_HOSTED_URL` with `…_USER` and `…_PASSWORD` (best an app password) or `…_TOKEN`. */
export async function liveFileServer(environment: Environment): Promise<FileRemote> {
  const url = needed(environment, 'CONTRACT_SELF_HOSTED_URL').replace(/\/+$/, '');
  const user = needed(environment, 'CONTRACT_SELF_HOSTED_USER');
  const password = environment['CONTRACT_SELF_HOSTED_PASSWORD'];
  const authorization = password
    ? `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    : `Bearer ${needed(environment, 'CONTRACT_SELF_HOSTED_TOKEN')}`;
  const tree = `${url}/remote.php/dav/files/${encodeURIComponent(user)}`;
  const dav = speaker(tree, authorization);
  const base = newBase();
  const folders = new Set<string>();
  const paths = new Map<string, string>();
  const idOf = async (path: string): Promise<string> => {
    const body =
      '<?xml version="1.0"?><d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><oc:fileid/></d:prop></d:propfind>';
    const { text } = await dav('PROPFIND', encoded(path), [207], {
      headers: { depth: '0', 'content-type': 'application/xml' },
      body,
    });
    const id = /<oc:fileid>(\d+)</.exec(text)![1]!;
    paths.set(id, path);
    return id;
  };
  const makeFolders = async (wanted: readonly string[]) => {
    for (const path of wanted.filter((one) => !folders.has(one))) {
      await dav('MKCOL', encoded(path), [201, 405]);
      folders.add(path);
    }
  };
  const seconds = (iso: string) => String(Date.parse(iso) / 1000);
  await makeFolders([base]);
  return {
    adapter: adapterFor('SelfHostedFileServer'),
    base,
    describes,
    addresses: { origin: `${url}/` },
    authorization: () => authorization,
    refused: () => 'Bearer nobody-has-this-token',
    async file(path, { content = 'x', mimeType, createdAt, modifiedAt } = {}) {
      await makeFolders(parentsOf(path));
      const headers = {
        'content-type': mimeType ?? 'text/plain',
        ...(createdAt !== undefined && { 'x-oc-ctime': seconds(createdAt) }),
        ...(modifiedAt !== undefined && { 'x-oc-mtime': seconds(modifiedAt) }),
      };
      await dav('PUT', encoded(path), [201, 204], { headers, body: content });
      return idOf(path);
    },
    async folder(path) {
      await makeFolders([...parentsOf(path), path]);
      return idOf(path);
    },
    remove: async (id) => void (await dav('DELETE', encoded(paths.get(id)!), [204])),
    async rename(id, name) {
      const path = paths.get(id)!;
      const renamed = path.replace(/[^/]+$/, () => name);
      await dav('MOVE', encoded(path), [201], {
        headers: { destination: tree + encoded(renamed) },
      });
      paths.set(id, renamed);
    },
    upload: sendForm,
    check: () => undefined,
    async close() {
      await dav('DELETE', encoded(base), [204]);
      await leaveNothing(
        dav('PROPFIND', encoded(base), [207, 404], { headers: { depth: '0' } }),
        base,
      );
    },
  };
}

/** From `CONTRACT_CLOUD_DRIVE_URL` (of the API), `…_DRIVE`, `…_TOKEN` of a user and `…_APPLICATION_TOKEN` of the service. */
export async function liveCloudDrive(environment: Environment): Promise<FileRemote> {
  const [apiUrl, driveId, token, applicationToken] = [
    'URL',
    'DRIVE',
    'TOKEN',
    'APPLICATION_TOKEN',
  ].map((name) => needed(environment, `CONTRACT_CLOUD_DRIVE_${name}`)) as [
    string,
    string,
    string,
    string,
  ];
  const drive = speaker(
    `${apiUrl.replace(/\/+$/, '')}/drives/${encodeURIComponent(driveId)}`,
    `Bearer ${token}`,
  );
  const base = newBase();
  const ids = new Map<string, string>();
  const json = { 'content-type': 'application/json' };
  const makeFolder = async (path: string): Promise<string> => {
    const known = ids.get(path);
    if (known !== undefined) return known;
    const [above, name] = [
      path.slice(0, path.lastIndexOf('/')),
      path.slice(path.lastIndexOf('/') + 1),
    ];
    const parent = above === '' ? '/root' : `/items/${await makeFolder(above)}`;
    const { text } = await drive('POST', `${parent}/children`, [201], {
      headers: json,
      body: JSON.stringify({ name, folder: {}, '@microsoft.graph.conflictBehavior': 'fail' }),
    });
    ids.set(path, (JSON.parse(text) as { id: string }).id);
    return ids.get(path)!;
  };
  const date = async (id: string, { createdAt, modifiedAt }: Seed) => {
    if (createdAt === undefined && modifiedAt === undefined) return;
    await drive('PATCH', `/items/${id}`, [200], {
      headers: json,
      body: JSON.stringify({
        fileSystemInfo: { createdDateTime: createdAt, lastModifiedDateTime: modifiedAt },
      }),
    });
  };
  const baseId = await makeFolder(base);
  return {
    adapter: adapterFor('CloudDrive'),
    base,
    describes,
    addresses: { driveId, apiUrl: apiUrl.replace(/\/+$/, '') },
    authorization: () => `Bearer ${token}`,
    application: () => `Bearer ${applicationToken}`,
    refused: () => 'Bearer nobody-has-this-token',
    async file(path, { content = 'x', mimeType = 'text/plain', ...dates } = {}) {
      const parent = await makeFolder(path.slice(0, path.lastIndexOf('/')));
      const { text } = await drive(
        'PUT',
        `/items/${parent}:${encoded(path.slice(path.lastIndexOf('/')))}:/content`,
        [200, 201],
        { headers: { 'content-type': mimeType }, body: content },
      );
      const { id } = JSON.parse(text) as { id: string };
      await date(id, dates);
      return id;
    },
    folder: makeFolder,
    remove: async (id) => void (await drive('DELETE', `/items/${id}`, [204])),
    rename: async (id, name) =>
      void (await drive('PATCH', `/items/${id}`, [200], {
        headers: json,
        body: JSON.stringify({ name }),
      })),
    upload: sendRange,
    check: () => undefined,
    async close() {
      await drive('DELETE', `/items/${baseId}`, [204]);
      await leaveNothing(drive('GET', `/items/${baseId}`, [200, 404]), base);
    },
  };
}
