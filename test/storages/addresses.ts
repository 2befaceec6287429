import type { Target } from '../../src/storages/adapter.js';
import {
  hostNames,
  ownMemberNames,
  type HostName,
  type OwnMemberName,
} from '../../src/storages/types.js';

/** Where a storage is, as adapters are told. */
export type Addresses = Pick<Target, HostName | OwnMemberName | 'origin'>;

const none = {
  origin: '',
  ...Object.fromEntries(ownMemberNames.map((name) => [name, null])),
  ...Object.fromEntries(hostNames.map((name) => [name, ''])),
} as Addresses;

/** With nothing of what storages of other types have. */
export const addresses = (own: Partial<Addresses>): Addresses => ({ ...none, ...own });
