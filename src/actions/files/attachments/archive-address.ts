/** Addresses of archives that need no credentials for some minutes. */
import type { Context, Services } from '../../../context.js';
import { containerKinds, type ContainerType } from '../../../contract/container-kinds.js';
import { InvalidQuery, MissingPermission } from '../../../contract/errors.js';
import { MAX_ARCHIVED_IDS } from '../../../contract/limits.js';
import { withCommas } from '../../../contract/words.js';
import { User } from '../../../models/user.js';
import { SealBroken } from '../../../secrets/keyring.js';

/** How long a client may begin to download. */
const ADDRESS_MS = 300_000;

export interface ArchiveOf {
  type: ContainerType;
  id: number;
  /** Only these attachments. Absent: all. */
  ids: readonly number[] | undefined;
}

/** @throws InvalidQuery for too many ids, and for anything else than an id */
export function demandArchivedIds(
  ids: readonly (number | undefined)[] | undefined,
): readonly number[] | undefined {
  if (ids && (ids.length === 0 || ids.length > MAX_ARCHIVED_IDS))
    throw new InvalidQuery(
      `An archive takes 1 to ${withCommas(MAX_ARCHIVED_IDS)} ids, or no \`ids\` for all files.`,
      'ids',
    );
  return ids?.map((id) => {
    if (id === undefined) throw new InvalidQuery('An id of an attachment is invalid.', 'ids');
    return id;
  });
}

/** The sealed text is valid for these files only. */
const purposeOf = ({ type, id, ids }: ArchiveOf) =>
  `archive of ${type} ${id}: ${ids?.join() ?? 'all'}`;

/** @returns an address with which anybody can download what the caller may download */
export function archiveAddress(
  { keyring, user, clock, base }: Context,
  archive: ArchiveOf,
): { href: string; expiresAt: string } {
  const expires = clock().getTime() + ADDRESS_MS;
  const access = keyring.seal(`${user.id} ${expires}`, purposeOf(archive));
  const query = new URLSearchParams({ ...(archive.ids && { ids: archive.ids.join() }), access });
  const path = `/api/v3/${containerKinds[archive.type].segment}/${archive.id}/attachments/archive`;
  return {
    href: `${base.url}${path}?${query.toString()}`,
    expiresAt: new Date(expires).toISOString(),
  };
}

/**
 * The user for whom an address was made.
 * @throws MissingPermission if it is over, is not for these files, or its user is locked
 */
export async function holderOf(
  { keyring, clock, db }: Services,
  access: string,
  archive: ArchiveOf,
): Promise<User> {
  const [id, expires] = opened(() => keyring.open(access, purposeOf(archive))).split(' ');
  const user =
    Number(expires) > clock().getTime() &&
    (await User.query(db.read).findOne({ id: Number(id), status: 'active' }));
  if (!user) throw new MissingPermission('The address of this archive is over. Ask for a new one.');
  return user;
}

function opened(open: () => string): string {
  try {
    return open();
  } catch (error) {
    if (error instanceof SealBroken) return '';
    throw error;
  }
}
