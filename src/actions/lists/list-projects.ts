/** Checks the filters of a list of projects. */
import type { Context } from '../../context.js';
import { InvalidQuery } from '../../contract/errors.js';
import type { OrderedList } from '../../loaders/ordered-list.js';
import { projectList, type ProjectOrder } from '../../loaders/project-list.js';
import type { Project } from '../../models/project.js';
import { storages, containers, type Permission } from '../../policies/permissions.js';
import { visible } from '../../policies/visible.js';
import { demandFew } from '../project-storages/list-project-storages.js';
import { storagesNamed, type StorageNames } from './storages-named.js';

/** What a caller may do in a project. */
export enum ProjectAction {
  createWorkPackage = 'createWorkPackage',
  manageFileLinks = 'manageFileLinks',
  viewFileLinks = 'viewFileLinks',
  viewWorkPackages = 'viewWorkPackages',
}

const neededFor: { [action in ProjectAction]: readonly Permission[] } = {
  createWorkPackage: containers.WorkPackage.create,
  manageFileLinks: [storages.manage],
  viewFileLinks: storages.view,
  viewWorkPackages: containers.WorkPackage.view,
};

type Actions = readonly ProjectAction[] | null | undefined;

export interface ProjectQuery {
  search?: string | null | undefined;
  ids?: readonly (number | undefined)[] | null | undefined;
  active?: boolean | null | undefined;
  /** Only projects that use the storage, and in which the caller may view file links. */
  storage?: StorageNames | undefined;
  viewerCan?: { all?: Actions; any?: Actions; none?: Actions } | null | undefined;
}

/** @throws InvalidQuery for ids of projects that do not exist or are not visible */
export async function listProjects(
  context: Context,
  { search, ids, active, storage, viewerCan }: ProjectQuery,
  order: ProjectOrder,
): Promise<OrderedList<Project>> {
  const storageIds = storage && (await storagesNamed(context, storage));
  const all = [...(viewerCan?.all ?? []), ...(storageIds ? [ProjectAction.viewFileLinks] : [])];
  return projectList(
    context,
    {
      search,
      ids: await known(context, ids),
      isActive: active ?? undefined,
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

async function known(
  { user, db }: Context,
  given: ProjectQuery['ids'],
): Promise<number[] | undefined> {
  if (!given) return undefined;
  demandFew(given, 'filters');
  const ids = [...new Set(given)].filter((id) => id !== undefined);
  const found = await visible.projects(user, db.read).whereIn('projects.id', ids).resultSize();
  if (found !== new Set(given).size)
    throw new InvalidQuery('Id filter has invalid values.', 'filters');
  return ids;
}
