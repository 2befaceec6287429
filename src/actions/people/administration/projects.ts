/** What administrators do with projects and their members. */
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import type { Membership } from '../../../models/membership.js';
import { Project } from '../../../models/project.js';
import { demandAdmin } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import {
  createProject,
  removeMembership,
  setMembership,
  updateProject,
} from '../directory/change-project.js';
import { userFor } from './people.js';

/** @throws MissingPermission, PropertyConstraintViolation */
export async function addProject(
  context: Context,
  project: Parameters<typeof createProject>[1],
): Promise<Project> {
  demandAdmin(context);
  const id = await createProject(context, project);
  return Project.query(context.db.write).findById(id).throwIfNotFound();
}

/** @throws MissingPermission, NotFound, PropertyConstraintViolation */
export async function changeProject(
  context: Context,
  id: number | undefined,
  changes: Parameters<typeof updateProject>[2],
): Promise<Project> {
  return updateProject(context, await projectFor(context, id), changes);
}

interface Member {
  projectId: number | undefined;
  userId: number | undefined;
}

/** @throws MissingPermission, NotFound, PropertyConstraintViolation */
export async function setMember(
  context: Context,
  { roleIds, ...member }: Member & { roleIds: readonly (number | undefined)[] },
): Promise<Membership> {
  return setMembership(context, { ...(await memberFor(context, member)), roleIds });
}

/** @throws MissingPermission, NotFound */
export async function removeMember(
  context: Context,
  member: Member,
): Promise<{ membership: Membership; project: Project }> {
  const found = await memberFor(context, member);
  const membership = await removeMembership(context, found);
  return { membership, project: await projectFor(context, found.projectId) };
}

async function memberFor(context: Context, { projectId, userId }: Member) {
  const user = await userFor(context, userId);
  const project = await projectFor(context, projectId);
  return { projectId: project.id, userId: user.id };
}

/** @throws MissingPermission, NotFound */
async function projectFor(context: Context, id: number | undefined): Promise<Project> {
  demandAdmin(context);
  const project = await find.project(context, id);
  if (!project) throw new NotFound();
  return project;
}
