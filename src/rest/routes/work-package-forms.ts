/** Routes of the forms that check a work package before it is created. */
import { Router, type Request, type Response } from 'express';
import * as documents from '../generated/documents.js';
import { run } from '../documents/run.js';
import { paths } from '../represent/paths.js';
import { hal } from '../represent/respond.js';
import { representForm } from '../represent/work-package-form.js';
import { jsonIfAny, optionalObject, bodyOf } from '../request/body.js';
import type { Body } from '../request/body-members.js';
import { locals, projectNamed, projectOf } from '../request/locals.js';
import { unsupportedMembers } from '../request/unsupported-members.js';

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

/** The id of a project that a link names. @throws NotFound for an unknown identifier */
export async function projectIdNamed(res: Response, name: string): Promise<string> {
  const { id, identifier } = projectNamed(name);
  if (id !== undefined) return id;
  const { project } = await run(locals(res).context, documents.ViewProjectForWorkPackagesDocument, {
    identifier,
  });
  return String(project.id);
}

async function showForm(
  body: Body,
  res: Response,
  self: string,
  projectId: string | null,
): Promise<void> {
  const { context, profile } = locals(res);
  const input = {
    subject: body.text('subject') ?? null,
    ...detailsOf(body),
    projectId,
  };
  const { workPackageForm } = await run(context, documents.ViewWorkPackageFormDocument, { input });
  const violations = [...workPackageForm.violations, ...unsupportedMembers(body)];
  hal(res, representForm(profile, self, { ...workPackageForm, violations }));
}

export const workPackageForms = Router()
  .post('/work_packages/form', jsonIfAny, optionalObject, async (req: Request, res: Response) => {
    const body = bodyOf(req, res);
    const project = body.linkedProject() ?? null;
    await showForm(
      body,
      res,
      paths.workPackageForm,
      project === null ? null : await projectIdNamed(res, project),
    );
  })
  .post(
    '/projects/:id/work_packages/form',
    jsonIfAny,
    optionalObject,
    async (req: Request, res: Response) => {
      const { project } = await run(
        locals(res).context,
        documents.ViewProjectForWorkPackagesDocument,
        projectOf(req),
      );
      const self = paths.projectWorkPackageForm(project.id);
      await showForm(bodyOf(req, res), res, self, String(project.id));
    },
  );
