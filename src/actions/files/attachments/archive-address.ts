/** Addresses of archives that need no credentials for some minutes. */
import type { Context } from '../../../context.js';
import { containerKinds, type ContainerType } from '../../../contract/container-kinds.js';
import { InvalidQuery } from '../../../contract/errors.js';
import { MAX_ARCHIVED_IDS } from '../../../contract/limits.js';
import { withCommas } from '../../../contract/words.js';
import type { TemporaryAddress } from '../../../models/temporary-address.js';
import { temporaryAddress, type Target } from './temporary-address.js';

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

/** An address is valid for these files only. */
export const archiveOf = ({ type, id, ids }: ArchiveOf): Target => ({
  what: 'archive',
  of: `${type} ${id}: ${ids?.join() ?? 'all'}`,
});

/** @returns an address with which anybody can download what the caller may download */
export function archiveAddress(context: Context, archive: ArchiveOf): TemporaryAddress {
  const { type, id, ids } = archive;
  const path = `/${containerKinds[type].segment}/${id}/attachments/archive`;
  return temporaryAddress(context, path, archiveOf(archive), { ...(ids && { ids: ids.join() }) });
}
