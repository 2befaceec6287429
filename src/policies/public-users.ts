/**
 * The users whom anonymous users see: those who take part in a public project. These are all
 * people whom a row there names. So whoever sees the row also sees the person.
 */
import { columnOf, namedContainers, type NamedContainer } from '../contract/container-kinds.js';
import { containers } from './permissions.js';
import { scope, sql } from './sql-conditions.js';

const tableOf = (type: NamedContainer): string => containers[type].model.tableName;

/** Some row that is joined with a public project refers to the user. */
const inPublicProject = (rows: string, project: string, user: string) =>
  `exists (select 1 from ${rows} join projects on projects.id = ${project}` +
  ` where ${user} = users.id and projects.public = true)`;

const WITH_WORK_PACKAGE = 'join work_packages on work_packages.id =';

export const publicUsers = scope(() => {
  const own = (table: string, user: string) =>
    inPublicProject(table, `${table}.project_id`, `${table}.${user}`);
  const attached = (type: NamedContainer) => {
    const table = tableOf(type);
    const rows = `attachments join ${table} on ${table}.id = attachments.${columnOf(type)} and attachments.phase = 'kept'`;
    return inPublicProject(rows, `${table}.project_id`, 'attachments.author_id');
  };
  const conditions = [
    'users.anonymous = true',
    own('memberships', 'user_id'),
    ...namedContainers.map((type) => own(tableOf(type), 'author_id')),
    own(tableOf('WorkPackage'), 'assignee_id'),
    own(tableOf('WorkPackage'), 'responsible_id'),
    own('project_storages', 'creator_id'),
    inPublicProject(
      `file_links ${WITH_WORK_PACKAGE} file_links.work_package_id`,
      'work_packages.project_id',
      'file_links.creator_id',
    ),
    inPublicProject(
      `activities ${WITH_WORK_PACKAGE} activities.work_package_id`,
      'work_packages.project_id',
      'activities.author_id',
    ),
    ...namedContainers.map(attached),
    inPublicProject(
      'attachments join activities on activities.id = attachments.activity_id' +
        ` ${WITH_WORK_PACKAGE} activities.work_package_id`,
      'work_packages.project_id',
      'attachments.author_id',
    ),
  ];
  return sql(`(${conditions.join(' or ')})`);
});
