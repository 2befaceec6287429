/** Makes the `Target` of a storage: what adapters need to call it. */
import type { Context } from '../../../context.js';
import type { Deadline } from '../../../outbound/deadline.js';
import type { Storage } from '../../../models/storage.js';
import {
  hostMemberNames,
  hostNames,
  ownMemberNames,
  storageTypes,
  type HostName,
  type OwnMemberName,
  type StorageType,
} from '../../../storages/types.js';
import type { Target } from '../../../storages/adapter.js';

type Addresses = Pick<Storage, 'type' | 'origin' | OwnMemberName>;
type Host = Addresses & Pick<Storage, 'originKey'>;

/** Name of a storage's circuit breaker and metrics in the outbound client. */
export const targetName = ({ id }: Pick<Storage, 'id'>): string => `storage ${id}`;

export const targetOf = (
  context: Context,
  storage: Addresses & { id: number },
  deadline: Deadline = context.deadlineOf(storage.id),
): Target => makeTarget(context, storage, targetName(storage), deadline);

/** Whether a change sends requests to another host. Then no secret of the storage may stay. */
export const movesHost = (before: Host, after: Host): boolean =>
  before.originKey !== after.originKey ||
  schemeOf(before) !== schemeOf(after) ||
  hostMemberNames.some((name) => before[name] !== after[name]);

const schemeOf = ({ origin }: Addresses) => origin?.split(':', 1)[0];

/** The target of values that are not stored yet. */
export const probeTarget = (context: Context, storage: Addresses & { id?: number }): Target => {
  // All probes share one circuit. Failures of other origins must not count here.
  context.outbound.forget(PROBE);
  return makeTarget(
    context,
    storage,
    PROBE,
    storage.id === undefined ? context.outbound.deadline() : context.deadlineOf(storage.id),
  );
};

const PROBE = 'probe';

const makeTarget = (
  context: Context,
  { type, origin, ...own }: Addresses,
  name: string,
  deadline: Deadline,
): Target => ({
  ...(Object.fromEntries(ownMemberNames.map((member) => [member, own[member]])) as {
    [member in OwnMemberName]: string | null;
  }),
  origin: origin ?? '',
  ...hostsOf(context, type),
  send(request) {
    context.waits();
    return context.outbound.send(name, request, deadline);
  },
  leftMs: () => deadline.leftMs,
});

function hostsOf({ settings }: Context, type: StorageType): { [host in HostName]: string } {
  const { hosts } = storageTypes[type];
  return Object.fromEntries(
    hostNames.map((name) => [name, hosts[name] ? settings[hosts[name].setting] : '']),
  ) as { [host in HostName]: string };
}
