/** Which storages, their files and file links a user can see, as SQL. */
import type { Sql } from '../database/index.js';
import { ANONYMOUS, NON_MEMBER } from '../models/role.js';
import { containers, storages, type Permission } from './permissions.js';
import {
  all,
  any,
  everything,
  granted,
  grantedAnywhere,
  heldByName,
  scope,
  sql,
  CALLER_ID,
  type CallerKind,
} from './sql-conditions.js';

const seesFiles = (kind: CallerKind, project = 'project_storages.project_id'): Sql =>
  all(...storages.view.map((permission) => granted(kind, { permission }, project)));

/**
 * A project uses the storage, and the caller can see storage files in that project.
 * The query starts from the caller's few projects, not from all projects of the storage.
 */
function seesFilesOf(kind: CallerKind): Sql {
  const exists = (from: string, seen: Sql, values: Sql['values'] = []): Sql => ({
    text:
      `exists (select 1 from ${from}` +
      ` and project_storages.storage_id = storages.id and ${seen.text})`,
    values: [...values, ...seen.values],
  });
  const inPublic = exists(
    'projects join project_storages on project_storages.project_id = projects.id' +
      ' where projects.public = true',
    seesFiles(kind, 'projects.id'),
  );
  const byName = storages.view.map((permission) =>
    sql(heldByName('?'), kind === 'anonymous' ? ANONYMOUS : NON_MEMBER, permission),
  );
  if (kind === 'anonymous') return all(...byName, inPublic);
  const inOwn = exists(
    'memberships as own join project_storages on project_storages.project_id = own.project_id' +
      ' where own.user_id = ?',
    seesFiles(kind, 'own.project_id'),
    [CALLER_ID],
  );
  return any(inOwn, all(...byName, inPublic));
}

export const filesScope = scope((kind) => (kind === 'admin' ? everything : seesFilesOf(kind)));

const seesStorage = (kind: CallerKind): Sql =>
  kind === 'admin'
    ? everything
    : any(grantedAnywhere(kind, storages.administer), seesFilesOf(kind));
export const storageScope = scope(seesStorage);

/** The caller sees the storage of the row. */
function ofStorage(table: string, kind: CallerKind): Sql {
  const storage = seesStorage(kind);
  return {
    text: `exists (select 1 from storages where storages.id = ${table}.storage_id and ${storage.text})`,
    values: storage.values,
  };
}

export const storageAccountScope = scope((kind) => {
  if (kind !== 'person') return kind === 'admin' ? everything : sql('1 = 0');
  // Also while the person does not see the storage: they can end what acts in their name.
  return sql('storage_tokens.user_id = ?', CALLER_ID);
});

export const projectStorageScope = scope((kind) =>
  any(
    seesFiles(kind),
    granted(kind, { permission: storages.administer }, 'project_storages.project_id'),
  ),
);

export const fileLinkScope = scope((kind) => {
  // A link shows its storage. So an unclaimed link is only visible while its storage is.
  const own =
    kind === 'anonymous'
      ? sql('1 = 0')
      : all(
          sql('file_links.work_package_id is null and file_links.creator_id = ?', CALLER_ID),
          ofStorage('file_links', kind),
        );
  return any(own, linkedWith(kind, storages.view));
});

export const manageableLinkScope = scope((kind) =>
  linkedWith(kind, [...containers.WorkPackage.view, storages.manage]),
);

/** The link has a work package. Its project uses the storage, and the caller has the permissions. */
function linkedWith(kind: CallerKind, permissions: readonly Permission[]): Sql {
  // A subquery with at most one row, not `exists`, for the same reason as in `isPublicProject`.
  const used = sql(
    '(select project_storages.id from project_storages' +
      ' where project_storages.project_id = file_links.project_id' +
      ' and project_storages.storage_id = file_links.storage_id) is not null',
  );
  return all(
    sql('file_links.work_package_id is not null'),
    ...permissions.map((permission) => granted(kind, { permission }, 'file_links.project_id')),
    used,
  );
}
