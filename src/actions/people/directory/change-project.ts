/** Creates and changes projects, and sets the roles of their members. */
import { NotFound, PropertyConstraintViolation } from '../../../contract/errors.js';
import { Membership } from '../../../models/membership.js';
import { Project } from '../../../models/project.js';
import { Role } from '../../../models/role.js';
import { User } from '../../../models/user.js';
import { changeDirectory, type Change, type DirectoryNeeds } from './change-directory.js';
import { requireId } from './job.js';

interface NewProject {
  identifier: string;
  name: string;
  public?: boolean | undefined;
}

/** @returns its id. @throws PropertyConstraintViolation also if the identifier exists */
export const createProject = (services: DirectoryNeeds, project: NewProject): Promise<number> =>
  changeDirectory(services, async ({ trx, write, audit }) => {
    const identifier = project.identifier.trim();
    if (await Project.query(trx).findOne({ identifier }).select('id'))
      throw new PropertyConstraintViolation(
        `There is a project ${JSON.stringify(identifier)} already.`,
        'identifier',
      );
    const { projects } = await write({ projects: [project] });
    const id = requireId(projects[identifier], identifier);
    const after = await Project.query(trx).findById(id).throwIfNotFound();
    await audit({
      kind: 'PROJECT_CREATED',
      subject: { type: 'Project', id, name: after.name },
      after,
    });
    return id;
  });

interface ProjectChanges {
  name?: string | undefined;
  public?: boolean | undefined;
  active?: boolean | undefined;
  /** Bytes, or null for no limit. */
  storageQuota?: number | null | undefined;
}

/** @returns the project after the change. @throws PropertyConstraintViolation */
export const updateProject = (
  services: DirectoryNeeds,
  { id }: { id: number },
  { storageQuota, ...changes }: ProjectChanges,
): Promise<Project> =>
  changeDirectory(services, async ({ trx, write, audit }) => {
    if (typeof storageQuota === 'number') demandQuota(storageQuota);
    const before = await Project.query(trx).findById(id).throwIfNotFound();
    const { identifier, name } = before;
    await write({ projects: [{ identifier, name, ...changes }] });
    if (storageQuota !== undefined) await Project.query(trx).findById(id).patch({ storageQuota });
    const after = await Project.query(trx).findById(id).throwIfNotFound();
    const subject = { type: 'Project', id, name: after.name } as const;
    await audit({ kind: 'PROJECT_UPDATED', subject, before, after });
    return after;
  });

function demandQuota(bytes: number): void {
  if (!Number.isSafeInteger(bytes) || bytes < 0)
    throw new PropertyConstraintViolation(
      `The quota must be a whole number of bytes from 0 to ${Number.MAX_SAFE_INTEGER}.`,
      'storageQuota',
    );
}

/**
 * Adds a role to those that the member has.
 * @returns all its roles. @throws PropertyConstraintViolation
 */
export const addMember = (
  services: DirectoryNeeds,
  { identifier, login, role }: { identifier: string; login: string; role: string },
): Promise<string[]> =>
  changeDirectory(services, async (change) => {
    const { trx } = change;
    const project = await Project.query(trx).findOne({ identifier });
    if (!project)
      throw new PropertyConstraintViolation(`There is no project ${JSON.stringify(identifier)}.`);
    const user = await User.query(trx).findOne({ login });
    const present = user ? await rolesOf(change, project, user) : [];
    const roles = [...new Set([...present, role])];
    await writeRoles(change, project, { login, id: user?.id }, roles);
    return roles;
  });

interface Member {
  projectId: number;
  userId: number;
}

/**
 * The member has exactly these roles afterwards.
 * @throws NotFound, PropertyConstraintViolation
 */
export const setMembership = (
  services: DirectoryNeeds,
  { projectId, userId, roleIds }: Member & { roleIds: readonly (number | undefined)[] },
): Promise<Membership> =>
  changeDirectory(services, async (change) => {
    const { trx } = change;
    const { project, user } = await find(change, { projectId, userId });
    const wanted = new Set(roleIds);
    const ids = [...wanted].filter((id) => id !== undefined);
    const roles = await Role.query(trx).whereIn('id', ids).orderBy('id');
    if (roles.length === 0 || roles.length !== wanted.size)
      throw new PropertyConstraintViolation(
        'The roles must be at least one, and all of them must exist.',
        'roleIds',
      );
    await writeRoles(
      change,
      project,
      user,
      roles.map(({ name }) => name),
    );
    return Membership.query(trx)
      .findOne({ project_id: projectId, user_id: userId })
      .throwIfNotFound();
  });

/** @returns the membership that was removed. @throws NotFound */
export const removeMembership = (services: DirectoryNeeds, member: Member): Promise<Membership> =>
  changeDirectory(services, async (change) => {
    const { project, user } = await find(change, member);
    const membership = await Membership.query(change.trx).findOne({
      project_id: project.id,
      user_id: user.id,
    });
    if (!membership) throw new NotFound();
    await writeRoles(change, project, user, []);
    return membership;
  });

/** @throws NotFound */
async function find({ trx }: Change, { projectId, userId }: Member) {
  const project = await Project.query(trx).findById(projectId);
  const user = await User.query(trx).findById(userId);
  if (!project || !user) throw new NotFound();
  return { project, user };
}

/** @param roles none removes the membership. @throws PropertyConstraintViolation */
async function writeRoles(
  change: Change,
  project: Project,
  user: { id: number | undefined; login: string },
  roles: readonly string[],
): Promise<void> {
  const { identifier, name } = project;
  const { id, login } = user;
  const before = id === undefined ? [] : await rolesOf(change, project, { id });
  await change.write({ projects: [{ identifier, name, memberships: [{ user: login, roles }] }] });
  if (id === undefined || before.join() === roles.join()) return;
  const inProject = (names: readonly string[]) =>
    names.length > 0 ? { projectId: project.id, roles: names } : { projectId: project.id };
  await change.audit({
    kind: roles.length > 0 ? 'MEMBERSHIP_SET' : 'MEMBERSHIP_REMOVED',
    subject: { type: 'User', id },
    before: before.length > 0 ? inProject(before) : undefined,
    after: roles.length > 0 ? inProject(roles) : undefined,
  });
}

/** Names, in the order of the roles. */
async function rolesOf(
  { trx }: Change,
  project: { id: number },
  user: { id: number },
): Promise<string[]> {
  const roles = await Role.query(trx)
    .select('roles.name')
    .join('membership_roles', 'membership_roles.role_id', 'roles.id')
    .join('memberships', 'memberships.id', 'membership_roles.membership_id')
    .where({ 'memberships.project_id': project.id, 'memberships.user_id': user.id })
    .orderBy('roles.id');
  return roles.map(({ name }) => name);
}
