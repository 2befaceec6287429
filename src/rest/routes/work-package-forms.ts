/** Routes of the forms that check a work package before it is created. */
import { Router, type Request, type Response } from 'express';
import * as documents from '../documents/index.js';
import { run } from '../documents/run.js';
import { paths } from '../represent/paths.js';
import { hal } from '../represent/respond.js';
import { representForm } from '../represent/work-package-form.js';
import { jsonIfAny, optionalObject, bodyOf } from '../request/body.js';
import type { Body } from '../request/body-members.js';
import { locals } from '../request/locals.js';
import { projectNamed } from './lists.js';

/** The members of a body about the details of a work package. Absent members stay absent. */
export function detailsOf(body: Body) {
  const ids = {
    statusId: body.linkedIdOrNull('status', 'statuses'),
    typeId: body.linkedIdOrNull('type', 'types'),
    assigneeId: body.linkedIdOrNull('assignee', 'users'),
    responsibleId: body.linkedIdOrNull('responsible', 'users'),
  };
  return {
    ...(body.has('description') && { description: body.formattable('description') ?? null }),
    ...(Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== undefined)) as typeof ids),
  };
}

async function showForm(
  body: Body,
  res: Response,
  self: string,
  projectId: string | null | undefined,
): Promise<void> {
  const { context, profile } = locals(res);
  const input = {
    subject: body.text('subject') ?? null,
    ...detailsOf(body),
    projectId: projectId ?? null,
  };
  const { workPackageForm } = await run(context, documents.ViewWorkPackageFormDocument, { input });
  hal(res, representForm(profile, self, workPackageForm));
}

export const workPackageForms = Router()
  .post('/work_packages/form', jsonIfAny, optionalObject, async (req: Request, res: Response) => {
    const body = bodyOf(req, res);
    await showForm(body, res, paths.workPackageForm, body.linkedIdOrNull('project', 'projects'));
  })
  .post(
    '/projects/:id/work_packages/form',
    jsonIfAny,
    optionalObject,
    async (req: Request, res: Response) => {
      const { project } = await run(
        locals(res).context,
        documents.ViewProjectForWorkPackagesDocument,
        projectNamed(req),
      );
      const self = paths.projectWorkPackageForm(project.id);
      await showForm(bodyOf(req, res), res, self, String(project.id));
    },
  );
