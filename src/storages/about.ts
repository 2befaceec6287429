/** Describes a type of storage as data: names, own members, hosts. Its adapter has the protocol. */

/** A text member that only storages of this type have. It is stored in its own column. */
export interface OwnMember {
  /** Name of the member in validation errors, e.g. `Tenant ID`. */
  label: string;
  /** Description of the member in the API. */
  description: string;
  /** Description of the input argument, if it differs. */
  input?: string;
  /** Checks the format of a value. */
  isValid(value: string): boolean;
  /**
   * Whether this value determines the host. After a change, the stored secrets must not be sent to
   * the new host.
   */
  isHost?: true;
}

/** A setting that only the type has. */
export interface Setting {
  /** In the configuration. */
  setting: string;
  /** In the environment. */
  variable: string;
  /** Its meaning, for the table of settings. */
  description: string;
}

/** An address that is configured, not entered. */
export interface HostSetting extends Setting {
  default: string;
}

/** Which ids files of a type can have. Any other id is never sent to the storage. */
export interface FileIds {
  isValid(id: string): boolean;
  /** What ids consist of, for the message of a refused one, e.g. `1 to 19 digits`. */
  rule: string;
}

export interface About {
  /** Description of the type in the API. */
  description: string;
  /** Name of a new storage if the request gives none. */
  defaultName: string;
  /** Name of the type in each API profile. */
  names: { readonly standard: string; readonly openproject: string };
  /** The setting that disables the type if it is `false`. Absent: the type is always enabled. */
  enabledBy?: Setting;
  /**
   * Whether each storage has its own address (origin). Such a storage also has an authentication
   * method, an audience and an application password.
   */
  hasOrigin: boolean;
  /**
   * OAuth redirect path below the origin. The storage's own application receives authorization
   * codes there. Absent: it has no such application.
   */
  redirectPath?: string;
  /**
   * The member of a storage without which the service cannot manage the folders of projects.
   * Absent: the type has no such folders.
   */
  foldersNeed?: 'applicationPassword' | 'automaticallyManagedFolders';
  /** Addresses from the configuration. Each key is a member of `Target`. */
  hosts: { readonly [name: string]: HostSetting };
  /** The health check that must pass before a user's connection is checked. */
  connectionNeeds: string;
  members: { readonly [name: string]: OwnMember };
  fileIds: FileIds;
}
