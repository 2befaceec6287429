/** Lists the types of storages. All differences between them are in their folders. */
import type { About, HostSetting, OwnMember, Setting } from './about.js';
import { about as CloudDrive } from './cloud-drive/about.js';
import { about as SelfHostedFileServer } from './self-hosted-file-server/about.js';

const types = { SelfHostedFileServer, CloudDrive };

export type StorageType = keyof typeof types;
type Said = (typeof types)[StorageType];
type Members<T> = T extends { members: infer M } ? keyof M : never;
export type OwnMemberName = Members<Said>;

type Hosts<T> = T extends { hosts: infer H } ? keyof H : never;
export type HostName = Hosts<Said>;

type Addresses<T> = T extends { hosts: infer H } ? H[keyof H] : never;
type Switches<T> = T extends { enabledBy: infer S } ? S : never;
type SettingOf<T> = T extends { setting: infer S extends string } ? S : never;
type VariableOf<T> = T extends { variable: infer V extends string } ? V : never;
export type HostVariable = VariableOf<Addresses<Said>>;
export type SwitchVariable = VariableOf<Switches<Said>>;
type HostSettings = { [setting in SettingOf<Addresses<Said>>]: string };
type SwitchSettings = { [setting in SettingOf<Switches<Said>>]: boolean };
/** What the configuration has for all types. */
export type StorageSettings = HostSettings & SwitchSettings;

interface Known extends About {
  enabledBy?: Setting & { setting: keyof SwitchSettings; variable: SwitchVariable };
  hosts: {
    readonly [name: string]: HostSetting & { setting: keyof HostSettings; variable: HostVariable };
  };
}

export const storageTypes: { readonly [type in StorageType]: Known } = types;
export const storageTypeNames = Object.keys(types) as StorageType[];
/** The own members of all types. Members of the same name share a column. */
export const ownMembers = Object.assign(
  {},
  ...Object.values(storageTypes).map(({ members }) => members),
) as { readonly [name in OwnMemberName]: OwnMember };
export const ownMemberNames = Object.keys(ownMembers) as OwnMemberName[];
/** Own members that determine the host of a storage. */
export const hostMemberNames = ownMemberNames.filter((name) =>
  Object.values(storageTypes).some(({ members }) => members[name]?.isHost),
);
/** Names of the configured addresses of all types. */
export const hostNames = Object.values(storageTypes).flatMap(({ hosts }) =>
  Object.keys(hosts),
) as HostName[];
export const hostSettings = Object.values(storageTypes).flatMap(({ hosts }) =>
  Object.values(hosts),
);
/** Settings that enable a type. */
export const switches = Object.values(storageTypes).flatMap(({ enabledBy }) => enabledBy ?? []);
