/** What a type of storage says about itself, as data: everything but how it is spoken to. */

/** A member that only storages of the type have: a text, kept in a column of its own. */
export interface OwnMember {
  /** In refusals, e.g. `Tenant ID`. */
  label: string;
  description: string;
  /** Of the argument; absent: the same. */
  input?: string;
  /** Whether a text can be one. */
  isValid(value: string): boolean;
  /** Whether another value is another host, to which no secret may go. */
  isHost?: true;
}

export type HostSetting = 'cloudDriveLoginUrl' | 'cloudDriveApiUrl';

export interface About {
  description: string;
  /** Of a new storage without a name. */
  defaultName: string;
  /** By profile. */
  names: { readonly standard: string; readonly openproject: string };
  /** The setting without which the type is switched off. */
  enabledBy?: 'cloudDriveEnabled';
  /** Whether it stands at an address of its own, with a way to sign on, an audience and an application password. */
  hasOrigin: boolean;
  /** Path below the origin to which the storage's own application sends browsers with a code; absent where it has none. */
  redirectPath?: string;
  /** Addresses that are configured, not entered: each a member of `Target`, by the setting that it comes from. */
  hosts: { readonly [name: string]: HostSetting };
  /** The check after which the connection of a user can be judged. */
  connectionNeeds: string;
  members: { readonly [name: string]: OwnMember };
}
