/** Fetches the picture that the directory names for a user, or takes the fetched one back. */
import { PropertyConstraintViolation } from '../../../contract/errors.js';
import { MAX_AVATAR_BYTES } from '../../../contract/limits.js';
import { DirectoryAvatar } from '../../../models/directory-avatar.js';
import { CIRCUIT_OPEN_MS } from '../../../outbound/circuits.js';
import { Deadline } from '../../../outbound/deadline.js';
import { OutboundFailure } from '../../../outbound/failure.js';
import { nextAttempt } from '../../base/leases/attempts.js';
import { LeaseLost } from '../../base/leases/lease.js';
import { leased } from '../../base/leases/queue.js';
import { NO_PICTURE, putPicture, swapAvatar, type AvatarServices } from './swap-avatar.js';
import { checkAvatar, type Avatar } from './validate-avatar.js';

/** Time-out of one attempt, including waits that the server asks for. */
const ATTEMPT_MS = 10_000;

/** The server answers, but not with a picture. */
class NoPicture extends Error {}

/**
 * @param row leased; the outcome is saved only while its lease token is still there
 * @throws an error of the database or the store, which ends no attempt
 */
export async function fetchAvatar(services: AvatarServices, row: DirectoryAvatar): Promise<void> {
  try {
    await (row.url === null ? takeBack(services, row) : store(services, row, row.url));
  } catch (error) {
    if (error instanceof LeaseLost) return;
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    await saveFailure(services, row, reason, isPause(error));
  }
}

async function store(services: AvatarServices, row: DirectoryAvatar, url: string): Promise<void> {
  const picture = await putPicture(services, await download(services, url));
  const { avatarKey } = picture;
  const done = { avatarKey, dueAt: null, leaseToken: null, lastError: null };
  await swapAvatar(services, row.userId, picture, async (trx) => {
    if ((await leased(DirectoryAvatar, trx, row).patch(done)) === 0) throw new LeaseLost();
    return true;
  });
}

/** @throws OutboundFailure, NoPicture, PropertyConstraintViolation */
async function download({ outbound }: AvatarServices, url: string): Promise<Avatar> {
  const { origin, host } = new URL(url);
  const { status, body } = await outbound.send(
    // A target for each host, so that a dead one delays no other.
    `avatars ${host}`,
    {
      method: 'GET',
      url,
      headers: { accept: 'image/png, image/jpeg' },
      maxBytes: MAX_AVATAR_BYTES,
    },
    new Deadline(ATTEMPT_MS),
  );
  if (status !== 200) throw new NoPicture(`${origin} answered ${status}.`);
  return checkAvatar(body);
}

/** A person's own picture stays. */
const takeBack = (services: AvatarServices, row: DirectoryAvatar) =>
  swapAvatar(services, row.userId, NO_PICTURE, async (trx, user) => {
    if ((await leased(DirectoryAvatar, trx, row).delete()) === 0) throw new LeaseLost();
    return user.avatarKey !== null && user.avatarKey === row.avatarKey;
  });

const isPause = (error: unknown): boolean =>
  error instanceof OutboundFailure && error.reason === 'circuit';

const reasonOf = (error: unknown): string | undefined =>
  error instanceof OutboundFailure ||
  error instanceof NoPicture ||
  error instanceof PropertyConstraintViolation
    ? error.message.slice(0, 255)
    : undefined;

async function saveFailure(
  { db, clock, log }: AvatarServices,
  row: DirectoryAvatar,
  reason: string,
  pause: boolean,
): Promise<void> {
  const now = clock();
  if (pause) {
    const dueAt = new Date(now.getTime() + CIRCUIT_OPEN_MS).toISOString();
    await leased(DirectoryAvatar, db.write, row).patch({ dueAt, leaseToken: null });
    return;
  }
  const attempts = row.attempts + 1;
  const dueAt = nextAttempt(attempts, now) ?? null;
  const saved = await leased(DirectoryAvatar, db.write, row).patch({
    attempts,
    dueAt,
    leaseToken: null,
    lastError: reason,
  });
  // The same reason is logged once, and at the end.
  if (saved === 0 || (dueAt !== null && reason === row.lastError)) return;
  log.warn(
    { user: row.userId, attempts, reason },
    dueAt === null
      ? 'the picture of a user was given up'
      : 'the picture of a user could not be fetched yet',
  );
}
