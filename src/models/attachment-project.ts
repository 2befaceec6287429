/** SQL of the project that an attachment belongs to, by its container. */
import { columnOf, type ContainerType } from '../contract/container-kinds.js';
import { containerModels } from './containers.js';

/** For attachments of one kind of container. */
export function projectOf(type: ContainerType): string {
  const { tableName } = containerModels[type];
  const column = `attachments.${columnOf(type)}`;
  return type === 'Activity'
    ? '(select work_packages.project_id from activities join work_packages' +
        ` on work_packages.id = activities.work_package_id where activities.id = ${column})`
    : `(select ${tableName}.project_id from ${tableName} where ${tableName}.id = ${column})`;
}
