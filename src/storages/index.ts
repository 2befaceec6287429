/** Maps each type of storage to its adapter. A missing adapter is a compile error. */
import type { Adapter } from './adapter.js';
import { cloudDrive } from './cloud-drive/index.js';
import { selfHostedFileServer } from './self-hosted-file-server/index.js';
import type { StorageType } from './types.js';

const adapters = {
  SelfHostedFileServer: selfHostedFileServer,
  CloudDrive: cloudDrive,
} satisfies Record<StorageType, Adapter>;

export const adapterFor = (type: StorageType): Adapter => adapters[type];
