/** Keeps ids that no file of a type can have away from its storage. */
import type { FileIds } from './about.js';
import type { Adapter, FileInfo } from './adapter.js';
import { failureOf, type StorageFailure } from './failure.js';

/** Such files are `notFound`. One odd id can make a storage refuse a request for many files. */
export function onlyPossibleIds(adapter: Adapter, { isValid }: FileIds): Adapter {
  const missing = (): Promise<never> => Promise.reject(failureOf(404));
  const isPossible = (parent: string | undefined) =>
    parent === undefined || parent.startsWith('/') || isValid(parent);
  return {
    ...adapter,
    async filesInfo(access, ids, application) {
      const possible = ids.filter(isValid);
      const outcomes = new Map<string, FileInfo | StorageFailure>(
        await adapter.filesInfo(access, possible, application),
      );
      if (possible.length < ids.length) {
        const gone = failureOf(404);
        for (const id of ids) if (!isValid(id)) outcomes.set(id, gone);
      }
      return outcomes;
    },
    file: (access, id) => (isValid(id) ? adapter.file(access, id) : missing()),
    files: (access, parent) => (isPossible(parent) ? adapter.files(access, parent) : missing()),
    createFolder: (access, parent, name) =>
      isPossible(parent) ? adapter.createFolder(access, parent, name) : missing(),
    uploadLink: (access, parent, name) =>
      isPossible(parent) ? adapter.uploadLink(access, parent, name) : missing(),
    downloadLink: (access, id) => (isValid(id) ? adapter.downloadLink(access, id) : missing()),
    openLink(target, folderId) {
      const link = adapter.openLink(target, folderId);
      return typeof link === 'string' || isPossible(folderId) ? link : missing;
    },
    fileLink(target, id, at) {
      const link = adapter.fileLink(target, id, at);
      return typeof link === 'string' || isValid(id) ? link : missing;
    },
  };
}
