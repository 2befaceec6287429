/** Uploads that are kept across reloads, in IndexedDB. Without IndexedDB nothing is kept. */
import type { FileDetails } from './file.js';

/** What is kept of an upload. */
export interface KeptUpload {
  id: string;
  /** Address of the service. */
  url: string;
  /** Global id of the signed-in person. */
  viewerId: string;
  /** The page that has it: while that page lives, no other one restores it. */
  pageId: string;
  /** When it was added, in milliseconds since 1970. */
  since: number;
  fileName: string;
  details: FileDetails;
  /** Absent if it is too large to be copied. */
  file?: File;
  /** Where the file goes; the kind says who reads it. */
  kind: 'attachment' | 'storage';
  target: object;
  /** How far it is. */
  memory: object;
}

const NAME = 'moorage-client';
const STORE = 'uploads';

let opening: Promise<IDBDatabase> | undefined;

const open = (): Promise<IDBDatabase> =>
  (opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  }));

/** Runs one request in a transaction of its own. @returns undefined if nothing can be kept here */
async function run<T>(
  mode: IDBTransactionMode,
  request: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  if (!kept.isPossible) return undefined;
  try {
    const transaction = (await open()).transaction(STORE, mode);
    const asked = request(transaction.objectStore(STORE));
    return await new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } catch {
    // A private window or a full disk: the upload itself works.
    return undefined;
  }
}

export const kept = {
  isPossible: typeof indexedDB !== 'undefined',
  all: async (): Promise<KeptUpload[]> =>
    (await run<KeptUpload[]>('readonly', (store) => store.getAll())) ?? [],
  put: (upload: KeptUpload) => run('readwrite', (store) => store.put(upload)),
  remove: (id: string) => run('readwrite', (store) => store.delete(id)),
};
