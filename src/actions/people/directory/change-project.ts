/** Creates projects, and adds members to them. */
import { PropertyConstraintViolation } from '../../../contract/errors.js';
import { Project } from '../../../models/project.js';
import { Role } from '../../../models/role.js';
import { changeDirectory, type DirectoryNeeds } from './change-directory.js';
import { requireId } from './job.js';

/** @returns its id. @throws PropertyConstraintViolation also if the identifier exists */
export const createProject = (
  services: DirectoryNeeds,
  project: { identifier: string; name: string },
): Promise<number> =>
  changeDirectory(services, async ({ trx, write }) => {
    const identifier = project.identifier.trim();
    if (await Project.query(trx).findOne({ identifier }).select('id'))
      throw new PropertyConstraintViolation(
        `There is a project ${JSON.stringify(identifier)} already.`,
        'identifier',
      );
    const { projects } = await write({ projects: [project] });
    return requireId(projects[identifier], identifier);
  });

/**
 * Adds a role to those that the member has.
 * @returns all its roles. @throws PropertyConstraintViolation
 */
export const addMember = (
  services: DirectoryNeeds,
  { identifier, login, role }: { identifier: string; login: string; role: string },
): Promise<string[]> =>
  changeDirectory(services, async ({ trx, write }) => {
    const project = await Project.query(trx).findOne({ identifier });
    if (!project)
      throw new PropertyConstraintViolation(`There is no project ${JSON.stringify(identifier)}.`);
    const present = await Role.query(trx)
      .select('roles.name')
      .join('membership_roles', 'membership_roles.role_id', 'roles.id')
      .join('memberships', 'memberships.id', 'membership_roles.membership_id')
      .join('users', 'users.id', 'memberships.user_id')
      .where({ 'memberships.project_id': project.id, 'users.login': login })
      .orderBy('roles.id');
    const roles = [...new Set([...present.map(({ name }) => name), role])];
    const { name } = project;
    await write({ projects: [{ identifier, name, memberships: [{ user: login, roles }] }] });
    return roles;
  });
