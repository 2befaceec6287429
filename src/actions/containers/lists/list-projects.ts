/** Checks the filters of a list of projects. */
import type { Context } from '../../../context.js';
import type { TextFilter, TimeRange } from '../../../lists/conditions.js';
import type { List } from '../../../lists/list.js';
import { projectList, type ProjectOrder } from '../../../lists/projects.js';
import type { Project } from '../../../models/project.js';
import { storages, containers, type Permission } from '../../../policies/permissions.js';
import { visible } from '../../../policies/visible.js';
import { demandFewNames, knownKeys, type Ids } from './known-keys.js';
import { storagesNamed, type StorageNames } from './storages-named.js';

/** What a caller may do in a project. */
export enum ProjectAction {
  CREATE_WORK_PACKAGE = 'createWorkPackage',
  MANAGE_FILE_LINKS = 'manageFileLinks',
  VIEW_FILE_LINKS = 'viewFileLinks',
  VIEW_WORK_PACKAGES = 'viewWorkPackages',
}

const neededFor: { [action in ProjectAction]: readonly Permission[] } = {
  createWorkPackage: containers.WorkPackage.create,
  manageFileLinks: [storages.manage],
  viewFileLinks: storages.view,
  viewWorkPackages: containers.WorkPackage.view,
};

type Actions = readonly ProjectAction[] | null | undefined;

interface ProjectQuery {
  search?: string | null | undefined;
  name?: TextFilter | null | undefined;
  ids?: Ids;
  exceptIds?: Ids;
  public?: boolean | null | undefined;
  createdAt?: TimeRange | null | undefined;
  active?: boolean | null | undefined;
  /** Only projects that use the storage, and in which the caller may view file links. */
  storage?: StorageNames | undefined;
  viewerCan?: { all?: Actions; any?: Actions; none?: Actions } | null | undefined;
}

/** @throws InvalidQuery for ids of projects that do not exist or are not visible */
export async function listProjects(
  context: Context,
  { search, name, ids, exceptIds, active, createdAt, storage, viewerCan, ...query }: ProjectQuery,
  order: ProjectOrder,
): Promise<List<Project>> {
  const storageIds = storage && (await storagesNamed(context, storage));
  const all = [...(viewerCan?.all ?? []), ...(storageIds ? [ProjectAction.VIEW_FILE_LINKS] : [])];
  demandFewNames(name);
  const known = (given: Ids) =>
    knownKeys('Id', visible.projects(context.user, context.db.read), given);
  return projectList(
    context,
    {
      search,
      name: name ?? undefined,
      ids: await known(ids),
      exceptIds: await known(exceptIds),
      isActive: active ?? undefined,
      isPublic: query.public ?? undefined,
      createdAt: createdAt ?? undefined,
      storageIds,
      granting: {
        all: all.length > 0 ? permissionsOf(all) : undefined,
        any: permissionsOf(viewerCan?.any),
        none: permissionsOf(viewerCan?.none),
      },
    },
    [order],
  );
}

const permissionsOf = (actions: Actions): Permission[] | undefined =>
  actions?.flatMap((action) => neededFor[action]);
