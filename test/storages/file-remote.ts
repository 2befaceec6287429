/** A storage with files for the contract, and how a test uses it. */
import { Outbound } from '../../src/outbound/client.js';
import { OutboundFailure } from '../../src/outbound/failure.js';
import { makeMetrics } from '../../src/observability/metrics.js';
import type { Access, Adapter, Destination, FileInfo } from '../../src/storages/adapter.js';
import { StorageFailure } from '../../src/storages/failure.js';
import type { FakeServer } from '../../demo/servers/http-server.js';
import { ANSWER_MS } from '../support/jest.js';
import { addresses, type Addresses } from './addresses.js';

/** One storage with one user, who creates all files. */
export interface FileRemote {
  adapter: Adapter;
  addresses: Partial<Addresses>;
  /** The user's `Authorization` header. */
  authorization(): string;
  /** The header of the service itself, for types that need it. */
  application?(): string;
  /** A header that the storage does not accept (any more). */
  refused(): string;
  /** The folder of the test. It is empty at first. An empty path is the root. */
  base: string;
  /** The members that the storage sets itself for a file with a seed. */
  describes: Pick<FileInfo, 'createdByName' | 'lastModifiedByName' | 'mimeType'>;
  /** Creates a file and the folders above it. @returns the id */
  file(path: string, seed?: Seed): Promise<string> | string;
  folder(path: string): Promise<string> | string;
  remove(id: string): Promise<void> | void;
  /** As if a user did it in the storage's own pages. */
  rename(id: string, name: string): Promise<void> | void;
  /** Uploads to the address of an upload link, as a browser does. */
  upload(to: Destination, name: string, content: string): Promise<void>;
  /** Assertions after each test. */
  check(): void;
  /** Removes everything. */
  close(): Promise<void>;
}

/** What only a fake allows. The user is Mia Ray. */
export interface FakeRemote extends FileRemote {
  server: FakeServer;
  file(path: string, seed?: Seed): string;
  folder(path: string): string;
  /** The file still exists, but the user cannot see it. */
  hide(id: string): void;
  remove(id: string): void;
  /** How many requests `filesInfo` may need for `files`, of which the user does not find `missing`. */
  most(files: number, missing: number): number;
}

/** Dates are ISO 8601 in whole seconds. */
export interface Seed {
  content?: string;
  mimeType?: string;
  createdAt?: string;
  modifiedAt?: string;
}

export const ODD_NAME = "100% #1 [a] 'b' +&.txt";
export const NAMES = [
  ODD_NAME,
  'Größe – 日本語 🎉.txt',
  'a%20b.txt',
  '(1) a=b;c,d!$@^`{}~.txt',
  '...dots.txt',
  'no ending',
];
export const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const outbounds: Outbound[] = [];
let targets = 0;

/** Each one with its own deadline and circuit breaker. */
export function accessOf(
  remote: Pick<FileRemote, 'addresses'>,
  authorization: string,
  storageTimeoutMs = ANSWER_MS,
): Access {
  const outbound = new Outbound(
    { storageConnectTimeoutMs: ANSWER_MS / 30, storageTimeoutMs, storageAllowPrivate: true },
    makeMetrics(),
  );
  outbounds.push(outbound);
  const deadline = outbound.deadline();
  const name = `storage ${(targets += 1)}`;
  return {
    ...addresses(remote.addresses),
    authorization,
    send: (request) => outbound.send(name, request, deadline),
    leftMs: () => deadline.leftMs,
  };
}

export const closeOutbounds = async (): Promise<void> =>
  void (await Promise.all(outbounds.splice(0).map((outbound) => outbound.close())));

/** The failure of a storage operation. @throws if there is none */
export async function failureOf(work: Promise<unknown>): Promise<OutboundFailure | StorageFailure> {
  const thrown = await work.then(
    (value) => `succeeded with ${JSON.stringify(value)}`,
    (error: unknown) => error,
  );
  if (!(thrown instanceof StorageFailure) && !(thrown instanceof OutboundFailure)) throw thrown;
  return thrown;
}

/** `value` is the result for an existing file. */
export const kindOf = (outcome: FileInfo | StorageFailure | undefined): string =>
  outcome instanceof StorageFailure ? outcome.kind : outcome ? 'value' : 'nothing';

/** For a user, a hidden file may look removed. */
export const hiddenKinds = ['forbidden', 'notFound'];

/** Operations of a storage for tests. @param remote set when the tests run */
export function storageOperations(remote: () => FileRemote) {
  let folders = 0;
  const user = (storageTimeoutMs?: number): Access =>
    accessOf(remote(), remote().authorization(), storageTimeoutMs);
  const application = async (): Promise<Access> => {
    const { application: leave } = remote();
    if (!leave) throw new Error('This type needs no access of the service itself.');
    return accessOf(remote(), leave());
  };
  const info = (ids: readonly string[], access = user()) =>
    remote().adapter.filesInfo(access, ids, application);
  return {
    user,
    application,
    info,
    about: async (id: string) => (await info([id])).get(id) as FileInfo,
    named: async (parent: string | undefined) =>
      (await remote().adapter.files(user(), parent)).files.map((one) => one.name).sort(),
    /** The path of a folder that no other test uses. */
    fresh: () => `${remote().base}/folder-${(folders += 1)}`,
    /** Creates some files, one after the other. @returns their ids */
    async filesAt(paths: readonly string[], seed?: Seed): Promise<string[]> {
      const ids: string[] = [];
      for (const path of paths) ids.push(await remote().file(path, seed));
      return ids;
    },
  };
}

/** How a browser uploads to a file server. @throws Error unless the file is created */
export async function sendForm(
  { href, method }: Destination,
  name: string,
  content: string,
): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([content]), name);
  form.append('overwrite', 'false');
  created(await fetch(href, { method: method.toUpperCase(), body: form }));
}

/** How a browser uploads to a cloud drive: everything as one range. @throws Error unless the file is created */
export async function sendRange(
  { href, method }: Destination,
  _name: string,
  content: string,
): Promise<void> {
  const bytes = Buffer.from(content);
  created(
    await fetch(href, {
      method: method.toUpperCase(),
      body: bytes,
      headers: { 'content-range': `bytes 0-${bytes.length - 1}/${bytes.length}` },
    }),
  );
}

function created({ status }: Response): void {
  if (status !== 201) throw new Error(`The upload was answered with status ${status}.`);
}
