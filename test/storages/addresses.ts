import type { Target } from '../../src/storages/adapter.js';
import {
  hostNames,
  ownMemberNames,
  type HostName,
  type OwnMemberName,
} from '../../src/storages/types.js';

/** The addresses of a storage, in the form that adapters get. */
export type Addresses = Pick<Target, HostName | OwnMemberName | 'origin'>;

const none = {
  origin: '',
  ...Object.fromEntries(ownMemberNames.map((name) => [name, null])),
  ...Object.fromEntries(hostNames.map((name) => [name, ''])),
} as Addresses;

/** Without the members of storages of other types. */
export const addresses = (own: Partial<Addresses>): Addresses => ({ ...none, ...own });
