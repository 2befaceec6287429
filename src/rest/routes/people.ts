/** Routes of users and projects. */
import { Router } from 'express';
import * as documents from '../documents/index.js';
import { run } from '../documents/run.js';
import { idOf, locals } from '../request/locals.js';
import { paths } from '../represent/paths.js';
import { representUser } from '../represent/user.js';
import { hal } from '../represent/respond.js';

export const people = Router()
  .get('/users/me', async (_req, res) => {
    const { viewer } = await run(locals(res).context, documents.ViewMeDocument, {});
    hal(res, representUser(viewer));
  })
  .get('/users/:id', async (req, res) => {
    const { user } = await run(locals(res).context, documents.ViewUserDocument, { id: idOf(req) });
    hal(res, representUser(user));
  })
  .get('/projects/:id', async (req, res) => {
    const { project } = await run(locals(res).context, documents.ViewProjectDocument, {
      id: idOf(req),
    });
    const { id, name, viewerCanCreateWorkPackage, viewerCanViewFileLinks } = project;
    hal(res, {
      ...documents.projectMembers(project),
      _links: {
        self: { href: paths.project(id), title: name },
        ...(viewerCanCreateWorkPackage && {
          createWorkPackage: { href: paths.projectWorkPackages(id), method: 'post' },
        }),
        ...(viewerCanViewFileLinks && {
          storages: project.storages.map((storage) => ({
            href: paths.storage(storage.id),
            title: storage.name,
          })),
          projectStorages: { href: paths.projectStoragesIn(id) },
        }),
      },
    });
  });
