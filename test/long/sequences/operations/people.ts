/** Users get other roles, and projects become public or private: an operator imports a directory file. */
import { pick } from '../model.js';
import { roles, type RoleName } from '../rules.js';
import type { Operation } from '../step.js';

export const appoint: Operation = (model, _person, { a, b, c }) => {
  const project = pick(model.projects, a);
  const members = model.people.filter(({ key, admin }) => key !== undefined && !admin);
  const person = pick(members, b);
  const role = pick(Object.keys(roles) as RoleName[], c);
  return {
    says: `sees an import that makes ${person.name} ${role} of the ${project.name}`,
    aside: async (real) => {
      project.members.set(person, role);
      await real.importProject(project);
      return {};
    },
  };
};

export const publish: Operation = (model, _person, { a }) => {
  const project = pick(model.projects, a);
  return {
    says: `sees an import that makes the ${project.name} ${project.isPublic ? 'private' : 'public'}`,
    aside: async (real) => {
      project.isPublic = !project.isPublic;
      await real.importProject(project);
      return {};
    },
  };
};

export const leave: Operation = (model, person, { a }) => {
  const project = pick(model.projects, a);
  return {
    says: `leaves the ${project.name}`,
    aside: async (real) => {
      project.members.delete(person);
      await real.endMembership(project, person);
      return {};
    },
  };
};
