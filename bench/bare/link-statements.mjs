/** The SQL for file links. The server's visibility also covers links without a work package, which no workload reads. */
const linkColumns = [
  'id',
  'work_package_id',
  'storage_id',
  'creator_id',
  'origin_id',
  'origin_name',
  'origin_mime_type',
  'origin_size',
  'origin_created_at',
  'origin_last_modified_at',
  'origin_created_by_name',
  'origin_last_modified_by_name',
  'created_at',
  'updated_at',
]
  .map((column) => `file_links.${column}`)
  .join(', ');

/** @param granted SQL for: a user has a permission in the project of a column */
export const linkStatements = (granted) => ({
  link:
    `select ${linkColumns}, file_links.project_id from (select file_links.*, (select work_packages.project_id from work_packages where work_packages.id = file_links.work_package_id) as project_id from file_links) as file_links` +
    ` where file_links.work_package_id is not null and ${granted('file_links.project_id')} and ${granted('file_links.project_id')}` +
    ' and (select project_storages.id from project_storages where project_storages.project_id = file_links.project_id and project_storages.storage_id = file_links.storage_id) is not null' +
    ' and file_links.id = ?',
  links: `select ${linkColumns} from file_links where file_links.work_package_id = ? and file_links.storage_id in (select project_storages.storage_id from project_storages where project_storages.project_id = ?) order by file_links.id asc limit ?`,
  storages:
    'select id, type, name, origin, authentication_method, storage_audience, application_password, created_at, updated_at from storages where id in (?)',
  credentials:
    'select oauth_client_credentials.storage_id from oauth_client_credentials inner join storages on storages.id = oauth_client_credentials.storage_id where storage_id in (?)',
  tokens:
    'select storage_id, access_token, expires_at from storage_tokens where user_id = ? and storage_id in (?)',
  uploadProjects:
    'select projects.id from projects inner join project_storages on project_storages.project_id = projects.id where project_storages.storage_id in (?)' +
    ' and projects.id in (select memberships.project_id from memberships where memberships.user_id = ? union all select projects.id from projects where projects.public = true)' +
    ` and (${granted('projects.id')}) order by projects.id asc`,
});
