/** A storage as the adapters take it: addresses, and the way to it. */
import type { Context } from '../../context.js';
import type { Deadline } from '../../outbound/client.js';
import type { Storage } from '../../models/storage.js';
import {
  hostNames,
  hostSettings,
  ownMemberNames,
  ownMembers,
  type HostName,
  type OwnMemberName,
} from '../../storages/types.js';
import type { Target } from '../../storages/adapter.js';

type Addresses = Pick<Storage, 'origin' | OwnMemberName>;

/** Whose circuit and numbers a storage's requests are. */
export const targetName = ({ id }: Pick<Storage, 'id'>): string => `storage ${id}`;

export const targetOf = (
  context: Context,
  storage: Addresses & { id: number },
  deadline: Deadline = context.deadlineOf(storage.id),
): Target => addressed(context, storage, targetName(storage), deadline);

/** Whether the requests of a storage go elsewhere after a change; then nothing secret of it may go with them (decisions 4). */
export const movesHost = (before: Storage, after: Storage): boolean =>
  before.originKey !== after.originKey ||
  schemeOf(before) !== schemeOf(after) ||
  ownMemberNames.some((name) => ownMembers[name].isHost && before[name] !== after[name]);
const schemeOf = ({ origin }: Storage) => origin?.split(':', 1)[0];

/** A storage that is not kept yet, or not in this form. */
export const probeTarget = (context: Context, storage: Addresses & { id?: number }): Target => {
  // What another origin did says nothing about this one.
  context.outbound.forget(PROBE);
  return addressed(
    context,
    storage,
    PROBE,
    storage.id === undefined ? context.outbound.deadline() : context.deadlineOf(storage.id),
  );
};
const PROBE = 'probe';

const addressed = (
  context: Context,
  { origin, ...own }: Addresses,
  name: string,
  deadline: Deadline,
): Target => ({
  ...(Object.fromEntries(ownMemberNames.map((member) => [member, own[member]])) as {
    [member in OwnMemberName]: string | null;
  }),
  origin: origin ?? '',
  ...(Object.fromEntries(hostNames.map((host) => [host, context.settings[hostSettings[host]]])) as {
    [host in HostName]: string;
  }),
  send(request) {
    context.waits();
    return context.outbound.send(name, request, deadline);
  },
  leftMs: () => deadline.leftMs,
});
