/** Reads the file links of a work package. */
import { LIMIT, OFFSET } from '../database/index.js';
import type { Dependencies } from './dependencies.js';
import { FileLink } from '../models/file-link.js';
import type { WorkPackage } from '../models/work-package.js';
import { columnsOf, parameter, PreparedRead } from '../policies/prepared-read.js';
import { visible } from '../policies/visible.js';
import type { CreationList } from './page.js';

const links = new PreparedRead<FileLink, 'of all storages' | 'of some storages'>(
  async (db, _user, shape) => {
    const query = visible
      .fileLinksOf(parameter('workPackage'), parameter('project'), db.read)
      .whereRaw('file_links.id > ?', [parameter('after')])
      .orderBy('file_links.id')
      .limit(LIMIT)
      .offset(OFFSET);
    if (shape === 'of some storages')
      query.whereRaw(db.reads.isOneOf('file_links.storage_id'), [parameter('storages')]);
    return { query, columns: await columnsOf(db, FileLink.tableName) };
  },
);

/**
 * The links of a work package whose links the caller can see, oldest first.
 * @param storageIds only links to these storages; undefined for all storages
 */
export const fileLinkList = (
  needs: Pick<Dependencies, 'db' | 'user'>,
  { id, projectId }: WorkPackage,
  storageIds: readonly number[] | undefined,
): CreationList<FileLink> => ({
  async read(limit, after = 0, offset) {
    const { db } = needs;
    const values = { workPackage: id, project: projectId, after, limit, offset };
    const rows = await (storageIds
      ? links.rows(needs, { ...values, storages: db.reads.listOf(storageIds) }, 'of some storages')
      : links.rows(needs, values, 'of all storages'));
    for (const row of rows) row.projectId = projectId;
    return rows;
  },
  total() {
    const rows = visible.fileLinksOf(id, projectId, needs.db.read);
    if (storageIds) rows.whereIn('file_links.storage_id', [...storageIds]);
    return rows.resultSize();
  },
});
