/** Lists the types of storages. All differences between them are in their folders. */
import type { About, HostSetting, OwnMember } from './about.js';
import { about as CloudDrive } from './cloud-drive/about.js';
import { about as SelfHostedFileServer } from './self-hosted-file-server/about.js';

const types = { SelfHostedFileServer, CloudDrive };

export type StorageType = keyof typeof types;
type Members<T> = T extends { members: infer M } ? keyof M : never;
export type OwnMemberName = Members<(typeof types)[StorageType]>;

type Hosts<T> = T extends { hosts: infer H } ? keyof H : never;
export type HostName = Hosts<(typeof types)[StorageType]>;

export const storageTypes: { readonly [type in StorageType]: About } = types;
export const storageTypeNames = Object.keys(types) as StorageType[];
/** The own members of all types. */
export const ownMembers = Object.assign(
  {},
  ...Object.values(storageTypes).map(({ members }) => members),
) as { readonly [name in OwnMemberName]: OwnMember };
export const ownMemberNames = Object.keys(ownMembers) as OwnMemberName[];
/** The address settings of all types. */
export const hostSettings = Object.assign(
  {},
  ...Object.values(storageTypes).map(({ hosts }) => hosts),
) as { readonly [name in HostName]: HostSetting };
export const hostNames = Object.keys(hostSettings) as HostName[];
