/** The types of storages; a missing adapter is a compile error. */
import type { StorageType } from '../models/storage.js';
import type { Adapter } from './adapter.js';
import { cloudDrive } from './cloud-drive/index.js';
import { selfHostedFileServer } from './self-hosted-file-server/index.js';

const adapters = { SelfHostedFileServer: selfHostedFileServer, CloudDrive: cloudDrive } satisfies Record<StorageType, Adapter>;

export const adapterFor = (type: StorageType): Adapter => adapters[type];
