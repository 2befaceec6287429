/** Reads the file links of a work package. */
import { LIMIT, OFFSET } from '../database/index.js';
import type { Dependencies } from './dependencies.js';
import { FileLink } from '../models/file-link.js';
import type { WorkPackage } from '../models/work-package.js';
import { columnsOf, parameter, PreparedRead } from '../policies/prepared-read.js';
import { visible } from '../policies/visible.js';
import { keysBetween, type CreationList } from './page.js';

type Order = 'oldest first' | 'newest first';
type Storages = 'of all storages' | 'of some storages';

const links = new PreparedRead<FileLink, `${Order} ${Storages}`>(async (db, _user, shape) => {
  const isNewestFirst = shape.startsWith('newest first');
  const query = visible
    .fileLinksOf(parameter('workPackage'), parameter('project'), db.read)
    .whereRaw('file_links.id > ? and file_links.id < ?', [parameter('above'), parameter('below')])
    .orderBy('file_links.id', isNewestFirst ? 'desc' : 'asc')
    .limit(LIMIT)
    .offset(OFFSET);
  if (shape.endsWith('of some storages'))
    query.whereRaw(db.reads.isOneOf('file_links.storage_id'), [parameter('storages')]);
  return { query, columns: await columnsOf(db, FileLink.tableName) };
});

/** The keys below and above those of all rows. */
const BELOW_ALL = 0;
const ABOVE_ALL = 2_147_483_647;

/**
 * The links of a work package whose links the caller can see.
 * @param storageIds only links to these storages; undefined for all storages
 */
export const fileLinkList = (
  needs: Pick<Dependencies, 'db' | 'user'>,
  { id, projectId }: WorkPackage,
  storageIds: readonly number[] | undefined,
  isNewestFirst: boolean,
): CreationList<FileLink> => ({
  async read({ limit, offset, fromEnd, ...bounds }) {
    const order = isNewestFirst === fromEnd ? 'oldest first' : 'newest first';
    const { above = BELOW_ALL, below = ABOVE_ALL } = keysBetween(bounds, isNewestFirst);
    const rows = await links.rows(
      needs,
      {
        workPackage: id,
        project: projectId,
        above,
        below,
        limit,
        offset,
        ...(storageIds && { storages: needs.db.reads.listOf(storageIds) }),
      },
      `${order} ${storageIds ? 'of some storages' : 'of all storages'}`,
    );
    for (const row of rows) row.projectId = projectId;
    return rows;
  },
  total() {
    const rows = visible.fileLinksOf(id, projectId, needs.db.read);
    if (storageIds) rows.whereIn('file_links.storage_id', [...storageIds]);
    return rows.resultSize();
  },
});
