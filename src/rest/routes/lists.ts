/** Routes of the lists of work packages and projects, and of statuses and types. */
import { Router, type Request, type Response } from 'express';
import { MissingPermission } from '../../contract/errors.js';
import * as documents from '../generated/documents.js';
import { run } from '../documents/run.js';
import { collection, page } from '../represent/collection.js';
import { representContainer } from '../represent/container.js';
import { paths } from '../represent/paths.js';
import { representProject } from '../represent/project.js';
import { hal, halList } from '../represent/respond.js';
import { representUser } from '../represent/user.js';
import { representStatus, representType } from '../represent/status-and-type.js';
import { idOf, locals, projectOf } from '../request/locals.js';
import { pageOf, textOf } from '../request/page-and-filters.js';
import { projectQuery } from '../request/project-query.js';
import { workPackageQuery } from '../request/work-package-query.js';
import { readLongPage } from './long-pages.js';

async function listWorkPackages(
  req: Request,
  res: Response,
  project?: { id: number; mayCreate: boolean },
): Promise<void> {
  const { context, profile } = locals(res);
  const asked = pageOf(req);
  const query = workPackageQuery(req, profile, {
    me: context.user.id,
    now: context.clock(),
  });
  if (project) query.filter.rootProjectId = String(project.id);
  const found = await readLongPage(context, asked, async (part) => {
    const variables = { ...query, ...part };
    return (await run(context, documents.ListWorkPackagesDocument, variables)).workPackages;
  });
  const path = project ? paths.projectWorkPackages(project.id) : paths.workPackages;
  const list = page(
    path,
    found.total,
    found.nodes,
    asked,
    textOf(req, 'filters'),
    textOf(req, 'sortBy'),
  );
  const form = project ? paths.projectWorkPackageForm(project.id) : paths.workPackageForm;
  const body = {
    ...list,
    count: found.count,
    _type: profile.workPackageCollection,
    _links: {
      ...list._links,
      ...((project ? project.mayCreate : await mayCreateSomewhere(res)) && {
        createWorkPackage: { href: form, method: 'post' },
        createWorkPackageImmediate: { href: path, method: 'post' },
      }),
    },
  };
  await halList(res, body, representContainer, found.more);
}

async function mayCreateSomewhere(res: Response): Promise<boolean> {
  const { context } = locals(res);
  const answer = await run(context, documents.MayCreateWorkPackagesDocument, {});
  return answer.viewerCanCreateWorkPackages;
}

async function listProjects(req: Request, res: Response, path: string, mayCreate = false) {
  const { context, profile } = locals(res);
  const asked = pageOf(req);
  const query = projectQuery(req, context.clock());
  if (mayCreate) {
    const { filter } = query;
    filter.active = true;
    filter.viewerCan.all = [...(filter.viewerCan.all ?? []), 'CREATE_WORK_PACKAGE'];
  }
  const {
    projects: { totalCount, nodes },
  } = await run(context, documents.ListProjectsDocument, {
    ...query,
    first: asked.pageSize,
    page: asked.offset,
  });
  const elements = nodes.map((project) => representProject(profile, project));
  hal(res, page(path, totalCount, elements, asked, textOf(req, 'filters'), textOf(req, 'sortBy')));
}

export const lists = Router()
  .get('/work_packages', (req, res) => listWorkPackages(req, res))
  .get('/projects/:id/work_packages', async (req, res) => {
    const { project } = await run(
      locals(res).context,
      documents.ViewProjectForWorkPackagesDocument,
      projectOf(req),
    );
    if (!project.viewerCanViewWorkPackages) throw new MissingPermission();
    await listWorkPackages(req, res, {
      id: project.id,
      mayCreate: project.viewerCanCreateWorkPackage,
    });
  })
  .get('/work_packages/available_projects', async (req, res) => {
    if (!(await mayCreateSomewhere(res))) throw new MissingPermission();
    await listProjects(req, res, paths.availableProjects, true);
  })
  .get('/projects', (req, res) => listProjects(req, res, paths.projects))
  .get('/projects/:id', async (req, res) => {
    const { context, profile } = locals(res);
    const { project } = await run(context, documents.ViewProjectDocument, projectOf(req));
    hal(res, representProject(profile, project, project));
  })
  .get('/projects/:id/categories', async (req, res) => {
    const { project } = await run(
      locals(res).context,
      documents.ViewProjectForWorkPackagesDocument,
      projectOf(req),
    );
    hal(res, collection(paths.projectCategories(project.id), 0, []));
  })
  .get('/projects/:id/types', async (req, res) => {
    const {
      project: { id, types },
    } = await run(locals(res).context, documents.ListProjectTypesDocument, projectOf(req));
    hal(res, collection(paths.projectTypes(id), types.length, types.map(representType)));
  })
  .get('/projects/:id/available_assignees', async (req, res) => {
    const {
      project: { id, availableAssignees: people },
    } = await run(locals(res).context, documents.ListAvailableAssigneesDocument, projectOf(req));
    hal(
      res,
      collection(
        paths.availableAssignees(id),
        people.length,
        people.map((person) => representUser(locals(res), person)),
      ),
    );
  })
  .get('/statuses', async (_req, res) => {
    const { statuses } = await run(locals(res).context, documents.ListStatusesDocument, {});
    hal(res, collection(paths.statuses, statuses.length, statuses.map(representStatus)));
  })
  .get('/statuses/:id', async (req, res) => {
    const { status } = await run(locals(res).context, documents.ViewStatusDocument, {
      id: idOf(req),
    });
    if (status) hal(res, representStatus(status));
  })
  .get('/types', async (_req, res) => {
    const { types } = await run(locals(res).context, documents.ListTypesDocument, {});
    hal(res, collection(paths.types, types.length, types.map(representType)));
  })
  .get('/types/:id', async (req, res) => {
    const { type } = await run(locals(res).context, documents.ViewTypeDocument, { id: idOf(req) });
    if (type) hal(res, representType(type));
  });
