/** Routes of work packages with their comments, and of the plain kinds of containers. */
import { Router, type Request, type Response } from 'express';
import { containerKinds, plainContainers } from '../../contract/container-kinds.js';
import { globalId } from '../../contract/ids.js';
import { refusalOf } from '../../contract/errors.js';
import { bodyOf, onlyJson, singleObject } from '../request/body.js';
import type { Body } from '../request/body-members.js';
import { collection } from '../represent/collection.js';
import * as documents from '../documents/index.js';
import { run } from '../documents/run.js';
import { idOf, locals } from '../request/locals.js';
import { paths } from '../represent/paths.js';
import { representContainer } from '../represent/container.js';
import { representWithAttachments } from '../represent/embedded.js';
import { detailsOf } from './work-package-forms.js';
import { hal, halList } from '../represent/respond.js';

/** A list of comments is read in parts: each comment can have 64 KiB. */
const ACTIVITIES_AT_ONCE = 200;

const claimed = (body: Body) => body.linkedIds('attachments', 'attachments');
const claimedLinks = (body: Body) =>
  body.linkedIds('fileLinks', 'file_links', 'work_packages/\\d+/file_links');

/** Only the text `false` in the query turns notifications off. */
const notifies = (req: Request): boolean => req.query['notify'] !== 'false';

async function createWorkPackage(req: Request, res: Response, projectId: string | undefined) {
  const body = bodyOf(req, res);
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
    await createWorkPackage(req, res, bodyOf(req, res).linkedId('project', 'projects'));
  })
  .post(
    '/projects/:id/work_packages',
    onlyJson,
    singleObject,
    async (req: Request, res: Response) => createWorkPackage(req, res, idOf(req)),
  )
  .patch('/work_packages/:id', onlyJson, singleObject, async (req: Request, res: Response) => {
    const body = bodyOf(req, res);
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
      hal(res, representWithAttachments(createComment.activity), 201);
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
    const input = {
      id: idOf(req),
      attachmentIds: claimed(body),
      notify: notifies(req),
      ...(body.has('comment') && { comment: body.formattable('comment') ?? '' }),
    };
    const { updateComment } = await run(locals(res).context, documents.UpdateCommentDocument, {
      input,
    });
    hal(res, representWithAttachments(updateComment.activity));
  });

for (const type of plainContainers) {
  containers.get(`/${containerKinds[type].segment}/:id`, async (req, res) => {
    const { container } = await run(locals(res).context, documents.ViewContainerDocument, {
      id: globalId(type, idOf(req)),
    });
    hal(res, representContainer(container));
  });
}
