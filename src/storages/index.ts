/** Maps each type of storage to its adapter. A missing adapter is a compile error. */
import type { Adapter } from './adapter.js';
import { onlyPossibleIds } from './only-possible-ids.js';
import { cloudDrive } from './cloud-drive/index.js';
import { selfHostedFileServer } from './self-hosted-file-server/index.js';
import { storageTypes, type StorageType } from './types.js';

const adapters = {
  SelfHostedFileServer: selfHostedFileServer,
  CloudDrive: cloudDrive,
} satisfies Record<StorageType, Adapter>;

const guarded = Object.fromEntries(
  Object.entries(adapters).map(([type, adapter]) => [
    type,
    onlyPossibleIds(adapter, storageTypes[type as StorageType].fileIds),
  ]),
) as Record<StorageType, Adapter>;

export const adapterFor = (type: StorageType): Adapter => guarded[type];
