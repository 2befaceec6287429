/** Routes of work packages with their comments, and of the plain kinds of containers. */
import { Router, type Request, type Response } from 'express';
import { containerKinds, plainContainers } from '../../contract/container-kinds.js';
import { globalId } from '../../contract/ids.js';
import { PropertyConstraintViolation, refusalOf } from '../../contract/errors.js';
import { bodyOf, onlyJson, singleObject } from '../request/body.js';
import type { Body } from '../request/body-members.js';
import { collection } from '../represent/collection.js';
import * as documents from '../generated/documents.js';
import { run } from '../documents/run.js';
import { idOf, locals, projectOf } from '../request/locals.js';
import { flagOf } from '../request/page-and-filters.js';
import { paths } from '../represent/paths.js';
import { representContainer } from '../represent/container.js';
import { representWithAttachments } from '../represent/embedded.js';
import { unsupportedMembers } from '../request/unsupported-members.js';
import { detailsOf, projectIdNamed } from './work-package-forms.js';
import { hal, halList } from '../represent/respond.js';

/** A list of comments is read in parts: each comment can have 64 KiB. */
const ACTIVITIES_AT_ONCE = 200;

const claimed = (body: Body) => body.linkedIds('attachments', 'attachments');
const claimedLinks = (body: Body) =>
  body.linkedIds('fileLinks', 'file_links', 'work_packages/\\d+/file_links');

const notifies = (req: Request): boolean => flagOf(req, 'notify') ?? true;

const wrong = (message: string, attribute: string) =>
  new PropertyConstraintViolation(message, attribute);

function noteUnsupported(body: Body): void {
  for (const { message, attribute } of unsupportedMembers(body))
    body.note(wrong(message, attribute));
}

/** Clients send the project back as they read it. Another one is an error. */
async function noteOtherProject(body: Body, res: Response, id: string): Promise<void> {
  const named = body.linkedProject();
  if (named === null) body.note(wrong("Project can't be blank.", 'project'));
  if (named === undefined || named === null) return;
  const { workPackage } = await run(locals(res).context, documents.ViewWorkPackageProjectDocument, {
    id,
  });
  const { id: projectId, identifier } = workPackage.project;
  if (named !== String(projectId) && named !== identifier)
    body.note(wrong('Project cannot be changed.', 'project'));
}

/** As `noteOtherProject`, for a comment and whether it is internal. */
async function noteOtherInternal(body: Body, res: Response, id: string): Promise<void> {
  const internal = body.flag('internal');
  if (internal === undefined) return;
  const { activity } = await run(locals(res).context, documents.ViewActivityInternalDocument, {
    id,
  });
  if (internal !== activity.internal) body.note(wrong('Internal cannot be changed.', 'internal'));
}

async function createWorkPackage(req: Request, res: Response, projectId: string | undefined) {
  const body = bodyOf(req, res);
  noteUnsupported(body);
  const input = {
    notify: notifies(req),
    subject: body.text('subject'),
    attachmentIds: claimed(body),
    fileLinkIds: claimedLinks(body),
    ...detailsOf(body),
  };
  if (projectId === undefined)
    throw refusalOf(locals(res).context.inputErrors, [
      { attribute: 'project', message: "Project can't be blank." },
      ...(input.subject?.trim()
        ? []
        : [{ attribute: 'subject', message: "Subject can't be blank." }]),
    ]);
  const { createWorkPackage: made } = await run(
    locals(res).context,
    documents.CreateWorkPackageDocument,
    { input: { projectId, ...input } },
  );
  hal(res, representWithAttachments(made.workPackage), 201);
}

export const containers = Router()
  .get('/work_packages/:id', async (req, res) => {
    const { workPackage } = await run(locals(res).context, documents.ViewWorkPackageDocument, {
      id: idOf(req),
    });
    hal(res, representWithAttachments(workPackage));
  })
  .post('/work_packages', onlyJson, singleObject, async (req: Request, res: Response) => {
    const project = bodyOf(req, res).linkedProject() ?? undefined;
    await createWorkPackage(req, res, project && (await projectIdNamed(res, project)));
  })
  .post(
    '/projects/:id/work_packages',
    onlyJson,
    singleObject,
    async (req: Request, res: Response) => {
      const { project } = await run(
        locals(res).context,
        documents.ViewProjectForWorkPackagesDocument,
        projectOf(req),
      );
      await createWorkPackage(req, res, String(project.id));
    },
  )
  .patch('/work_packages/:id', onlyJson, singleObject, async (req: Request, res: Response) => {
    const body = bodyOf(req, res);
    noteUnsupported(body);
    await noteOtherProject(body, res, idOf(req));
    const input = {
      id: idOf(req),
      notify: notifies(req),
      lockVersion: body.integer('lockVersion'),
      attachmentIds: claimed(body),
      fileLinkIds: claimedLinks(body),
      ...(body.has('subject') && { subject: body.text('subject') ?? '' }),
      ...detailsOf(body),
    };
    const { updateWorkPackage } = await run(
      locals(res).context,
      documents.UpdateWorkPackageDocument,
      { input },
    );
    hal(res, representWithAttachments(updateWorkPackage.workPackage));
  })
  .get('/work_packages/:id/activities', async (req, res) => {
    const id = idOf(req);
    const { context } = locals(res);
    const read = async (after?: string | null) =>
      (
        await run(context, documents.ListActivitiesDocument, {
          id,
          first: ACTIVITIES_AT_ONCE,
          after: after ?? null,
        })
      ).workPackage.activities;
    const first = await read();
    async function* more() {
      for (let page = first; page.pageInfo.hasNextPage; yield page.nodes) {
        // The pages before are written, so memory need not keep them.
        context.forgetLoaded();
        page = await read(page.pageInfo.endCursor);
      }
    }
    const { totalCount, nodes } = first;
    const self = paths.workPackageActivities(Number(id));
    const list = { ...collection(self, totalCount, nodes), count: totalCount };
    await halList(res, list, representWithAttachments, more());
  })
  .post(
    '/work_packages/:id/activities',
    onlyJson,
    singleObject,
    async (req: Request, res: Response) => {
      const body = bodyOf(req, res);
      const variables = {
        workPackageId: idOf(req),
        comment: body.formattable('comment'),
        internal: body.flag('internal') ?? false,
        attachmentIds: claimed(body),
        notify: notifies(req),
      };
      const { createComment } = await run(
        locals(res).context,
        documents.CreateCommentDocument,
        variables,
      );
      hal(res, representWithAttachments(createComment.comment), 201);
    },
  )
  .get('/activities/:id', async (req, res) => {
    const { activity } = await run(locals(res).context, documents.ViewActivityDocument, {
      id: idOf(req),
    });
    hal(res, representWithAttachments(activity));
  })
  .patch('/activities/:id', onlyJson, singleObject, async (req: Request, res: Response) => {
    const body = bodyOf(req, res);
    await noteOtherInternal(body, res, idOf(req));
    const input = {
      id: idOf(req),
      attachmentIds: claimed(body),
      notify: notifies(req),
      ...(body.has('comment') && { comment: body.formattable('comment') ?? '' }),
    };
    const { updateComment } = await run(locals(res).context, documents.UpdateCommentDocument, {
      input,
    });
    hal(res, representWithAttachments(updateComment.comment));
  });

for (const type of plainContainers) {
  containers.get(`/${containerKinds[type].segment}/:id`, async (req, res) => {
    const { container } = await run(locals(res).context, documents.ViewContainerDocument, {
      id: globalId(type, idOf(req)),
    });
    hal(res, representContainer(container));
  });
}
