/**
 * The SQL of the server, by statement, for both databases. It reads the columns that the responses need.
 * `bench/statements.ts` lists what the server sends otherwise.
 */

import { linkStatements } from './link-statements.mjs';

/** The permission of a member or a non-member in the project of `column`. `permission` is a value or an SQL expression. */
const granted = (column, permission = '?') =>
  '(exists (select 1 from memberships join membership_roles on membership_roles.membership_id = memberships.id' +
  ` join role_permissions on role_permissions.role_id = membership_roles.role_id and role_permissions.permission = ${permission}` +
  ` where memberships.user_id = ? and memberships.project_id = ${column})` +
  ` or ((select this_project.public from projects as this_project where this_project.id = ${column})` +
  ` and not exists (select 1 from memberships where memberships.user_id = ? and memberships.project_id = ${column})` +
  ` and exists (select 1 from roles join role_permissions on role_permissions.role_id = roles.id where roles.name = ? and role_permissions.permission = ${permission})))`;
export const grantedTo = (user, permission) => [permission, user, user, 'Non member', permission];

const project =
  'coalesce(work_packages.project_id, meetings.project_id, posts.project_id, wiki_pages.project_id)';
const visibility =
  "case when work_packages.id is not null then 'view_work_packages' when meetings.id is not null then 'view_meetings'" +
  " when posts.id is not null then 'view_messages' when wiki_pages.id is not null then 'view_wiki_pages' end";

const named = (table, ...columns) => columns.map((column) => `${table}.${column}`).join(', ');

const attachmentColumns = named(
  'attachments',
  'id',
  'author_id',
  'file_name',
  'file_size',
  'description_text',
  'content_type',
  'digest_algorithm',
  'digest_hash',
  'status',
  'created_at',
);
const workPackageColumns = [
  'id',
  'project_id',
  'author_id',
  'subject',
  'description_text',
  'type_id',
  'status_id',
  'assignee_id',
  'responsible_id',
  'lock_version',
  'created_at',
  'updated_at',
];
const userColumns = named(
  'users',
  'id',
  'login',
  'first_name',
  'last_name',
  'email',
  'admin',
  'status',
  'created_at',
  'updated_at',
);

/** The columns of the container in a row of `attachment`. */
const CONTAINER = 'container_';
const containerColumns = workPackageColumns
  .map((column) => `work_packages.${column} as ${CONTAINER}${column}`)
  .join(', ');
export const containerOf = (row) =>
  Object.fromEntries(workPackageColumns.map((column) => [column, row[CONTAINER + column]]));

/** @param isOneOf SQL for: the column is in the list that is the only value */
const statementsWith = (isOneOf) => ({
  key: 'select users.id, users.admin, users.email from users where status = ? and id in (select user_id from api_keys where key_hash = ?)',
  attachment:
    `select ${attachmentColumns}, ${containerColumns} from attachments left join activities on activities.id = attachments.activity_id` +
    ' left join work_packages on work_packages.id = coalesce(attachments.work_package_id, activities.work_package_id) left join meetings on meetings.id = attachments.meeting_id' +
    ' left join posts on posts.id = attachments.post_id left join wiki_pages on wiki_pages.id = attachments.wiki_page_id' +
    " where (attachments.phase = 'kept' and (attachments.status <> 'prepared' or attachments.author_id = ?)" +
    ` and ((${project} is null and attachments.author_id = ?) or (${project} is not null and ${granted(project, visibility)}` +
    ` and (activities.id is null or (activities.internal = false or ${granted('work_packages.project_id')}))))) and attachments.id = ?`,
  workPackage: `select ${named('work_packages', ...workPackageColumns)} from work_packages where (${granted('work_packages.project_id')}) and work_packages.id = ?`,
  attachments: `select ${attachmentColumns} from attachments where phase = ? and not status = ? and attachments.work_package_id = ? order by attachments.file_name asc, attachments.id asc limit ?`,
  permissions:
    'select distinct role_permissions.permission from role_permissions where role_permissions.role_id in' +
    ' (select membership_roles.role_id from membership_roles inner join memberships on memberships.id = membership_roles.membership_id where memberships.user_id = ? and memberships.project_id = ?' +
    ' union select roles.id from roles where roles.name = ? and exists (select 1 from projects where id = ? and public = ?) and not exists (select 1 from memberships where user_id = ? and project_id = ?))',
  containers: `select ${named('work_packages', ...workPackageColumns)} from work_packages where ${isOneOf('work_packages.id')}`,
  projects: `select projects.id, projects.name from projects where ${isOneOf('projects.id')}`,
  types: `select types.id, types.name from types where ${isOneOf('types.id')}`,
  statuses: `select statuses.id, statuses.name from statuses where ${isOneOf('statuses.id')}`,
  users: `select ${userColumns} from users where ${isOneOf('users.id')}`,
  search:
    'select work_packages.id, work_packages.subject from work_packages where work_packages.search_text like ?' +
    ` and work_packages.project_id in (select projects.id from projects where ${granted('projects.id')})` +
    ' order by work_packages.id asc limit ?',
  ...linkStatements(granted),
  reserve:
    'insert into attachments (author_id, blob_key, content_type, created_at, description_text, digest_algorithm, digest_hash, expires_at, file_name, file_size, lease_token, lease_until, phase, status, updated_at, work_package_id)' +
    ' values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning *',
  finish:
    'update attachments set file_name = ?, description_text = ?, file_size = ?, content_type = ?, digest_hash = ?, phase = ?, lease_until = ?, lease_token = ?, expires_at = ?, updated_at = ? where id = ? and phase = ? and lease_token = ?',
  record:
    'insert into activities (author_id, changes, comment_text, created_at, internal, kind, updated_at, work_package_id) values (?, ?, ?, ?, ?, ?, ?, ?)',
  touch: 'update work_packages set updated_at = ? where id in (?)',
});

export const sqliteStatements = statementsWith(
  (column) => `${column} in (select value from json_each(?))`,
);
export const postgresStatements = statementsWith((column) => `${column} = any(?)`);

export const bindings = {
  attachment: (user, id) => [
    user,
    user,
    user,
    user,
    'Non member',
    ...grantedTo(user, 'view_internal_comments'),
    id,
  ],
  workPackage: (user, id) => [...grantedTo(user, 'view_work_packages'), id],
  search: (user, word, limit) => [`%${word}%`, ...grantedTo(user, 'view_work_packages'), limit],
  permissions: (user, project) => [user, project, 'Non member', project, true, user, project],
};
