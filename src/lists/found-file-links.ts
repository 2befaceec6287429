/** Lists the linked files of all work packages that the caller sees, by their last known names. */
import type { FileLink } from '../models/file-link.js';
import type { User } from '../models/user.js';
import { storages } from '../policies/permissions.js';
import { projectsGranting } from '../policies/project-sets.js';
import { fileLinkRows } from '../policies/visible.js';
import { sql } from './conditions.js';
import { byCreation, type List } from './list.js';
import type { Searching } from './needs.js';
import { searchWords, wordStarts } from './search-words.js';
import { FEW, gatheredKeys } from './searched.js';
import { foundSet, type InSet } from './sets.js';

const USED =
  '(select project_storages.id from project_storages' +
  ' where project_storages.project_id = file_links.project_id' +
  ' and project_storages.storage_id = file_links.storage_id) is not null';

export async function foundFileLinks(
  needs: Searching & { user: User },
  search: string | null | undefined,
  direction: 'asc' | 'desc',
): Promise<List<FileLink>> {
  const { db, user } = needs;
  const granting = projectsGranting(user, storages.view);
  const projects = granting && (await foundSet(needs, granting));
  const words = searchWords(search);
  const searched = wordStarts(db, 'file_links', words);
  return {
    rows: fileLinkRows,
    filters: () => [
      sql('file_links.work_package_id is not null'),
      ...(projects ? [projects('file_links.project_id')] : []),
      ...words.map((word) => db.search.contains('file_links.search_text', word)),
      sql(USED),
    ],
    starts: [
      // First, so that the time of a list does not tell of hidden files.
      ...(projects ? await linksIn(needs, projects) : []),
      ...searched.starts,
    ],
    slowStarts: searched.slowStarts,
    order: byCreation('file_links', direction),
  };
}

/** The links in these projects, unless the projects have many work packages. */
async function linksIn(needs: Searching, projects: InSet) {
  const { text, values } = projects('work_packages.project_id');
  const workPackages = sql(`select work_packages.id from work_packages where ${text}`, values);
  const keys = await gatheredKeys(needs, [workPackages], FEW);
  if (keys === undefined) return [];
  const isOneOf = needs.db.phrases.isOneOf('file_links.work_package_id');
  return [[sql(`select file_links.id from file_links where ${isOneOf}`, [keys])]];
}
