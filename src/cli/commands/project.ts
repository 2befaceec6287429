/** `moorage project create` and `add-member` */
import { addMember, createProject } from '../../actions/people/directory/change-project.js';
import type { Run } from '../command.js';
import { print } from '../output.js';
import { byCommand, withServices } from '../services.js';
import { withMigratedServices } from '../up-to-date.js';

export const createProjectCommand: Run<{ name: string }> = ({ name, json }, identifier = '') =>
  withServices(async (services) => {
    const id = await createProject(byCommand(services), { identifier, name });
    print(json, { id, identifier, name }, () => `Created the project ${identifier} (${id}).`);
  });

export const addMemberCommand: Run = ({ json }, identifier = '', login = '', role = '') =>
  withMigratedServices(async (services) => {
    const roles = await addMember(byCommand(services), { identifier, login, role });
    print(
      json,
      { project: identifier, login, roles },
      () => `${login} has in ${identifier}: ${roles.join(', ')}.`,
    );
  });
