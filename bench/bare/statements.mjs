/** The SQL of the server, by statement, for both databases. `bench/statements.ts` fails if the server sends other SQL. */

/** The permission of a member or a non-member in the project of `column`. `permission` is a value or an SQL expression. */
const granted = (column, permission = '?') =>
  '(exists (select 1 from memberships join membership_roles on membership_roles.membership_id = memberships.id' +
  ` join role_permissions on role_permissions.role_id = membership_roles.role_id and role_permissions.permission = ${permission}` +
  ` where memberships.user_id = ? and memberships.project_id = ${column})` +
  ` or ((select place.public from projects as place where place.id = ${column})` +
  ` and not exists (select 1 from memberships where memberships.user_id = ? and memberships.project_id = ${column})` +
  ` and exists (select 1 from roles join role_permissions on role_permissions.role_id = roles.id where roles.name = ? and role_permissions.permission = ${permission})))`;
const grantedTo = (user, permission) => [permission, user, user, 'Non member', permission];

const project =
  'coalesce(work_packages.project_id, meetings.project_id, posts.project_id, wiki_pages.project_id)';
const visibility =
  "case when work_packages.id is not null then 'view_work_packages' when meetings.id is not null then 'view_meetings'" +
  " when posts.id is not null then 'view_messages' when wiki_pages.id is not null then 'view_wiki_pages' end";

export const statements = {
  key: 'select users.* from users where status = ? and id in (select user_id from api_keys where key_hash = ?)',
  attachment:
    'select attachments.* from attachments left join activities on activities.id = attachments.activity_id' +
    ' left join work_packages on work_packages.id = coalesce(attachments.work_package_id, activities.work_package_id) left join meetings on meetings.id = attachments.meeting_id' +
    ' left join posts on posts.id = attachments.post_id left join wiki_pages on wiki_pages.id = attachments.wiki_page_id' +
    " where (attachments.phase = 'kept' and (attachments.status <> 'prepared' or attachments.author_id = ?)" +
    ` and ((${project} is null and attachments.author_id = ?) or (${project} is not null and ${granted(project, visibility)}` +
    ` and (activities.id is null or (activities.internal = false or ${granted('work_packages.project_id')}))))) and attachments.id = ?`,
  workPackage: `select work_packages.* from work_packages where (${granted('work_packages.project_id')}) and work_packages.id = ?`,
  containers: 'select work_packages.* from work_packages where work_packages.id in (?)',
  attachments:
    'select attachments.* from attachments where phase = ? and not status = ? and attachments.work_package_id = ? order by attachments.file_name asc, attachments.id asc',
  permissions:
    'select distinct role_permissions.permission from role_permissions where role_permissions.role_id in' +
    ' (select membership_roles.role_id from membership_roles inner join memberships on memberships.id = membership_roles.membership_id where memberships.user_id = ? and memberships.project_id = ?' +
    ' union select roles.id from roles where roles.name = ? and exists (select 1 from projects where id = ? and public = ?) and not exists (select 1 from memberships where user_id = ? and project_id = ?))',
  projects: 'select projects.* from projects where id in (?)',
  users: 'select users.* from users where id in (?)',
  reserve:
    'insert into attachments (author_id, blob_key, content_type, created_at, description_text, digest_algorithm, digest_hash, file_name, file_size, lease_until, phase, status, updated_at, work_package_id)' +
    ' values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning *',
  finish:
    'update attachments set file_name = ?, description_text = ?, file_size = ?, content_type = ?, digest_hash = ?, phase = ?, lease_until = ?, expires_at = ?, created_at = ?, updated_at = ? where id = ? and phase = ?',
  record:
    'insert into activities (author_id, changes, comment_text, created_at, internal, kind, updated_at, work_package_id) values (?, ?, ?, ?, ?, ?, ?, ?)',
  touch: 'update work_packages set updated_at = ? where work_packages.id = ?',
};

/** PostgreSQL returns the key of a new row only with `returning`. */
export const postgresStatements = { ...statements, record: `${statements.record} returning id` };

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
  permissions: (user, project) => [user, project, 'Non member', project, true, user, project],
};
