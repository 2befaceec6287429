/** Work packages with their comments, meetings, posts and wiki pages. */
import { Router, type Request, type Response } from 'express';
import { PropertyConstraintViolation } from '../errors.js';
import { bodyOf, flag, formattable, integer, linkedId, linkedIds, onlyJson, singleObject, text } from './body.js';
import { collection } from './collection.js';
import * as documents from './documents.js';
import { run } from './graphql.js';
import { idOf, locals } from './locals.js';
import { paths } from './paths.js';
import { representContainer, representWithAttachments } from './represent/container.js';
import { hal } from './respond.js';

const claimed = (req: Request) => linkedIds(bodyOf(req), 'attachments', 'attachments');
const claimedLinks = (req: Request) => linkedIds(bodyOf(req), 'fileLinks', 'file_links', 'work_packages/\\d+/file_links');

async function createWorkPackage(req: Request, res: Response, projectId: string | undefined) {
  if (projectId === undefined) throw new PropertyConstraintViolation("Project can't be blank.", 'project');
  const variables = { projectId, subject: text(bodyOf(req), 'subject'), attachmentIds: claimed(req), fileLinkIds: claimedLinks(req) };
  const { createWorkPackage: made } = await run(locals(res).context, documents.CreateWorkPackageDocument, variables);
  hal(res, representWithAttachments(made.workPackage), 201);
}

export const containers = Router()
  .get('/work_packages/:id', async (req, res) => {
    const { workPackage } = await run(locals(res).context, documents.ViewWorkPackageDocument, { id: idOf(req) });
    hal(res, representWithAttachments(workPackage));
  })
  .post('/work_packages', onlyJson, singleObject, async (req: Request, res: Response) => createWorkPackage(req, res, linkedId(bodyOf(req), 'project', 'projects')))
  .post('/projects/:id/work_packages', onlyJson, singleObject, async (req: Request, res: Response) => createWorkPackage(req, res, idOf(req)))
  .patch('/work_packages/:id', onlyJson, singleObject, async (req: Request, res: Response) => {
    const body = bodyOf(req);
    const input = { id: idOf(req), lockVersion: integer(body, 'lockVersion'), attachmentIds: claimed(req), fileLinkIds: claimedLinks(req), ...('subject' in body && { subject: text(body, 'subject') ?? '' }) };
    const { updateWorkPackage } = await run(locals(res).context, documents.UpdateWorkPackageDocument, { input });
    hal(res, representWithAttachments(updateWorkPackage.workPackage));
  })
  .get('/work_packages/:id/activities', async (req, res) => {
    const id = idOf(req);
    const { workPackage: { activities } } = await run(locals(res).context, documents.ListActivitiesDocument, { id });
    hal(res, collection(paths.workPackageActivities(Number(id)), activities.totalCount, activities.nodes.map(representWithAttachments)));
  })
  .post('/work_packages/:id/activities', onlyJson, singleObject, async (req: Request, res: Response) => {
    const body = bodyOf(req);
    const variables = { workPackageId: idOf(req), comment: formattable(body, 'comment'), internal: flag(body, 'internal') ?? false, attachmentIds: claimed(req) };
    const { createComment } = await run(locals(res).context, documents.CreateCommentDocument, variables);
    hal(res, representWithAttachments(createComment.activity), 201);
  })
  .get('/activities/:id', async (req, res) => {
    const { activity } = await run(locals(res).context, documents.ViewActivityDocument, { id: idOf(req) });
    hal(res, representWithAttachments(activity));
  })
  .patch('/activities/:id', onlyJson, singleObject, async (req: Request, res: Response) => {
    const body = bodyOf(req);
    const input = { id: idOf(req), attachmentIds: claimed(req), ...('comment' in body && { comment: formattable(body, 'comment') ?? '' }) };
    const { updateComment } = await run(locals(res).context, documents.UpdateCommentDocument, { input });
    hal(res, representWithAttachments(updateComment.activity));
  })
  .get('/meetings/:id', async (req, res) => {
    const { meeting } = await run(locals(res).context, documents.ViewMeetingDocument, { id: idOf(req) });
    hal(res, representContainer(meeting));
  })
  .get('/posts/:id', async (req, res) => {
    const { post } = await run(locals(res).context, documents.ViewPostDocument, { id: idOf(req) });
    hal(res, representContainer(post));
  })
  .get('/wiki_pages/:id', async (req, res) => {
    const { wikiPage } = await run(locals(res).context, documents.ViewWikiPageDocument, { id: idOf(req) });
    hal(res, representContainer(wikiPage));
  });
